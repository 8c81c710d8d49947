//! Streams through a pipe that loses, delays and is narrow.

use airtime_core::random::stream;
use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_net::Event;
use airtime_net::payload;
use airtime_net::tcp::{Stream, WINDOW, short_window};
use sha2::{Digest, Sha256};

use super::pipe::{B, Fate, MTU, Pair, Way, at, ms};

const FLOW: u16 = 5_201;

fn transfer(octets: u64) -> Stream {
    Stream {
        flow: FLOW,
        write: 16_000,
        window: WINDOW,
        octets: Some(octets),
        start: at(5),
        duration: Duration::from_secs(3_600),
    }
}

fn pair(up: Way, down: Way, config: Stream) -> Pair {
    let mut pair = Pair::new(up, down);
    pair.ends[0].write_stream(B, config);
    pair.ends[1].read_stream(FLOW, config.window);
    pair
}

/// Loses one packet of `one_in`, by the numbers of a named stream.
fn lossy(way: Way, one_in: u64, name: &'static str) -> Way {
    let mut draws = stream(1, name);
    way.fated(move |_| if draws.below(one_in) == 0 { Fate::Lost } else { Fate::Arrives })
}

fn expected(octets: u64) -> Vec<u8> {
    let mut whole = vec![0; octets as usize];
    payload::pattern(0, &mut whole);
    whole
}

/// Goodput from the first octet read to the last.
fn goodput(pair: &Pair) -> Bitrate {
    let log = pair.logs[1].borrow();
    let reads: Vec<(Instant, usize)> = log
        .events
        .iter()
        .filter_map(|(now, event)| match event {
            Event::Read { octets, .. } => Some((*now, *octets)),
            _ => None,
        })
        .collect();
    let octets: usize = reads[1..].iter().map(|(_, octets)| octets).sum();
    Bitrate::of(octets as u64, reads[reads.len() - 1].0 - reads[0].0)
}

#[test]
fn everything_arrives_once_and_in_order_over_a_lossy_pipe() {
    let octets = 500_000;
    for one_in in [10_000, 100, 20] {
        let up = lossy(Way::new(Some(1_500_000), ms(4), 50), one_in, "up");
        let down = lossy(Way::new(Some(1_500_000), ms(4), 50), one_in, "down");
        let mut pair = pair(up, down, transfer(octets));
        pair.run(at(3_600_000));
        let reader = pair.ends[1].readers().next().unwrap();
        assert!(reader.finished(), "1 of {one_in} lost: {} octets arrived", reader.read());
        assert_eq!((reader.read(), reader.damaged()), (octets, 0));
        assert_eq!(Sha256::digest(&pair.logs[1].borrow().octets), Sha256::digest(expected(octets)));
        assert_eq!(pair.ends[0].writers().next().unwrap().written(), octets);
    }
}

/// The share of what a pipe of `rate` with a queue of `queue` packets can carry, and how many packets it dropped.
fn share(rate: u64, queue: usize, window: usize) -> (f64, u64) {
    let config = Stream { window, ..transfer(2_000_000) };
    let mut pair = pair(Way::new(Some(rate), ms(3), queue), Way::new(Some(rate), ms(3), 50), config);
    pair.run(at(3_600_000));
    assert_eq!(pair.ends[1].readers().next().unwrap().read(), 2_000_000);
    let ceiling = rate * 1_460 / 1_500;
    (goodput(&pair).0 as f64 / ceiling as f64, pair.ways[0].dropped)
}

#[test]
fn a_narrow_pipe_is_filled() {
    for (rate, queue, window) in [
        (550_000, 500, WINDOW),
        (550_000, 500, 16_384),
        (550_000, 4, short_window(MTU)),
        (1_500_000, 4, short_window(MTU)),
        (1_500_000, 8, short_window(MTU) + 1_460),
    ] {
        let (share, dropped) = share(rate, queue, window);
        assert!((0.98..=1.0).contains(&share), "{rate} bit/s, {queue} packets, window {window}: {share}");
        assert_eq!(dropped, 0);
    }
}

#[test]
fn a_window_beyond_a_short_queue_waits_for_timeouts() {
    let (share, dropped) = share(1_500_000, 4, WINDOW);
    assert!((0.5..0.9).contains(&share) && dropped > 20, "{share} with {dropped} dropped");
}

#[test]
fn a_test_of_some_seconds_ends_by_itself() {
    let config = Stream { octets: None, duration: Duration::from_secs(3), ..transfer(0) };
    let mut pair = pair(Way::new(Some(1_000_000), ms(3), 8), Way::new(None, ms(3), 50), config);
    pair.run(at(60_000));
    let reader = pair.ends[1].readers().next().unwrap();
    assert!(reader.finished());
    assert_eq!(reader.read(), pair.ends[0].writers().next().unwrap().written());
    assert_eq!(reader.read() % 16_000, 0, "whole writes only");
    let last = reader.last_arrival().unwrap();
    // At most the send buffer and a retransmission are left when the writing ends.
    assert!((at(3_005)..at(5_500)).contains(&last), "{last}");
}

#[test]
fn a_silent_peer_costs_no_wakes() {
    // Nothing comes back, ever: the SYN is repeated with growing pauses, and nothing spins.
    let up = Way::new(None, ms(3), 50).fated(|_| Fate::Lost);
    let mut pair = pair(up, Way::new(None, ms(3), 50), transfer(1_000));
    pair.run(at(600_000));
    assert!(pair.wakes < 50, "{} wakes", pair.wakes);
}

#[test]
fn a_transfer_costs_a_few_wakes_for_each_packet() {
    let mut pair = pair(Way::new(Some(1_000_000), ms(3), 8), Way::new(None, ms(3), 50), transfer(1_000_000));
    pair.run(at(600_000));
    let packets = 1_000_000 / 1_460;
    assert!(pair.wakes < 3 * packets, "{} wakes for {packets} packets", pair.wakes);
}

#[test]
fn the_same_seed_gives_the_same_events() {
    let run = || {
        let up = lossy(Way::new(Some(1_000_000), ms(3), 8), 50, "up");
        let mut pair = pair(up, Way::new(Some(1_000_000), ms(3), 8), transfer(200_000));
        pair.run(at(600_000));
        let log = pair.logs[1].borrow();
        log.events.clone()
    };
    let first = run();
    assert!(first.len() > 100);
    assert_eq!(first, run());
}

#[test]
fn streams_of_both_directions_share_one_host() {
    let mut pair = Pair::new(Way::new(Some(1_000_000), ms(3), 20), Way::new(Some(1_000_000), ms(3), 20));
    for (side, flow) in [(0, 5_201), (1, 5_202), (0, 5_203)] {
        let to = pair.ends[1 - side].local();
        pair.ends[side].write_stream(to, Stream { flow, ..transfer(100_000) });
        pair.ends[1 - side].read_stream(flow, WINDOW);
    }
    pair.run(at(600_000));
    let read: Vec<_> =
        pair.ends.iter().flat_map(|end| end.readers()).map(|r| (r.flow(), r.read(), r.finished())).collect();
    assert_eq!(read, [(5_202, 100_000, true), (5_201, 100_000, true), (5_203, 100_000, true)]);
}

#[test]
fn everything_that_is_due_leaves_at_once() {
    let mut pair = Pair::new(Way::new(None, ms(3), 50), Way::new(None, ms(3), 50));
    for flow in 6_000..6_040 {
        pair.ends[0].write_stream(B, Stream { flow, ..transfer(1_000) });
    }
    pair.ends[0].wake(at(5));
    assert_eq!(std::iter::from_fn(|| pair.ends[0].poll(at(5))).count(), 40, "a SYN of each");
}
