//! The sentence about where the time of a call goes.

use crate::plan::Scenario;
use airtime_ble::ledger::{Account, EMPTY_SENDER};
use airtime_core::ledger::Ledger;

use airtime_link::figures::{BenchFigures, CallFigures, PerCall};

use super::calls::BenchOutcome;

/// Says where the time of the calls went: for several benchmarks, of the one that took longest.
///
/// Where none ended, `link` is what limits the link that they wait for.
pub fn says(
    calls: &CallFigures,
    outcomes: &[BenchOutcome],
    scenario: &Scenario,
    interval: &str,
    link: (Account, String),
) -> (Account, String) {
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
        return (link.0, format!("No call was measured. {}", link.1).trim_end().into());
    };
    if bench.calls == 0 && link.0 == Account::IdleWindow {
        return (link.0, format!("No call ended in the time: {}.", frames_under_way(scenario)));
    }
    if bench.calls == 0 {
        return (link.0, format!("No call ended in the time. {}", link.1).trim_end().into());
    }
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

/// Part of a call's time on the radio from which on the link is saturated, *assumed*.
const BUSY: f64 = 0.9;

/// Number of frames that an end gives its host at a time, and what it follows from.
fn frames_under_way(scenario: &Scenario) -> String {
    let buffers = scenario.central.controller.acl_count.min(scenario.peripheral.controller.acl_count);
    let (frames, why) = match scenario.rpc.as_ref().and_then(|rpc| rpc.in_flight) {
        Some(frames) => (frames, ""),
        None => (buffers.into(), ", as many as its controller has ACL buffers"),
    };
    let (given, next) =
        if frames == 1 { ("one frame".into(), "it is") } else { (format!("{frames} frames"), "one is") };
    format!("an end gives its host {given} at a time{why}, and the next waits until {next} reported as sent")
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
    if each.anchor_ms >= most && waits == Account::IdleWindow {
        return (waits, frames_under_way(scenario));
    }
    if each.anchor_ms >= most && waits != Account::IdleCall {
        return (waits, waits.meaning().into());
    }
    let calls =
        if bench.outstanding == 1 { "one call at a time".into() } else { format!("{} calls", bench.outstanding) };
    if each.anchor_ms >= most {
        return (
            Account::IdleCall,
            format!("{calls} cannot keep the link busy, and each waits a round trip of {interval} twice"),
        );
    }
    if each.cap_ms >= most {
        let capped = [&scenario.central, &scenario.peripheral]
            .into_iter()
            .find(|device| device.controller.time_cap().is_some() || device.controller.event_pdu_cap.is_some());
        let name = capped.map_or("a", |device| device.name.as_str());
        return (Account::Cap, format!("the {name} controller ends each event at its own limit"));
    }
    let all = each.radio_ms + each.anchor_ms + each.cap_ms + each.other_ms;
    if each.radio_ms >= most && each.radio_ms >= BUSY * all {
        return (Account::Ifs, "the link is saturated".into());
    }
    if each.radio_ms >= most && each.anchor_ms >= (1.0 - BUSY) * all {
        let why = if waits == Account::IdleCall { String::new() } else { format!(": {}", waits.meaning()) };
        return (waits, format!("{calls} cannot keep the link busy{why}"));
    }
    if each.radio_ms >= most {
        return (Account::Ifs, "what is on the air takes most of it".into());
    }
    (Account::Tail, "hosts, buffers, credits and the ends of events".into())
}
