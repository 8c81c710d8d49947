//! What goes in comes out: intact, in order, never twice.

use airtime_core::Duration;
use airtime_nrf24::trace::DropPoint;
use airtime_nrf24::tunnel::Mode;

use super::pipe::Pipe;
use super::pipe::air::Air;
use super::pipe::packets::{number, udp};

/// Offers `count` packets of one flow, `every` so often, and lets them arrive.
pub fn send(pipe: &mut Pipe, count: u32, octets: usize, every: Duration) {
    for n in 0..count {
        pipe.offer_at(0, pipe.now + every * u64::from(n), udp(1, n, octets));
    }
    pipe.run_for(every * u64::from(count) + Duration::from_millis(600));
}

/// The numbers that arrived; every packet is as it was sent.
pub fn numbers(pipe: &Pipe, octets: usize) -> Vec<u32> {
    let numbers: Vec<u32> = pipe.ends[1].delivered.iter().map(|delivered| number(&delivered.packet)).collect();
    for (delivered, &n) in pipe.ends[1].delivered.iter().zip(&numbers) {
        assert_eq!(delivered.packet, udp(1, n, octets), "packet {n} is not as it was sent");
    }
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "out of order or twice: {numbers:?}");
    numbers
}

#[test]
fn nothing_is_lost_on_a_clean_air() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        for octets in [32, 60, 61, 62, 576, 1500] {
            let mut pipe = Pipe::new(mode, Air::default()).greeted();
            assert_eq!(pipe.ends[0].tunnel.agreed(), Some(mode));
            // 70 % of what the mode carries.
            let chunks = (octets as u64 + 2).div_ceil(31);
            let chunk = if mode == Mode::Stream { 225 } else { 640 };
            send(&mut pipe, 300, octets, Duration::from_micros(chunks * chunk));
            assert_eq!(numbers(&pipe, octets), (0..300).collect::<Vec<_>>(), "{mode:?} {octets}");
            assert_eq!(pipe.ends[0].repeats(), 0);
            assert!(pipe.ends.iter().all(|end| end.dropped.is_empty() && end.refused.is_empty()));
        }
    }
}

#[test]
fn loss_on_the_air_is_repaired() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        for lost in [10, 30, 100, 300] {
            let mut pipe = Pipe::new(mode, Air::losing(lost)).greeted();
            send(&mut pipe, 200, 576, Duration::from_millis(20));
            assert_eq!(numbers(&pipe, 576), (0..200).collect::<Vec<_>>(), "{mode:?} {lost}");
        }
    }
}

#[test]
fn more_than_the_link_carries_is_dropped_at_the_queue_and_nowhere_else() {
    for mode in [Mode::Stream, Mode::AutoAck] {
        let mut pipe = Pipe::new(mode, Air::losing(10)).greeted();
        send(&mut pipe, 2_000, 576, Duration::from_millis(2));
        let arrived = numbers(&pipe, 576).len();
        assert!(arrived > 400, "{mode:?}: {arrived}");
        assert_eq!(arrived + pipe.ends[0].drops_at(DropPoint::Queue), 2_000);
        assert!(pipe.ends[1].dropped.is_empty());
    }
}

/// Chunks of whole 1500-octet packets per second under saturation, where an acknowledgement is heard 1.5 to 3 ms after the end
/// of the chunk that it is for.
fn chunks_per_second(lost: u32) -> f64 {
    let one_way = (Duration::from_micros(720), Duration::from_micros(1_400));
    let mut pipe = Pipe::new(Mode::Stream, Air { lost, delay: one_way, ..Air::default() }).greeted();
    let every = Duration::from_millis(5);
    let begun = pipe.now;
    for n in 0..4_000 {
        pipe.offer_at(0, begun + every * u64::from(n), udp(1, n, 1500));
    }
    pipe.run_for(every * 4_000);
    pipe.ends[1].delivered.len() as f64 * 49.0 / (pipe.now - begun).as_secs_f64()
}

#[test]
fn a_stream_loses_little_more_than_the_air_does() {
    let clean = chunks_per_second(0);
    assert!((6_380.0..6_450.0).contains(&clean), "a chunk takes 156.5 µs: {clean:.0} per second");
    let lossy = chunks_per_second(30);
    assert!(lossy >= 0.93 * 0.97 * clean, "{lossy:.0} of {clean:.0} chunks per second");
    println!("3 % of chunks lost: {:.3} of what is left", lossy / clean / 0.97);
}
