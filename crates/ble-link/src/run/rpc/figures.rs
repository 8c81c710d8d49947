//! Figures of a record from the reports of a script.

use crate::plan::Rpc;
use airtime_ble::ledger::{Account, EMPTY_SENDER};
use airtime_core::ledger::Ledger;
use airtime_rpc::suite::{BenchConfig, Failure, Method};

use super::calls::{BenchOutcome, Calls};
use airtime_link::figures::{BenchFigures, CallFigures, CheckFigure, Latency, PerCall};

/// Accounts of what is on the air and of the gaps within events.
const RADIO: [Account; 13] = [
    Account::PayloadP2c,
    Account::PayloadC2p,
    Account::Frames,
    Account::L2capAtt,
    Account::LlHeaderMic,
    Account::PhyOverhead,
    Account::Ifs,
    Account::Empty,
    Account::Control,
    Account::Signalling,
    Account::Retransmission,
    Account::Backpressure,
    Account::Setup,
];

/// The figures of the calls of a run.
pub fn calls(calls: &Calls, scenario: &Rpc) -> CallFigures {
    let benches = calls.benches.iter().zip(scenario.benches());
    let check = |check: &super::calls::CheckOutcome| CheckFigure {
        name: check.name.into(),
        passed: check.failure.is_none(),
        why: check.failure.map(why),
    };
    CallFigures {
        benches: benches.map(|(outcome, config)| bench(outcome, &config)).collect(),
        checks: calls.checks.iter().filter(|check| scenario.counts(check.name)).map(check).collect(),
    }
}

/// Counts of the calls of a run, by name.
pub fn counters(calls: &Calls) -> Vec<(&'static str, u64)> {
    let sum = |of: fn(&BenchOutcome) -> u64| calls.benches.iter().map(of).sum::<u64>();
    let mut found = vec![("calls", sum(|bench| bench.calls)), ("calls.failed", sum(|bench| bench.failed))];
    let items = sum(|bench| bench.items);
    if items != found[0].1 {
        found.push(("items", items));
    }
    if !calls.checks.is_empty() {
        let passed = calls.checks.iter().filter(|check| check.failure.is_none()).count() as u64;
        found = vec![("checks.passed", passed), ("checks.failed", calls.checks.len() as u64 - passed)];
    }
    found
}

/// `ok`, or what went wrong with the calls.
pub fn outcome(calls: &Calls, figures: &CallFigures, scenario: &Rpc) -> String {
    let failed: u64 = figures.benches.iter().map(|bench| bench.failed).sum();
    let checks: Vec<&str> = figures.checks.iter().filter(|c| !c.passed).map(|c| c.name.as_str()).collect();
    let why = figures.benches.iter().filter_map(|bench| bench.failure.clone()).next_back().unwrap_or_default();
    match (calls.over.is_some() || scenario.is_open_ended(), failed, checks.as_slice()) {
        (true, 0, []) => "ok".into(),
        (true, 0, failed) => format!("failed: {}", failed.join(", ")),
        (true, failed, _) => format!("{failed} calls failed: {why}"),
        (false, ..) => "the calls were not over at the end of the run".into(),
    }
}

fn bench(outcome: &BenchOutcome, config: &BenchConfig) -> BenchFigures {
    let ms = outcome.took().as_millis_f64();
    let per = |n: u64| thousandth(ms / n.max(1) as f64);
    let per_s = |n: f64| thousandth(if ms > 0.0 { n * 1e3 / ms } else { 0.0 });
    let streams = matches!(config.call, Method::CounterStream | Method::CounterUpload);
    let (fastest, slowest) = outcome.range().unwrap_or_default();
    BenchFigures {
        call: config.call.name().into(),
        payload: config.payload.into(),
        outstanding: config.outstanding,
        calls: outcome.calls,
        failed: outcome.failed,
        failure: outcome.failure.map(|error| error.to_string()),
        warmup: outcome.warmup,
        ms_per_call: per(outcome.calls),
        ms_per_item: streams.then(|| per(outcome.items)),
        kib_per_s: per_s(outcome.octets as f64 / 1024.0),
        calls_per_s: per_s(outcome.calls as f64),
        latency_ms: outcome.latency().map(Latency::from),
        fastest_ms: thousandth(fastest.as_millis_f64()),
        slowest_ms: thousandth(slowest.as_millis_f64()),
        deviation_ms: thousandth(outcome.deviation_ms()),
        per_call: outcome.ledger().and_then(|ledger| per_call(outcome, &ledger)),
    }
}

fn per_call(outcome: &BenchOutcome, ledger: &Ledger<Account>) -> Option<PerCall> {
    let calls = outcome.calls.max(1) as f64;
    let each = |n: u64| thousandth(n as f64 / calls);
    let ms = |accounts: &[Account]| {
        let ns: u64 = accounts.iter().map(|account| ledger.of(*account).as_nanos()).sum();
        ns as f64 / 1e6 / calls
    };
    let (events, pdus) = outcome.events_and_pdus()?;
    let [c2p, p2c] = outcome.frames()?;
    let (radio, anchor, cap) = (ms(&RADIO), ms(&EMPTY_SENDER), ms(&[Account::Cap]));
    // The books end with the last packet; what the hosts take behind it is not on the air any more.
    let all = outcome.took().as_millis_f64() / calls;
    Some(PerCall {
        events: each(events),
        frames_c2p: each(c2p),
        frames_p2c: each(p2c),
        pdus: each(pdus),
        radio_ms: thousandth(radio),
        anchor_ms: thousandth(anchor),
        cap_ms: thousandth(cap),
        other_ms: thousandth((all - radio - anchor - cap).max(0.0)),
    })
}

fn why(failure: Failure) -> String {
    match failure {
        Failure::Call(error) => error.to_string(),
        Failure::Unexpected => "it ended well with something else".into(),
        _ => "it could not begin".into(),
    }
}

fn thousandth(value: f64) -> f64 {
    if value.is_finite() { (value * 1e3).round() / 1e3 } else { 0.0 }
}
