//! Block Ack requests that nobody answers.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation};
use airtime_wifi::cell::{CellConfig, CellOutput, Errors, MissingBlockAck, StationConfig};
use airtime_wifi::mac::Backoff;
use airtime_wifi::trace::TxFailure;
use proptest::prelude::*;

use super::support::{AP, Bench, STA, saturated, us};

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
    let lost = Errors { loss: Loss::Bit { ber: 0.9 }, ..Errors::default() };
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
    let lost = Errors { loss: Loss::Bit { ber: 0.9 }, ..Errors::default() };
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
        let loss = Loss::Burst { good: per, bad: per, every: time, burst: time, missed: 0.0 };
        let lossy = Errors { loss, ..Errors::default() };
        let (_, arrived, done) = all_told(config(Some(limit), lossy), seed, 20);
        prop_assert_eq!(done.len(), 20);
        prop_assert_eq!(arrived.len(), done.iter().filter(|failure| failure.is_none()).count());
    }
}

/// A saturated station with a window of eight and the mean backoff, for a second; `ask` says if it asks for a Block Ack that is missing.
fn saturated_for_a_second(ask: bool, errors: Errors) -> Bench {
    let mut config = CellConfig { backoff: Backoff::Mean, ..CellConfig::pair() };
    let missing_block_ack = if ask { MissingBlockAck::Request } else { MissingBlockAck::Resend };
    let aggregation = Aggregation::ht(8);
    // A window that stays as small as it is makes every access last alike.
    let access = Access { cw_max: 15, ..Access::BEST_EFFORT };
    let usual = StationConfig { access, retry_limit: None, ..saturated(0, 1_482) };
    config.stations[0] = StationConfig { aggregation, errors, missing_block_ack, ..usual };
    let mut bench = Bench::new(config, 4);
    bench.run(us(1_000_000), |_, _| ());
    bench
}

#[test]
fn whoever_asks_for_a_missing_block_ack_sends_nothing_that_arrived_again() {
    let errors = Errors { response: Loss::Shares { miss: 0.2, damage: 0.0 }, ..Errors::default() };
    for ask in [true, false] {
        let bench = saturated_for_a_second(ask, errors.clone());
        let counters = bench.cell.counters(STA);
        assert_eq!(counters.duplicates == 0, ask, "{counters:?}");
        assert_eq!(counters.requests > 0, ask);
        // A request for each Block Ack that was lost, that of another request among them.
        assert!(!ask || counters.requests.abs_diff(counters.responses_lost) <= 1, "{counters:?}");
    }
}

#[test]
fn a_missing_block_ack_costs_a_request_and_its_answer() {
    // In ns, by the tables of the standard: eight MPDUs of 1482 octets are 1366 us with HT20, MCS 7; SIFS 10, Block Ack and request 38
    // each, AIFS 37, and half of 15 slots of 9 us, here also behind a failure.
    let bench =
        saturated_for_a_second(true, Errors { response: Loss::Shares { miss: 0.1, damage: 0.0 }, ..Errors::default() });
    let counters = bench.cell.counters(STA);
    let (access, answer) = (37_000 + 67_500, 10_000 + 38_000);
    let (data, request) = (access + 1_366_000 + answer, access + 38_000 + answer);
    let spent = (counters.ppdus - counters.requests) * data + counters.requests * request;
    assert!(counters.requests > 50 && spent.abs_diff(1_000_000_000) < data, "{spent} {counters:?}");
}

#[test]
fn a_request_in_vain_is_repeated_and_then_all_goes_again() {
    let mut config = config(Some(3), Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() });
    config.stations[0].missing_block_ack = MissingBlockAck::Request;
    config.stations[0].aggregation = Aggregation::ht(64);
    let (bench, arrived, done) = all_told(config, 1, 8);
    assert_eq!((arrived.len(), done.as_slice()), (8, &[Some(TxFailure::Unheard); 8][..]));
    // Three PPDUs with data, three requests behind each; three more that tell of what was given up.
    assert_eq!(bench.cell.counters(STA).requests, 3 * 3 + 3);
    assert_eq!(bench.cell.counters(STA).ppdus, 3 + 3 * 3 + 3);
}
