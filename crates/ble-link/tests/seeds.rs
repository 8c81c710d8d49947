//! Means of many seeds beside closed forms, one for each way in which values travel: a hundred runs of each, or a thousand.
//!
//! One packet of a way gets lost with probability p, and the others never: those of the central are missed, and a peripheral that missed
//! one sends nothing in that event any more.

use airtime_ble_link::run::run;
use airtime_testing::is_whole;

use crate::support::{ble, plan};

/// Seconds of each stream that are counted, behind two: a whole number of turns of each case, so that wherever the first of them
/// begins, as many turns are in it as time has room for. A steady state of any length has one more or none, and which of them is the same in every
/// run.
const COUNTED: std::ops::Range<usize> = 2..11;

/// Payload of each run per second of it, 10³ bit/s.
fn goodputs(set: &[(&str, &str)]) -> Vec<f64> {
    let (_, point) = plan(&[&[("link", "ble-gatt"), ("gatt.mtu", "247"), ("run.duration", "13s")], set].concat());
    let seeds: u64 = if is_whole() { 1_000 } else { 100 };
    let of = |seed| {
        let outcome = run(ble(&point), seed);
        // Where the request of the connection is missed there is none, and nothing to be seen of it. The last second is no whole one.
        let seconds = (outcome.series.len() > COUNTED.end).then(|| &outcome.series[COUNTED])?;
        Some(seconds.iter().sum::<u64>() as f64 * 8.0 / 1e3 / COUNTED.len() as f64)
    };
    let rates: Vec<f64> = (1..=seeds).filter_map(of).collect();
    assert!(rates.len() as f64 > 0.8 * seeds as f64, "{} of {seeds} runs had a stream", rates.len());
    rates
}

/// Compares the mean with `expected`: three standard errors.
fn check(case: &str, set: &[(&str, &str)], expected: f64) {
    let rates = goodputs(set);
    let count = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / count;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    assert!(error > 0.0, "{case}: no run differs from another");
    println!(
        "{case}: {mean:.4} ± {error:.4}, expected {expected:.4}, {:+.2} standard errors",
        (mean - expected) / error
    );
    assert!((mean - expected).abs() <= 3.0 * error, "{case}: {mean:.4} ± {error:.4}, expected {expected:.4}");
}

const MISSES: [f64; 3] = [0.01, 0.05, 0.15];

/// The request in one event and its response in the next: either waits for the next event in which the peripheral hears its central.
#[test]
fn a_write_request_takes_two_events_that_are_heard() {
    for miss in MISSES {
        let set = [
            ("ble.direction", "c2p"),
            ("ble.conn_interval", "15ms"),
            ("gatt.method", "write-request"),
            ("gatt.in_flight", "1"),
            ("gatt.payload", "100"),
            ("ble.loss_at_peripheral", &format!("{{ miss = {miss} }}")),
        ];
        check(&format!("write request, {miss}"), &set, 100.0 * 8.0 * (1.0 - miss) / 30.0);
    }
}

/// A value of a subrated link goes in one event of so many, of those in which the peripheral hears its central.
#[test]
fn a_subrated_link_carries_what_is_heard_of_its_events() {
    for miss in MISSES {
        let set = [
            ("central.personality", "nordic-sdc"),
            ("peripheral.personality", "nordic-sdc"),
            ("ble.conn_interval", "15ms"),
            ("ble.subrate_factor", "5"),
            ("peripheral.event_packets", "1"),
            ("gatt.payload", "100"),
            ("ble.loss_at_peripheral", &format!("{{ miss = {miss} }}")),
        ];
        check(&format!("subrated, {miss}"), &set, 100.0 * 8.0 * (1.0 - miss) / 75.0);
    }
}

/// Of three packets the k-th is heard if those before it were: as many values are taken as that, whatever is written.
#[test]
fn blind_writes_are_taken_as_their_event_carries_them() {
    for miss in MISSES {
        let set = [
            ("ble.direction", "c2p"),
            ("ble.conn_interval", "50ms"),
            ("gatt.payload", "100"),
            ("gatt.pacing", "blind:5ms"),
            ("gatt.write_overflow", "drops"),
            ("gatt.tx_buffers", "16"),
            ("acl.count", "20"),
            ("central.event_packets", "3"),
            ("ble.loss_at_peripheral", &format!("{{ miss = {miss} }}")),
        ];
        let heard: f64 = (1..=3).map(|packet| (1.0 - miss).powi(packet)).sum();
        check(&format!("blind, {miss}"), &set, 100.0 * 8.0 * heard / 50.0);
    }
}

/// Share of the tries that find a queue of one full, every four events, of which the host hears the fourth a little later: the value before has
/// to go in three.
///
/// From the front of its queue it stays for n events with pⁿ. Where the event behind which it was given was missed, an empty PDU is still
/// to be acknowledged, which goes again before it, and both have to be heard: eₙ = p eₙ₋₁ + (1 - p) p pⁿ⁻¹, e₀ = 1, so e₃ = 4p³ - 3p⁴. Of
/// a try that found it full the value stays for four more.
fn full(miss: f64) -> f64 {
    let front = miss.powi(3);
    let behind_an_empty_one = 4.0 * miss.powi(3) - 3.0 * miss.powi(4);
    let first = (1.0 - miss) * front + miss * behind_an_empty_one;
    first / (1.0 + first - miss.powi(4))
}

/// The stream begins behind an event, and so do all tries.
#[test]
fn a_value_that_is_given_again_waits_for_the_try_behind_its_event() {
    // Three in a row are missed once in a million where one in a hundred is.
    for miss in [0.1_f64, 0.125, 0.15] {
        let set = [
            ("ble.direction", "c2p"),
            ("ble.conn_interval", "10ms"),
            ("gatt.payload", "100"),
            ("gatt.pacing", "retry:40ms"),
            ("gatt.write_overflow", "refuses"),
            ("gatt.tx_buffers", "1"),
            ("acl.count", "1"),
            ("host.sdu_time", "0us"),
            ("ble.loss_at_peripheral", &format!("{{ miss = {miss} }}")),
        ];
        check(&format!("retry, {miss}"), &set, 100.0 * 8.0 * (1.0 - full(miss)) / 40.0);
    }
}
