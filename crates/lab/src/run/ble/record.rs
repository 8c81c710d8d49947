//! The part of a record that is a Bluetooth LE link's own.

use airtime_ble::ledger::Account;

use super::outcome::{Outcome, run};
use super::says::says;
use crate::ordered::Ordered;
use crate::plan::ble::{Link, Scenario};
use crate::record::{DataLength, Goodput, Negotiated, Record, kbps};
use crate::run::record::{accounts, repeated, series};

/// Runs `scenario` with every repeat and fills in what came out; what was asked is left empty.
pub fn record(scenario: &Scenario) -> Record {
    let runs = repeated(&scenario.run, |seed| run(scenario, seed), |outcome| outcome.random_draws);
    let first = &runs[0];
    let rates: Vec<f64> = runs.iter().map(|o| kbps(o.octets(0), o.steady)).collect();
    let books = first.steady_ledger.as_ref();
    let account = books.map(airtime_ble::ledger::Books::bottleneck).unwrap_or(Account::Setup);
    Record {
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
    }
}

fn negotiated(scenario: &Scenario, outcome: &Outcome) -> Option<Negotiated> {
    let (central, peripheral) = outcome.negotiated?;
    let sender = if scenario.direction.peripheral_sends() { peripheral } else { central };
    let terms = sender.channel;
    Some(Negotiated {
        conn_interval: central.interval.to_string(),
        phy: central.phy.name().into(),
        dle: DataLength { c2p: central.tx_octets, p2c: peripheral.tx_octets },
        mtu: match scenario.link {
            Link::BleCoc => terms.map(|t| t.peer_mtu),
            Link::BleGatt => Some(central.att_mtu),
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
