//! What is offered arrives once and in order, or is reported.

use std::collections::BTreeSet;

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::Aggregation;
use airtime_wifi::cell::{CellConfig, CellOutput, Errors, Refused};
use airtime_wifi::trace::{OnAir, TxFailure};
use proptest::prelude::*;

use super::support::{AP, Bench, STA, saturated};

/// Loss of responses that nobody notices.
fn missed(miss: f64) -> Loss {
    Loss::Shares { miss, damage: 0.0 }
}

fn config(window: u16, per: f64, response: f64, limit: Option<u8>) -> CellConfig {
    let mut config = CellConfig::pair();
    let station = &mut config.stations[0];
    station.aggregation = Aggregation::ht(window);
    station.retry_limit = limit;
    station.tx_buffers = 48;
    station.errors = Errors { per: vec![per; 8], response: missed(response), ..Errors::default() };
    config
}

/// Offers `count` frames as fast as buffers allow; returns what arrived, and what became of each buffer.
fn transfer(config: CellConfig, seed: u64, count: u16) -> (Vec<u16>, Vec<Option<TxFailure>>) {
    let mut bench = Bench::new(config, seed);
    let (mut arrived, mut done) = (Vec::new(), Vec::new());
    let mut next = 0;
    while done.len() < usize::from(count) {
        while next < count {
            let room = bench.cell.room(STA);
            let frame = bench.frame(next, 100 + usize::from(next % 7) * 200);
            match bench.cell.offer(bench.now, STA, AP, frame) {
                Ok(()) => next += 1,
                Err(Refused::Full(frame)) => {
                    assert_eq!((room, frame.len()), (0, 100 + usize::from(next % 7) * 200));
                    break;
                }
            }
        }
        let at = bench.cell.deadline().expect("something is under way");
        bench.run(at, |_, output| match output {
            CellOutput::Delivered { msdu, .. } => arrived.push(u16::from_be_bytes([msdu[14], msdu[15]])),
            CellOutput::Done { failure, buffers, .. } => done.extend((0..buffers).map(|_| failure)),
            _ => {}
        });
        assert_eq!(bench.cell.queued(STA), usize::from(next) - done.len());
    }
    // A Block Ack request may still be due.
    bench.run(bench.now + Duration::from_secs(1), |_, output| {
        if let CellOutput::Delivered { msdu, .. } = output {
            arrived.push(u16::from_be_bytes([msdu[14], msdu[15]]));
        }
    });
    (arrived, done)
}

#[test]
fn without_loss_everything_arrives() {
    for window in [1, 6, 64] {
        let (arrived, done) = transfer(config(window, 0.0, 0.0, Some(7)), 1, 500);
        assert_eq!(arrived, (0..500).collect::<Vec<u16>>());
        assert_eq!(done, vec![None; 500]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn with_loss_it_arrives_once_in_order_or_is_given_up(
        window in 1u16..=64,
        per in 0.0f64..0.7,
        response in 0.0f64..0.5,
        limit in prop_oneof![Just(None), (1u8..8).prop_map(Some)],
        seed in 0u64..1_000,
    ) {
        let (arrived, done) = transfer(config(window, per, response, limit), seed, 300);
        prop_assert!(arrived.windows(2).all(|pair| pair[0] < pair[1]), "once and in order");
        // What was acknowledged has arrived, and so has what was given up because only its responses were lost.
        let lost = done.iter().flatten().filter(|failure| **failure != TxFailure::Unheard).count();
        prop_assert_eq!(arrived.len(), 300 - lost);
        if limit.is_none() {
            prop_assert!(done.iter().all(Option::is_none));
        }
        if response == 0.0 {
            prop_assert!(!done.contains(&Some(TxFailure::Unheard)));
        }
        let numbers: BTreeSet<u16> = arrived.iter().copied().collect();
        prop_assert_eq!(numbers.len(), arrived.len());
    }
}

#[test]
fn what_arrived_is_not_lost_when_only_its_responses_are() {
    // All of them are in one PPDU, or without an agreement: nothing waits for the Block Ack request, whose response is lost as well.
    for (window, limit, lifetime) in
        [(64, Some(3), None), (1, Some(3), None), (64, None, Some(Duration::from_millis(50)))]
    {
        let mut config = config(window, 0.0, 1.0, limit);
        config.stations[0].lifetime = lifetime;
        let (arrived, done) = transfer(config.clone(), 1, 40);
        assert_eq!(arrived, (0..40).collect::<Vec<u16>>());
        assert_eq!(done, [Some(TxFailure::Unheard); 40]);
        let mut bench = Bench::new(config, 1);
        (0..40).for_each(|number| assert!(bench.cell.offer(bench.now, STA, AP, bench.frame(number, 700)).is_ok()));
        bench.run(Instant::ZERO + Duration::from_secs(1), |_, _| ());
        let counters = bench.cell.counters(STA);
        let fates = (counters.delivered, counters.given_up, counters.expired, counters.unheard);
        assert_eq!(fates, (40, 0, 0, 40), "window {window}");
    }
}

#[test]
fn a_burst_strikes_the_mpdus_of_its_own_time() {
    // Bursts of 1 ms each 10 ms are mostly over before a PPDU of 5.3 ms is.
    let mut config = CellConfig::pair();
    let (every, burst) = (Duration::from_millis(9), Duration::from_millis(1));
    let loss = Loss::Burst { good: 0.0, bad: 1.0, every, burst, missed: 0.0 };
    let errors = Errors { loss, ..Errors::default() };
    config.stations[0] = airtime_wifi::cell::StationConfig { errors, retry_limit: None, ..saturated(0, 1_482) };
    let mut bench = Bench::new(config, 3);
    bench.cell.watched(true);
    let on_air = bench.on_air(Instant::from_nanos(20_000_000_000));
    let fates = |sent: &OnAir| sent.mpdus.iter().map(|mpdu| mpdu.fate.is_lost()).collect::<Vec<_>>();
    let runs = |sent: &OnAir| fates(sent).windows(2).filter(|pair| !pair[0] && pair[1]).count();
    let lost: usize = on_air.iter().map(|sent| fates(sent).iter().filter(|&&lost| lost).count()).sum();
    let all: usize = on_air.iter().map(|sent| sent.mpdus.len()).sum();
    let share = lost as f64 / all as f64;
    assert!((share * 10.0 - 1.0).abs() < 0.1, "a tenth of the time, and of the MPDUs: {share}");
    // A PPDU without any answer lies in a burst that lasts longer than it: about one in 200 of the longest.
    let unheard = on_air.iter().filter(|sent| fates(sent).iter().all(|&lost| lost)).count();
    assert!(unheard * 20 < on_air.len(), "{unheard} of {}", on_air.len());
    // Bursts that begin within a PPDU are about 5.3 ms / 10 ms a PPDU, some of them two.
    let begun: usize = on_air.iter().map(runs).sum();
    assert!(begun * 3 > on_air.len() && on_air.iter().any(|sent| runs(sent) > 1), "{begun} of {}", on_air.len());
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = |seed| transfer(config(16, 0.2, 0.1, Some(4)), seed, 400);
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).1, run(4).1);
}

#[test]
fn retries_follow_the_error_rate() {
    // One MPDU per PPDU, half of them lost, no limit: two transmissions each on average.
    let mut config = config(1, 0.5, 0.0, None);
    config.stations[0] = airtime_wifi::cell::StationConfig {
        errors: Errors { per: vec![0.5; 8], ..Errors::default() },
        retry_limit: None,
        aggregation: Aggregation::NONE,
        ..saturated(0, 1_482)
    };
    let mut bench = Bench::new(config.clone(), 9);
    bench.run(Instant::from_nanos(10_000_000_000), |_, _| ());
    let counters = *bench.cell.counters(STA);
    let per_delivery = counters.mpdus as f64 / counters.delivered as f64;
    assert!((per_delivery - 2.0).abs() < 0.05, "{counters:?}");
    assert_eq!(counters.lost, counters.unanswered);
    // With seven transmissions at most, one MSDU in 128 is given up.
    config.stations[0].retry_limit = Some(7);
    let mut bench = Bench::new(config, 9);
    bench.run(Instant::from_nanos(60_000_000_000), |_, _| ());
    let counters = *bench.cell.counters(STA);
    let share = counters.given_up as f64 / (counters.given_up + counters.delivered) as f64;
    assert!((share * 128.0 - 1.0).abs() < 0.15, "{counters:?}");
    assert_eq!(counters.requests, 0, "there is no agreement to keep in step");
}
