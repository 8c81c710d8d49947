//! The sentence about where the time of a call goes.

use airtime_ble::ledger::{Account, EMPTY_SENDER};
use airtime_ble::plan::Scenario;
use airtime_core::ledger::Ledger;

use airtime_link::figures::{BenchFigures, CallFigures, PerCall};

use super::calls::BenchOutcome;

/// Says where the time of the calls went: for several benchmarks, of the one that took longest.
pub fn says(calls: &CallFigures, outcomes: &[BenchOutcome], scenario: &Scenario, interval: &str) -> (Account, String) {
    let failed = calls.checks.iter().filter(|check| !check.passed).count();
    if !calls.checks.is_empty() {
        let says = match failed {
            0 => format!("All {} checks pass.", calls.checks.len()),
            _ => format!("{failed} of {} checks fail.", calls.checks.len()),
        };
        return (Account::IdleApp, says);
    }
    let longest = calls.benches.iter().zip(outcomes).max_by(|a, b| total(a.0).total_cmp(&total(b.0)));
    let Some((bench, outcome, each)) = longest.and_then(|(bench, of)| Some((bench, of, bench.per_call.as_ref()?)))
    else {
        return (Account::Setup, "No call was measured.".into());
    };
    let waits = outcome.ledger().map_or(Account::IdleCall, |ledger| wait(&ledger));
    let (account, why) = largest(bench, each, waits, scenario, interval);
    let says = format!(
        "Of {:.1} ms a call ({:.1} events of {interval}) {:.1} ms are radio, {:.1} ms wait for the next anchor, {:.1} ms are the cap and {:.1} ms the rest: {why}.",
        bench.ms_per_call, each.events, each.radio_ms, each.anchor_ms, each.cap_ms, each.other_ms
    );
    (account, says)
}

fn total(bench: &BenchFigures) -> f64 {
    bench.ms_per_call * bench.calls as f64
}

/// The account that most of the wait for anchors went to.
fn wait(ledger: &Ledger<Account>) -> Account {
    EMPTY_SENDER.into_iter().max_by_key(|account| ledger.of(*account)).unwrap_or(Account::IdleCall)
}

/// The largest part, and what it means; `waits` is the account of the wait for anchors.
fn largest(
    bench: &BenchFigures,
    each: &PerCall,
    waits: Account,
    scenario: &Scenario,
    interval: &str,
) -> (Account, String) {
    let most = [each.radio_ms, each.anchor_ms, each.cap_ms, each.other_ms].into_iter().fold(0.0, f64::max);
    if each.anchor_ms >= most && waits != Account::IdleCall {
        return (waits, waits.meaning().into());
    }
    if each.anchor_ms >= most {
        let calls =
            if bench.outstanding == 1 { "one call at a time".into() } else { format!("{} calls", bench.outstanding) };
        return (
            Account::IdleCall,
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
