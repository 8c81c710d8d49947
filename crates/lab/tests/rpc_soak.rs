//! Mixed calls over a link that loses bursts of packets and, with them, connections: every call ends once.
//!
//! The hour takes more than some seconds: `cargo test --release -p airtime-lab --test rpc_soak -- --ignored`.

mod support;

use airtime_core::Duration;

/// Runs the published mix for so long at most; what ended is what was begun, and what came is what was asked for.
fn soak(duration: &str, calls: &str) -> (u64, u64, usize) {
    let outcome = support::outcome(&[
        ("link", "ble-rpc"),
        ("rpc.suite", "bench"),
        ("rpc.mode", "extended"),
        ("rpc.outstanding", "8"),
        ("rpc.calls", calls),
        ("acl.count", "20"),
        ("gatt.tx_buffers", "20"),
        ("ble.conn_interval", "15ms"),
        ("ble.supervision_timeout", "200ms"),
        ("ble.loss", "{ good = 0.001, bad = 0.95, every = \"2s\", burst = \"100ms\" }"),
        ("run.duration", duration),
    ]);
    let wanted: u64 = calls.parse().expect("a number of calls");
    let benches = &outcome.calls.benches;
    for bench in benches.iter().filter(|bench| bench.over) {
        // A call that is lost would be missing, one that is doubled would be too many; octets that are not those of the flash would
        // be a failure of another kind.
        assert_eq!(bench.calls + bench.failed, wanted);
        assert!(bench.failure.is_none_or(|failure| failure == airtime_rpc::CallError::Lost), "{:?}", bench.failure);
    }
    assert!(benches.iter().map(|bench| bench.took()).sum::<Duration>() > Duration::ZERO);
    let sum = |of: fn(&airtime_lab::run::ble::rpc::BenchOutcome) -> u64| benches.iter().map(of).sum();
    (sum(|bench| bench.calls), sum(|bench| bench.failed), outcome.lost.len())
}

#[test]
fn a_minute_of_mixed_calls_over_a_bad_link() {
    let (done, failed, lost) = soak("60s", "100");
    println!("{done} calls done, {failed} lost with {lost} connections");
    assert!(done > 100 && lost > 0, "{done} done, {lost} connections lost");
}

#[test]
#[ignore = "simulates an hour: run it in release"]
fn an_hour_of_mixed_calls_over_a_bad_link() {
    let (done, failed, lost) = soak("3600s", "20000");
    println!("{done} calls done, {failed} lost with {lost} connections");
    assert!(done > 10_000 && lost > 100, "{done} done, {lost} connections lost");
}
