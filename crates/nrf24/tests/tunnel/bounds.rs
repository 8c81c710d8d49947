//! Bounds of the queue and of the window, and who gets what of the link.

use airtime_core::Duration;
use airtime_nrf24::trace::{DropPoint, Purpose};
use airtime_nrf24::tunnel::{Config, Mode, Tuning};

use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::config;
use super::pipe::packets::{number, udp};

/// Time from offer to delivery of the packets of one port that arrived, shortest first, where packet n was offered at
/// `n * every`.
fn delays(pipe: &Pipe, begun: airtime_core::Instant, port: u16, every: Duration) -> Vec<Duration> {
    let mut delays: Vec<Duration> = pipe.ends[1]
        .delivered
        .iter()
        .filter(|delivered| delivered.packet[20..22] == port.to_be_bytes())
        .map(|delivered| delivered.at - (begun + every * u64::from(number(&delivered.packet))))
        .collect();
    delays.sort();
    delays
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() - 1) * percent / 100]
}

#[test]
fn overload_does_not_make_packets_wait() {
    for (octets, bound_ms) in [(1500, 60), (576, 25), (60, 25)] {
        for lost in [0, 10] {
            let mut pipe = Pipe::new(Mode::Stream, Air::losing(lost)).greeted();
            let chunks = (octets as u64 + 2).div_ceil(31);
            let every = Duration::from_nanos(chunks * 156_500 * 2 / 3);
            let begun = pipe.now;
            let count = (Duration::from_secs(4) / every) as u32;
            for n in 0..count {
                pipe.offer_at(0, begun + every * u64::from(n), udp(1, n, octets));
            }
            pipe.run_for(Duration::from_millis(4_500));
            let delays = delays(&pipe, begun, 1, every);
            let p99 = percentile(&delays, 99);
            println!("{octets} octets, {lost} ‰ lost: p50 {}, p99 {p99}", percentile(&delays, 50));
            assert!(p99 <= Duration::from_millis(bound_ms), "{octets} octets, {lost} ‰: {p99}");
            let share = delays.len() as f64 / f64::from(count);
            assert!(share > 0.58, "{octets} octets, {lost} ‰: {share:.2} of 0.67 got through");
        }
    }
}

#[test]
fn a_ping_passes_a_flood() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        let mut pipe = Pipe::new(mode, Air::default()).greeted();
        let begun = pipe.now;
        let cycle = if mode == Mode::Stream { 156_500 } else { 445_000 };
        let flood = Duration::from_nanos(49 * cycle * 2 / 3);
        let ping = Duration::from_millis(50);
        for n in 0..(Duration::from_secs(4) / flood) {
            pipe.offer_at(0, begun + flood * n, udp(1, n as u32, 1500));
        }
        for n in 0..80 {
            pipe.offer_at(0, begun + ping * n, udp(2, n as u32, 84));
        }
        pipe.run_for(Duration::from_millis(4_800));
        let delays = delays(&pipe, begun, 2, ping);
        assert_eq!(delays.len(), 80, "{mode:?}");
        // The packet in work, what is out, and the ping itself.
        let out = if mode == Mode::Stream { 32 } else { 3 };
        let worst = Duration::from_nanos(cycle) * (49 + out + 3);
        assert!(delays[79] <= worst, "{mode:?}: {}", delays[79]);
    }
}

#[test]
fn flows_share_alike_whatever_their_packets_are() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    for n in 0..4_000 {
        pipe.offer_at(0, pipe.now + Duration::from_micros(1_000) * u64::from(n), udp(1, n, 1500));
        pipe.offer_at(0, pipe.now + Duration::from_micros(1_000) * u64::from(n), udp(2, n, 300));
    }
    pipe.run_for(Duration::from_millis(4_100));
    let octets = |port: u16| -> usize {
        let of_port = |packet: &&Vec<u8>| packet[20..22] == port.to_be_bytes();
        pipe.ends[1].delivered.iter().map(|delivered| &delivered.packet).filter(of_port).map(Vec::len).sum()
    };
    let (large, small) = (octets(1), octets(2));
    let ratio = large as f64 / small as f64;
    assert!((0.8..1.25).contains(&ratio), "{large} and {small} octets");
}

#[test]
fn the_queue_holds_four_packets_however_slow_the_link_is() {
    let slow = Config { frame_time: Duration::from_millis(40), ..config(Mode::Stream, 1) };
    let mut pipe = Pipe::of([slow, config(Mode::Stream, 2)], [Tuning::default(); 2], Air::default());
    for n in 0..4 {
        assert_eq!(pipe.offer(0, &udp(1, n, 1500)), Ok(()));
    }
    assert!(pipe.ends[0].dropped.is_empty());
    // The fifth displaces the oldest of the longest flow.
    assert_eq!(pipe.offer(0, &udp(2, 4, 60)), Ok(()));
    assert_eq!(pipe.ends[0].dropped, [(DropPoint::Queue, 1500)]);
}

#[test]
fn the_queue_is_bounded_whatever_is_asked_for() {
    let endless = Config { queue: Duration::from_secs(3_600), ..config(Mode::Stream, 1) };
    for octets in [28, 60, 1500] {
        let mut pipe = Pipe::of([endless, config(Mode::Stream, 2)], [Tuning::default(); 2], Air::default());
        for n in 0..2_000 {
            let _ = pipe.offer(0, &udp(n as u16, n, octets));
        }
        let dropped = pipe.ends[0].drops_at(DropPoint::Queue);
        assert!(dropped >= 2_000 - 256, "{octets}: {dropped}");
    }
}

#[test]
fn what_is_no_packet_is_refused() {
    let mut pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    let mut long = udp(1, 0, 60);
    long.push(0);
    let mut arp = udp(1, 0, 60);
    arp[0] = 0x15;
    for packet in [&[][..], &[0x45], &long, &arp, &udp(1, 0, 1501), &[0x60; 41]] {
        assert_eq!(pipe.offer(0, packet), Err(DropPoint::Malformed));
    }
}

#[test]
fn never_more_than_the_window_is_out() {
    for window in [1, 5, 32] {
        let tuning = Tuning { window, ..Tuning::default() };
        let configs = [config(Mode::Stream, 1), config(Mode::Stream, 2)];
        let mut pipe = Pipe::of(configs, [tuning; 2], Air::default()).greeted();
        pipe.ends[1].air.lost = 1_000;
        for n in 0..2 {
            pipe.offer(0, &udp(1, n, 1500)).unwrap();
        }
        pipe.run_for(Duration::from_millis(50));
        let new = pipe.ends[0].uploads.iter().filter(|upload| upload.purpose == Purpose::New).count();
        assert_eq!(new, window as usize);
        assert!(pipe.ends[0].tunnel.window_is_full());
        pipe.ends[1].air.lost = 0;
        pipe.run_for(Duration::from_millis(400));
        assert_eq!(pipe.ends[1].delivered.len(), 2);
        assert!(!pipe.ends[0].tunnel.window_is_full());
    }
}

#[test]
fn the_worse_of_two_wishes_is_agreed_on_and_the_smaller_mtu() {
    let small = Config { mtu: 900, ..config(Mode::AutoAck, 2) };
    let pipe = Pipe::of([config(Mode::Stream, 1), small], [Tuning::default(); 2], Air::default());
    let mut pipe = pipe.greeted();
    assert_eq!(pipe.ends.each_ref().map(|end| end.tunnel.agreed()), [Some(Mode::AutoAck); 2]);
    assert_eq!(pipe.offer(0, &udp(1, 0, 901)), Err(DropPoint::Malformed));
    assert_eq!(pipe.offer(0, &udp(1, 0, 900)), Ok(()));
}

#[test]
fn a_greeting_takes_three_frames() {
    let pipe = Pipe::new(Mode::Stream, Air::default()).greeted();
    // 28 octets take 140.5 µs on the air, and everything another 100 µs on the way: three times, and a little for the FIFO.
    assert!(pipe.now.as_nanos() < 3 * 260_000, "{}", pipe.now);
    assert!(pipe.ends.iter().all(|end| end.uploads.len() <= 3));
}

#[test]
fn ends_that_cannot_agree_do_not_flood_the_air() {
    let polled = config(Mode::AckPayload, 2);
    let mut pipe = Pipe::of([config(Mode::Stream, 1), polled], [Tuning::default(); 2], Air::default());
    pipe.run_for(Duration::from_secs(2));
    for end in &pipe.ends {
        assert_eq!(end.tunnel.agreed(), None);
        assert!(end.uploads.len() < 30, "{}", end.uploads.len());
    }
}
