//! Encryption: who has the key hears everything, who has not hears nothing.

use airtime_core::Duration;
use airtime_nrf24::trace::{DropPoint, Purpose};
use airtime_nrf24::tunnel::{Config, Mode, Tuning};

use super::delivery::{numbers, send};
use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::config;
use super::pipe::packets::udp;

fn keyed(mode: Mode, keys: [Option<[u8; 32]>; 2], air: Air) -> Pipe {
    let [a, b] = keys;
    let configs = [
        Config { key: a, compression: true, ..config(mode, 1) },
        Config { key: b, compression: true, ..config(mode, 2) },
    ];
    Pipe::of(configs, [Tuning::default(); 2], air)
}

const KEY: Option<[u8; 32]> = Some([0x5a; 32]);

#[test]
fn sealed_packets_arrive_over_a_bad_air() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        let mut pipe = keyed(mode, [KEY; 2], Air::losing(30)).greeted();
        send(&mut pipe, 200, 576, Duration::from_millis(20));
        assert_eq!(numbers(&pipe, 576), (0..200).collect::<Vec<_>>(), "{mode:?}");
        let data = pipe.ends[0].uploads.iter().filter(|upload| upload.purpose == Purpose::New);
        let (payload, headers, tunnel) = data.fold((0, 0, 0), |sums: (u32, u32, u32), upload| {
            (sums.0 + u32::from(upload.payload), sums.1 + u32::from(upload.headers), sums.2 + u32::from(upload.tunnel))
        });
        // Two whole headers with the octet of the context, then 5 octets; 20 chunks with their header, counter, check and tag,
        // or 19 once the header is small.
        assert_eq!((payload, headers), (200 * 548, 2 * 29 + 198 * 5));
        assert_eq!(tunnel, 200 * (4 + 2 + 16) + 2 * 20 + 198 * 19);
    }
}

#[test]
fn nothing_of_a_packet_is_on_the_air_in_the_clear() {
    let mut pipe = keyed(Mode::Stream, [KEY; 2], Air::default()).greeted();
    let packet = udp(1, 7, 576);
    pipe.offer(0, &packet).unwrap();
    pipe.run_for(Duration::from_millis(100));
    assert_eq!(pipe.ends[1].delivered.len(), 1);
    for frame in &pipe.ends[0].sent {
        assert!(!frame[1..].windows(6).any(|octets| packet.windows(6).any(|clear| clear == octets)));
    }
}

#[test]
fn another_key_delivers_nothing() {
    let mut pipe = keyed(Mode::Stream, [KEY, Some([0x5b; 32])], Air::default()).greeted();
    send(&mut pipe, 20, 60, Duration::from_millis(10));
    assert_eq!(pipe.ends[1].delivered.len(), 0);
    assert_eq!(pipe.ends[1].drops_at(DropPoint::Authentication), 20);
}

#[test]
fn nobody_falls_back_to_the_clear() {
    let mut pipe = keyed(Mode::Stream, [KEY, None], Air::default());
    send(&mut pipe, 20, 60, Duration::from_millis(10));
    assert!(pipe.ends.iter().all(|end| end.tunnel.agreed().is_none() && end.delivered.is_empty()));
    assert!(pipe.ends[0].uploads.iter().all(|upload| upload.purpose == Purpose::Control));
}

#[test]
fn old_frames_deliver_nothing() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        let mut pipe = keyed(mode, [KEY; 2], Air::default()).greeted();
        send(&mut pipe, 40, 60, Duration::from_millis(10));
        let before = pipe.ends[1].delivered.len();
        assert_eq!(before, 40);
        // In the same session, from every place in the sequence.
        let frames = pipe.ends[0].sent.clone();
        for frame in frames.iter().chain(&frames) {
            pipe.inject(1, frame);
        }
        pipe.run_for(Duration::from_millis(300));
        assert_eq!(pipe.ends[1].delivered.len(), before, "{mode:?}");
        // In another one: everything is played again, greetings included, to an end that has started anew.
        pipe.ends[0].air.lost = 1_000;
        pipe.restart(1, 3);
        for frame in &frames {
            pipe.inject(1, frame);
        }
        pipe.run_for(Duration::from_millis(300));
        assert_eq!(pipe.ends[1].delivered.len(), before, "{mode:?}");
    }
}

#[test]
fn going_back_to_a_former_epoch_brings_nothing_back() {
    let mut pipe = keyed(Mode::Stream, [KEY; 2], Air::default()).greeted();
    send(&mut pipe, 10, 60, Duration::from_millis(10));
    let frames = pipe.ends[0].sent.clone();
    // The sender starts anew and sends, then falls silent; then its former life is played to the other end.
    pipe.restart(0, 0xf00);
    pipe.run_for(Duration::from_millis(50));
    let before = pipe.ends[1].delivered.len();
    pipe.ends[0].air.lost = 1_000;
    for frame in frames.iter().chain(&frames) {
        pipe.inject(1, frame);
        pipe.run_for(Duration::from_millis(2));
    }
    assert_eq!(pipe.ends[1].delivered.len(), before);
    // It comes back by itself as soon as it is heard again.
    pipe.ends[0].air.lost = 0;
    pipe.run_for(Duration::from_millis(400));
    pipe.offer(0, &udp(1, 99, 60)).unwrap();
    pipe.run_for(Duration::from_millis(400));
    assert_eq!(pipe.ends[1].delivered.last().map(|last| last.packet.clone()), Some(udp(1, 99, 60)));
}

#[test]
fn changed_frames_are_detected() {
    let mut pipe = keyed(Mode::Stream, [KEY; 2], Air { changed: 50, ..Air::default() }).greeted();
    send(&mut pipe, 300, 60, Duration::from_millis(10));
    let arrived: Vec<u32> = numbers(&pipe, 60);
    assert!(arrived.len() > 150 && arrived.len() < 300);
    assert!(pipe.ends[1].drops_at(DropPoint::Authentication) > 0);
}

#[test]
fn the_key_is_not_shown() {
    let shown = format!("{:?}", keyed(Mode::Stream, [KEY; 2], Air::default()).ends[0].tunnel);
    assert!(!shown.contains("90, 90") && shown.contains("encrypted: true"));
}
