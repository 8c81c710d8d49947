//! Block Ack requests that nobody answers.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::Aggregation;
use airtime_wifi::cell::{CellConfig, CellOutput, Errors};
use airtime_wifi::trace::TxFailure;
use proptest::prelude::*;

use super::support::{AP, Bench, STA, us};

/// A station with a window of two whose frames are given up after `limit` failures.
fn config(limit: Option<u8>, errors: Errors) -> CellConfig {
    let mut config = CellConfig::pair();
    let station = &mut config.stations[0];
    (station.aggregation, station.retry_limit, station.errors) = (Aggregation::ht(2), limit, errors);
    config
}

/// Offers `count` frames; returns the bench after all that follows, the numbers of what arrived, and what became of the buffers.
fn all_told(config: CellConfig, seed: u64, count: u16) -> (Bench, Vec<u16>, Vec<Option<TxFailure>>) {
    let mut bench = Bench::new(config, seed);
    (0..count).for_each(|number| bench.cell.offer(bench.now, STA, AP, bench.frame(number, 700)).unwrap());
    let (mut arrived, mut done) = (Vec::new(), Vec::new());
    bench.run(Instant::ZERO + Duration::from_secs(10), |_, output| match output {
        CellOutput::Delivered { msdu, .. } => arrived.push(u16::from_be_bytes([msdu[14], msdu[15]])),
        CellOutput::Done { failure, buffers, .. } => done.extend((0..buffers).map(|_| failure)),
        _ => {}
    });
    (bench, arrived, done)
}

#[test]
fn a_request_is_sent_as_often_as_a_frame() {
    let lost = Errors { loss: Loss::Bit { ber: 1.0 }, ..Errors::default() };
    // Retry limit, requests: without a limit no MPDU is given up, and none is asked for.
    for (limit, requests) in [(Some(1), 1), (Some(3), 3), (Some(7), 7), (None, 0)] {
        let (bench, ..) = all_told(config(limit, lost.clone()), 1, 1);
        assert_eq!(bench.cell.counters(STA).requests, requests, "{limit:?}");
        assert_eq!(bench.cell.deadline().is_none(), limit.is_some(), "nothing is due any more");
    }
}

#[test]
fn the_loss_of_mpdus_does_not_strike_a_request() {
    let lost = Errors { loss: Loss::Packet { per: 1.0 }, ..Errors::default() };
    let (bench, ..) = all_told(config(Some(7), lost), 1, 1);
    assert_eq!(bench.cell.counters(STA).requests, 1, "the first is answered");
}

#[test]
fn what_waits_behind_a_request_is_told_of() {
    // Nothing arrives: two MPDUs are given up, then their request, then the next two.
    let lost = Errors { loss: Loss::Bit { ber: 1.0 }, ..Errors::default() };
    let (bench, arrived, done) = all_told(config(Some(3), lost), 1, 8);
    assert_eq!((arrived.len(), done.as_slice()), (0, &[Some(TxFailure::Retries); 8][..]));
    assert_eq!((bench.cell.queued(STA), bench.cell.counters(STA).requests), (0, 4 * 3));
}

#[test]
fn a_request_that_was_given_up_follows_the_next_acknowledgement() {
    // A minute in which nothing arrives, on average, and one in which all does: the seed begins with the first.
    let minute = Duration::from_secs(60);
    let loss = Loss::Burst { good: 1.0, bad: 0.0, every: Duration::from_millis(20), burst: minute, missed: 0.0 };
    let mut bench = Bench::new(config(Some(2), Errors { loss, ..Errors::default() }), 1);
    bench.cell.offer(bench.now, STA, AP, bench.frame(0, 700)).unwrap();
    let given_up = bench.on_air(us(10_000)).len();
    assert_eq!((given_up, bench.cell.counters(STA).requests), (2 + 2, 2));
    bench.run(us(1_000_000), |_, _| ());
    bench.cell.offer(bench.now, STA, AP, bench.frame(1, 700)).unwrap();
    let told = bench.on_air(us(2_000_000));
    assert_eq!((told.len(), bench.cell.counters(STA).requests), (2, 3), "the MPDU, and the request at last");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_acknowledged_is_handed_over(per in 0.3f64..0.9, limit in 1u8..4, seed in 0u64..1_000) {
        // Of MPDUs and requests alike.
        let time = Duration::from_millis(1);
        let loss = Loss::Burst { good: per, bad: per, every: time, burst: time };
        let lossy = Errors { loss, ..Errors::default() };
        let (_, arrived, done) = all_told(config(Some(limit), lossy), seed, 20);
        prop_assert_eq!(done.len(), 20);
        prop_assert_eq!(arrived.len(), done.iter().filter(|failure| failure.is_none()).count());
    }
}
