//! The part of a record that is the link's own.

use airtime_wifi::plan::{Scenario, Test};

use super::outcome::{Outcome, bottleneck, run};
use super::says::says;
use super::{capture, ota, ram, raw};
use crate::ordered::Ordered;
use crate::record::{Goodput, Latency, Record, kbps};
use crate::run::record::{accounts, repeated, series};

/// Runs `scenario` with every repeat and fills in what came out; what was asked is left empty.
pub fn record(scenario: &Scenario) -> Record {
    let ran = match scenario.test() {
        Test::Traffic => traffic(scenario),
        Test::Raw => raw::record(scenario),
        Test::Capture => capture::record(scenario),
        Test::Ota => ota::record(scenario),
    };
    Record { ram: ram::ram(scenario), ..ran }
}

fn traffic(scenario: &Scenario) -> Record {
    let runs = repeated(&scenario.run, |seed| run(scenario, seed), |outcome| u64::from(outcome.random));
    let first = &runs[0];
    let rates: Vec<f64> = runs.iter().map(|o| kbps(o.octets(), o.steady)).collect();
    let accepted = kbps(first.taken(), first.steady);
    Record {
        goodput_kbps: Goodput::of(&rates),
        latency_ms: first.latency,
        accepted_kbps: (accepted - rates[0]).abs().gt(&0.05).then_some(accepted),
        delivered_bytes: first.octets(),
        elapsed_ns: first.ledger.elapsed().as_nanos(),
        ledger_ns: accounts(Some(&first.ledger)),
        series_kbps: series(&first.series),
        bottleneck: says(bottleneck(first), first, scenario),
        counters: counters(first, scenario),
        outcome: outcome_text(first),
        setup_ns: first.setup.unwrap_or(first.ledger.elapsed()).as_nanos(),
        steady_ns: first.steady_ledger.elapsed().as_nanos(),
        steady_ledger_ns: accounts(Some(&first.steady_ledger)),
        ..Record::default()
    }
}

fn counters(outcome: &Outcome, scenario: &Scenario) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: String, value: u64| counters.set(name, value);
    for (direction, name) in ["up", "down"].into_iter().enumerate() {
        let flow = &outcome.flows[direction];
        if flow.taken > 0 || flow.octets > 0 {
            put(format!("octets.{name}"), flow.octets);
            put(format!("accepted_octets.{name}"), flow.taken);
        }
        if flow.sent > 0 || flow.datagrams > 0 {
            put(format!("datagrams_sent.{name}"), flow.sent);
            put(format!("datagrams.{name}"), flow.datagrams);
            put(format!("datagrams_late.{name}"), flow.late);
        }
        if flow.again > 0 || flow.damaged > 0 {
            put(format!("datagrams_again.{name}"), flow.again);
            put(format!("octets_damaged.{name}"), flow.damaged);
        }
    }
    for counted in [&outcome.counted, &outcome.stack, &outcome.far] {
        counted.iter().for_each(|(name, count)| put(name.to_owned(), *count));
    }
    if let Some(Latency { p50, p95, p99 }) = outcome.round_trips {
        for (name, ms) in [("p50", p50), ("p95", p95), ("p99", p99)] {
            put(format!("round_trip_ns.{name}"), (ms * 1e6).round() as u64);
        }
    }
    put("phy_kbps".into(), u64::from(scenario.phy().rate_kbps()));
    if let Some(overrun) = outcome.overrun {
        put("overrun_ns".into(), overrun.as_nanos());
    }
    put("loop_steps".into(), outcome.steps);
    counters
}

fn outcome_text(outcome: &Outcome) -> String {
    match (outcome.octets(), outcome.finished) {
        (0, _) => "nothing arrived".into(),
        (_, false) => "the transfer did not end in time".into(),
        _ => "ok".into(),
    }
}
