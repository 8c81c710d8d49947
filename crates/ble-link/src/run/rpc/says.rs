//! The sentence about where the time of a call goes.

use airtime_ble::ledger::Account;
use airtime_ble::plan::Scenario;

use airtime_link::figures::{BenchFigures, CallFigures, PerCall};

/// Says where the time of the calls went: for several benchmarks, of the one that took longest.
pub fn says(calls: &CallFigures, scenario: &Scenario, interval: &str) -> (Account, String) {
    let failed = calls.checks.iter().filter(|check| !check.passed).count();
    if !calls.checks.is_empty() {
        let says = match failed {
            0 => format!("All {} checks pass.", calls.checks.len()),
            _ => format!("{failed} of {} checks fail.", calls.checks.len()),
        };
        return (Account::IdleApp, says);
    }
    let longest = calls.benches.iter().max_by(|a, b| total(a).total_cmp(&total(b)));
    let Some((bench, each)) = longest.and_then(|bench| Some((bench, bench.per_call.as_ref()?))) else {
        return (Account::Setup, "No call was measured.".into());
    };
    let (account, why) = largest(bench, each, scenario, interval);
    let says = format!(
        "Of {:.1} ms a call ({:.1} events of {interval}) {:.1} ms are radio, {:.1} ms wait for the next anchor, {:.1} ms are the cap and {:.1} ms the rest: {why}.",
        bench.ms_per_call, each.events, each.radio_ms, each.anchor_ms, each.cap_ms, each.other_ms
    );
    (account, says)
}

fn total(bench: &BenchFigures) -> f64 {
    bench.ms_per_call * bench.calls as f64
}

/// The largest part, and what it means.
fn largest(bench: &BenchFigures, each: &PerCall, scenario: &Scenario, interval: &str) -> (Account, String) {
    let most = [each.radio_ms, each.anchor_ms, each.cap_ms, each.other_ms].into_iter().fold(0.0, f64::max);
    if each.anchor_ms >= most {
        let calls =
            if bench.outstanding == 1 { "one call at a time".into() } else { format!("{} calls", bench.outstanding) };
        return (
            Account::IdleApp,
            format!("{calls} cannot keep the link busy, and each waits a round trip of {interval} twice"),
        );
    }
    if each.cap_ms >= most {
        let capped = [&scenario.central, &scenario.peripheral]
            .into_iter()
            .find(|device| device.controller.event_time_cap.is_some() || device.controller.event_pdu_cap.is_some());
        let name = capped.map_or("a", |device| device.name.as_str());
        return (Account::Cap, format!("the {name} controller ends each event at its own limit"));
    }
    if each.radio_ms >= most {
        return (Account::Ifs, "the link is saturated".into());
    }
    (Account::Tail, "hosts, buffers, credits and the ends of events".into())
}
