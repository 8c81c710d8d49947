//! The part of a record that is a Bluetooth LE link's own.

use airtime_ble::ledger::Account;
use airtime_ble::plan::{Rpc, Scenario, Transport};
use airtime_core::Duration;

use super::outcome::{Outcome, run};
use super::rpc;
use super::says::says;
use crate::ordered::Ordered;
use crate::record::{DataLength, Goodput, Negotiated, Record, kbps};
use crate::run::record::{accounts, repeated, series};

/// Runs `scenario` with every repeat and fills in what came out; what was asked is left empty.
pub fn record(scenario: &Scenario) -> Record {
    let record = stream(scenario);
    match &scenario.rpc {
        None => record.0,
        Some(calls) => with_calls(record, calls, scenario),
    }
}

/// The record of what the link carried, and the runs it is of.
fn stream(scenario: &Scenario) -> (Record, Vec<Outcome>) {
    let runs = repeated(&scenario.run, |seed| run(scenario, seed), |outcome| outcome.random_draws);
    let first = &runs[0];
    let rates: Vec<f64> = runs.iter().map(|o| kbps(o.octets(0), o.steady)).collect();
    let books = first.steady_ledger.as_ref();
    let account = books.map(airtime_ble::ledger::Books::bottleneck).unwrap_or(Account::Setup);
    let record = Record {
        negotiated: negotiated(scenario, first),
        goodput_kbps: Goodput::of(&rates),
        latency_ms: first.latency,
        delivered_bytes: first.octets(0),
        elapsed_ns: first.ledger.as_ref().map_or(0, |ledger| ledger.elapsed().as_nanos()),
        ledger_ns: accounts(first.ledger.as_ref()),
        series_kbps: series(&first.series),
        bottleneck: says(account, first, scenario),
        counters: counters(first),
        outcome: outcome_text(first),
        setup_ns: first.setup.as_nanos(),
        steady_ns: books.map_or(0, |ledger| ledger.elapsed().as_nanos()),
        steady_ledger_ns: accounts(books),
        ..Record::default()
    };
    (record, runs)
}

/// `record` with payload of calls instead of frames, and with what became of the calls.
fn with_calls((mut record, runs): (Record, Vec<Outcome>), calls: &Rpc, scenario: &Scenario) -> Record {
    let sums = |outcome: &Outcome| {
        let benches = &outcome.calls.benches;
        let octets = benches.iter().map(|bench| bench.octets).sum::<u64>();
        (octets, benches.iter().map(rpc::BenchOutcome::took).sum::<Duration>())
    };
    let rates: Vec<f64> = runs.iter().map(sums).map(|(octets, took)| kbps(octets, took)).collect();
    let first = &runs[0];
    let figures = rpc::calls(&first.calls, calls);
    let interval = record.negotiated.as_ref().map_or_else(String::new, |terms| terms.conn_interval.clone());
    record.goodput_kbps = Goodput::of(&rates);
    record.delivered_bytes = sums(first).0;
    record.series_kbps = first.calls.benches.first().map(|bench| series(&bench.series)).unwrap_or_default();
    record.latency_ms = first.calls.benches.first().and_then(rpc::BenchOutcome::latency);
    record.bottleneck = rpc::says(&figures, scenario, &interval);
    rpc::counters(&first.calls).into_iter().for_each(|(name, count)| record.counters.set(name, count));
    if record.outcome == "ok" {
        record.outcome = rpc::outcome(&first.calls, &figures, calls);
    }
    record.calls = Some(figures);
    record
}

fn negotiated(scenario: &Scenario, outcome: &Outcome) -> Option<Negotiated> {
    let (central, peripheral) = outcome.negotiated?;
    let sender = if scenario.connection.direction.peripheral_sends() { peripheral } else { central };
    let terms = sender.channel;
    Some(Negotiated {
        conn_interval: central.interval.to_string(),
        phy: central.phy.name().into(),
        dle: DataLength { c2p: central.tx_octets, p2c: peripheral.tx_octets },
        mtu: match scenario.transport() {
            Transport::Coc => terms.map(|t| t.peer_mtu),
            Transport::Gatt => Some(central.att_mtu),
        },
        mps: terms.map(|t| t.peer_mps),
        initial_credits: terms.map(|t| t.initial_credits),
        frame_space: central.frame_space.to_string(),
        encrypted: central.encrypted,
    })
}

fn counters(outcome: &Outcome) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: &str, value: u64| counters.set(name, value);
    outcome.counts.named().into_iter().for_each(|(name, count)| put(name, count));
    for (index, traffic) in outcome.traffic.iter().enumerate() {
        let link = if outcome.traffic.len() > 1 { format!(".link{index}") } else { String::new() };
        for (direction, traffic) in ["c2p", "p2c"].into_iter().zip(traffic) {
            if traffic.submitted > 0 || traffic.sdus > 0 {
                put(&format!("octets.{direction}{link}"), traffic.octets);
                put(&format!("sdus.{direction}{link}"), traffic.sdus);
                put(&format!("sdu_gaps.{direction}{link}"), traffic.gaps);
            }
        }
    }
    put("random_draws", outcome.random_draws);
    put("loop_steps", outcome.steps);
    if outcome.rests > 0 {
        put("host_rests", outcome.rests);
    }
    if let Some((central, peripheral)) = &outcome.negotiated {
        let refused = central.interval_refused.or(peripheral.interval_refused);
        put("interval_refused", refused.map_or(0, |status| status.0.into()));
    }
    for reason in &outcome.lost {
        let name = format!("disconnected.0x{:02X}", reason.0);
        let before = counters.get(&name).copied().unwrap_or(0);
        counters.set(name, before + 1);
    }
    counters
}

fn outcome_text(outcome: &Outcome) -> String {
    match (outcome.ended, outcome.lost.last()) {
        (None, None) if outcome.counts.events == 0 && outcome.octets(0) == 0 => "the stream never started".into(),
        (None, None) => "ok".into(),
        (Some(airtime_app::Outcome::Disconnected { .. } | airtime_app::Outcome::NotConnected { .. }), Some(reason)) => {
            reason.to_string()
        }
        (Some(ended), _) => ended.to_string(),
        (None, Some(reason)) => format!("ok after {reason}"),
    }
}
