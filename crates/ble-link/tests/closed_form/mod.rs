//! In loss-free saturated runs the exchanges of every connection event, and the octets that arrive,
//! equal a closed form that knows nothing of the link layer.

pub mod air;
mod measure;
mod point;
mod walk;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use air::Phy;
use airtime_lab::Library;
use point::{Credits, Direction, Point, Rule};

/// µs, all multiples of 1.25 ms: where the sawtooth has its teeth, and the ends of what is used.
const INTERVALS: [u64; 13] =
    [7_500, 8_750, 10_000, 11_250, 12_500, 15_000, 20_000, 30_000, 33_750, 35_000, 50_000, 100_000, 400_000];

/// Octets: one PDU, exact fits of 247-octet K-frames, one over, and the largest.
const SDUS: [u64; 9] = [20, 100, 245, 247, 492, 495, 741, 1_000, 2_048];

/// Compares every point, on as many threads as there are cores.
fn check(points: &[Point]) -> usize {
    let library = Library::builtin();
    let (next, events) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compared = catch_unwind(AssertUnwindSafe(|| measure::compare(point, &library)));
                    match compared
                        .unwrap_or_else(|panic| Err(format!("{point:?}\n {:?}", panic.downcast_ref::<String>())))
                    {
                        Ok(compared) => drop(events.fetch_add(compared, Ordering::Relaxed)),
                        Err(failure) => failures.lock().expect("no thread panics").push(failure),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panics");
    let shown = failures.iter().take(4).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {} points differ:\n{shown}", failures.len(), points.len());
    events.into_inner()
}

fn grid(intervals: &[u64], sdus: &[u64], directions: &[Direction]) -> Vec<Point> {
    let mut points = Vec::new();
    for phy in Phy::ALL {
        for interval in intervals {
            for sdu in sdus {
                for rule in Rule::ALL {
                    points.extend(directions.iter().map(|d| Point::new(phy, *interval, *sdu, rule, *d)));
                }
            }
        }
    }
    points
}

#[test]
fn one_way_streams_with_credits_to_spare() {
    let points = grid(&INTERVALS, &SDUS, &[Direction::P2c, Direction::C2p]);
    assert!(points.len() >= 1_000, "{} points", points.len());
    assert!(check(&points) >= 25 * points.len());
}

#[test]
fn streams_both_ways() {
    check(&grid(&INTERVALS[..12], &[20, 245, 495, 2_048], &[Direction::Both]));
}

#[test]
fn credits_in_place_of_empty_packets() {
    let points = grid(
        &[7_500, 8_750, 15_000, 33_750, 50_000, 100_000],
        &[20, 245, 495, 2_048],
        &[Direction::P2c, Direction::C2p],
    );
    let with = |credits| points.iter().map(move |point| Point { credits, ..*point });
    check(&with(Credits::Per(1)).chain(with(Credits::Per(10))).collect::<Vec<_>>());
}

#[test]
fn each_side_keeps_its_own_rule() {
    let mut points = Vec::new();
    for point in grid(&[7_500, 10_000, 15_000, 50_000], &[245, 741], &[Direction::P2c, Direction::C2p, Direction::Both])
    {
        let others = Rule::ALL.into_iter().filter(|rule| *rule != point.central);
        points.extend(others.map(|peripheral| Point { peripheral, ..point }));
    }
    check(&points);
}

#[test]
fn encrypted_links_shorter_pdus_and_longer_frames() {
    let mut points = Vec::new();
    for point in grid(&[7_500, 15_000, 35_000, 50_000], &[245, 492, 1_251], &[Direction::P2c, Direction::C2p]) {
        points.push(Point { encrypted: true, ..point });
        points.push(Point { data_length: 27, ..point });
        points.push(Point { data_length: 123, encrypted: true, ..point });
        points.push(Point { mps: 1_251, ..point });
    }
    check(&points);
}

#[test]
fn negotiated_frame_spaces() {
    let mut points = Vec::new();
    for phy in [Phy::M1, Phy::M2] {
        for interval in [7_500, 8_750, 15_000, 50_000] {
            for (rule, gap) in [(Rule::Zephyr, 52), (Rule::Zephyr, 100), (Rule::Nordic, 65), (Rule::Ideal, 30)] {
                for direction in [Direction::P2c, Direction::C2p, Direction::Both] {
                    points.push(Point { gap, ..Point::new(phy, interval, 492, rule, direction) });
                }
            }
        }
    }
    check(&points);
}

/// The published figures of the two rules: exchanges per event of 251-octet PDUs on 2M.
#[test]
fn the_closed_form_gives_the_published_exchanges() {
    for (interval, zephyr, nordic) in
        [(7_500, 5, 4), (8_750, 6, 5), (10_000, 6, 6), (15_000, 10, 9), (30_000, 21, 20), (50_000, 35, 34)]
    {
        let per_event = |rule| Point::new(Phy::M2, interval, 492, rule, Direction::P2c).link().event().exchanges;
        assert_eq!((per_event(Rule::Zephyr), per_event(Rule::Nordic)), (zephyr, nordic), "{interval} us");
    }
}

/// LE Coded, S=8, with 251 octets begins between 33.75 and 35 ms: 34.4 ms rounded to the interval grid.
#[test]
fn the_longest_coded_pdu_depends_on_the_interval() {
    let octets = |interval| Point::new(Phy::S8, interval, 492, Rule::Ideal, Direction::P2c).longest();
    assert_eq!([7_500, 20_000, 33_750, 34_125, 35_000].map(octets), [31, 31, 245, 251, 251]);
}
