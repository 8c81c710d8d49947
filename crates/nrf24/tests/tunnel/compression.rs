//! Header compression: what it saves, and what it survives.

use airtime_core::Duration;
use airtime_nrf24::trace::{DropPoint, Purpose};
use airtime_nrf24::tunnel::{Config, Mode, Tuning};

use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::config;
use super::pipe::packets::{internet_checksum, tcp, udp};

fn compressing(mode: Mode, air: Air) -> Pipe {
    let with = |epoch| Config { compression: true, ..config(mode, epoch) };
    Pipe::of([with(1), with(2)], [Tuning::default(); 2], air).greeted()
}

/// Frames and octets of the last packet that end 0 has sent.
fn travelled(pipe: &Pipe) -> (usize, u32, u32) {
    let data = || pipe.ends[0].uploads.iter().filter(|upload| upload.purpose == Purpose::New);
    let packet = data().next_back().expect("data was sent").packet;
    let of_it = || data().filter(|upload| upload.packet == packet);
    let headers = of_it().map(|upload| u32::from(upload.headers)).sum();
    let payload = of_it().map(|upload| u32::from(upload.payload)).sum();
    (of_it().count(), headers, payload)
}

fn exchange(pipe: &mut Pipe, packets: &[Vec<u8>]) {
    let before = pipe.ends[1].delivered.len();
    for packet in packets {
        pipe.offer(0, packet).unwrap();
        pipe.run_for(Duration::from_millis(30));
    }
    let arrived: Vec<_> = pipe.ends[1].delivered[before..].iter().map(|delivered| delivered.packet.clone()).collect();
    assert_eq!(arrived, packets);
}

#[test]
fn headers_become_small() {
    let mut pipe = compressing(Mode::Stream, Air::default());
    let datagrams: Vec<_> = (0..10).map(|n| udp(1, n, 60)).collect();
    exchange(&mut pipe, &datagrams);
    // 5 octets for 28: with 32 of payload and a check of 2, 39 octets.
    assert_eq!(travelled(&pipe), (2, 5, 32));
    let acks: Vec<_> = (0..10).map(|n| tcp(2, n, 52)).collect();
    exchange(&mut pipe, &acks);
    // 29 octets for 52: with the check exactly one chunk, where it was two.
    assert_eq!(travelled(&pipe), (1, 29, 0));
    exchange(&mut pipe, &[tcp(2, 11, 1500)]);
    assert_eq!(travelled(&pipe), (48, 29, 1448));
}

#[test]
fn without_it_headers_travel_as_they_are() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    let acks: Vec<_> = (0..5).map(|n| tcp(2, n, 52)).collect();
    exchange(&mut pipe, &acks);
    assert_eq!(travelled(&pipe), (2, 52, 0));
}

#[test]
fn what_cannot_be_compressed_travels_as_it_is() {
    let mut pipe = compressing(Mode::Stream, Air::default());
    let mut ping = udp(1, 1, 84);
    ping[9] = 1;
    let mut fragment = udp(1, 2, 300);
    fragment[6] = 0x20;
    let mut broken_sum = udp(1, 3, 100);
    broken_sum[10] ^= 1;
    let mut short_udp = udp(1, 4, 100);
    short_udp[24..26].copy_from_slice(&70_u16.to_be_bytes());
    let mut options = udp(1, 5, 100);
    options[0] = 0x46;
    let mut urgent = tcp(2, 6, 60);
    urgent[38] = 9;
    let mut ipv6 = vec![0x60, 0, 0, 0, 0, 60, 17, 64];
    ipv6.resize(100, 7);
    for packet in [ping, fragment, broken_sum, short_udp, options, urgent, ipv6] {
        exchange(&mut pipe, &[packet.clone(), packet.clone(), packet.clone(), packet]);
        let (_, headers, payload) = travelled(&pipe);
        assert_eq!(headers + payload, pipe.ends[1].delivered.last().unwrap().packet.len() as u32);
    }
}

#[test]
fn urgent_data_keep_their_pointer() {
    let mut pipe = compressing(Mode::Stream, Air::default());
    let packets: Vec<_> = (0..5)
        .map(|n| {
            let mut packet = tcp(2, n, 70);
            packet[33] |= 0x20;
            packet[39] = 5;
            packet
        })
        .collect();
    exchange(&mut pipe, &packets);
    assert_eq!(travelled(&pipe), (2, 31, 18));
}

#[test]
fn more_flows_than_contexts_take_turns() {
    let mut pipe = compressing(Mode::Stream, Air::default());
    let packets: Vec<_> = (0..120).map(|n| udp((n % 20) as u16, n, 60)).collect();
    exchange(&mut pipe, &packets);
    let packets: Vec<_> = (0..160).map(|n| udp((n % 16) as u16, n, 60)).collect();
    exchange(&mut pipe, &packets);
    assert_eq!(travelled(&pipe).1, 5);
}

#[test]
fn a_changed_static_field_makes_a_new_context() {
    let mut pipe = compressing(Mode::Stream, Air::default());
    let with_ttl = |n: u32, ttl| {
        let mut packet = udp(1, n, 60);
        packet[8] = ttl;
        packet[10..12].fill(0);
        let sum = internet_checksum(&packet[..20]);
        packet[10..12].copy_from_slice(&sum.to_be_bytes());
        packet
    };
    let packets: Vec<_> = (0..30).map(|n| with_ttl(n, 60 + (n / 10) as u8)).collect();
    exchange(&mut pipe, &packets);
    assert_eq!(travelled(&pipe).1, 5);
}

#[test]
fn a_lost_context_is_asked_for() {
    let mut pipe = compressing(Mode::AutoAck, Air::default());
    // Both packets that would have set the context are changed on the way.
    pipe.ends[0].air.changed = 1_000;
    for n in 0..2 {
        pipe.offer(0, &udp(1, n, 60)).unwrap();
        pipe.run_for(Duration::from_millis(30));
    }
    pipe.ends[0].air.changed = 0;
    assert_eq!(pipe.ends[1].delivered.len(), 0);
    pipe.offer(0, &udp(1, 2, 60)).unwrap();
    pipe.run_for(Duration::from_millis(30));
    assert_eq!(pipe.ends[1].drops_at(DropPoint::Context), 1);
    let packets: Vec<_> = (3..10).map(|n| udp(1, n, 60)).collect();
    exchange(&mut pipe, &packets);
    assert_eq!(travelled(&pipe).1, 5);
}
