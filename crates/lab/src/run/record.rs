//! The record of a point: its runs, and what they come to.

use airtime_ble::ledger::Account;
use airtime_core::ledger::{Account as _, Ledger};

use super::outcome::{Outcome, run};
use super::says::says;
use crate::ordered::Ordered;
use crate::plan::scenario::{Link, Scenario};
use crate::plan::{Plan, Point};
use crate::record::{DataLength, Goodput, LabFigure, Measured, Negotiated, Record, error_pct, kbps, tenth};

/// Runs `point` of `plan` with every repeat and makes its record. A run that draws no random number
/// is run once: every seed would give the same.
pub fn record(plan: &Plan, point: &Point) -> Record {
    let scenario = &point.scenario;
    let seed = scenario.run.seed;
    let first = run(scenario, seed);
    let repeats = if first.random_draws == 0 { 1 } else { u64::from(scenario.run.repeat.max(1)) };
    let rest: Vec<Outcome> = (1..repeats).map(|i| run(scenario, seed + i)).collect();
    let rates: Vec<f64> = std::iter::once(&first).chain(&rest).map(|o| kbps(o.octets(0), o.steady)).collect();
    let goodput = Goodput::of(&rates);
    let measured = point.row.as_ref().and_then(|row| row.measured.clone());
    let lab = measured.as_ref().and_then(|measured| figure(measured, &goodput));
    let verdict = point.row.as_ref().and_then(|row| row.verdict.clone());
    let books = first.steady_ledger.as_ref();
    let account = books.map(airtime_ble::ledger::Books::bottleneck).unwrap_or(Account::Setup);
    Record {
        id: point.id.clone(),
        link: scenario.link.name().into(),
        params: scenario.params.clone(),
        seed,
        negotiated: negotiated(scenario, &first),
        goodput_kbps: goodput,
        latency_ms: first.latency,
        accepted_kbps: None,
        delivered_bytes: first.octets(0),
        elapsed_ns: first.ledger.as_ref().map_or(0, |ledger| ledger.elapsed().as_nanos()),
        ledger_ns: accounts(first.ledger.as_ref()),
        series_kbps: series(&first),
        error_pct: lab.as_ref().zip(measured.as_ref()).and_then(|(lab, m)| error_pct(lab.value, m.value)),
        measured,
        lab,
        verdict,
        bottleneck: says(account, &first, scenario),
        counters: counters(&first),
        replay: replay(plan, point),
        label: point.label.clone(),
        outcome: outcome_text(&first),
        setup_ns: first.setup.as_nanos(),
        steady_ns: books.map_or(0, |ledger| ledger.elapsed().as_nanos()),
        steady_ledger_ns: accounts(books),
        iteration: point.row.as_ref().and_then(|row| row.iteration.clone()),
        note: point.row.as_ref().and_then(|row| row.note.clone()),
    }
}

/// The lab's figure in the unit of the measured one, where goodput can be said in it.
fn figure(measured: &Measured, goodput: &Goodput) -> Option<LabFigure> {
    let scale = match measured.unit.as_str() {
        "kbps" => 1.0,
        "Mbps" => 1e-3,
        "bps" => 1e3,
        "kB/s" => 1.0 / 8.0,
        "KiB/s" => 1000.0 / 8.0 / 1024.0,
        "MB/s" => 1e-3 / 8.0,
        _ => return None,
    };
    Some(LabFigure {
        value: goodput.median * scale,
        unit: measured.unit.clone(),
        field: "goodput_kbps.median".into(),
        low: goodput.low * scale,
        high: goodput.high * scale,
    })
}

fn accounts(ledger: Option<&Ledger<Account>>) -> Ordered<u64> {
    let entries = ledger.into_iter().flat_map(|ledger| ledger.entries().collect::<Vec<_>>());
    entries.map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

fn series(outcome: &Outcome) -> Vec<f64> {
    // The last second is cut short by the end of the run.
    let whole = outcome.series.len().saturating_sub(1);
    outcome.series[..whole].iter().map(|octets| tenth(*octets as f64 * 8.0 / 1e3)).collect()
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

/// The command that runs this point alone.
fn replay(plan: &Plan, point: &Point) -> String {
    let mut words = vec!["airtime".to_owned(), "run".to_owned(), quoted(&plan.file)];
    if plan.len() > 1 {
        words.extend(["--point".to_owned(), quoted(&point.id)]);
    }
    for set in plan.overrides().into_iter().filter(|set| !set.starts_with("run.seed=")) {
        words.extend(["--set".to_owned(), quoted(&set)]);
    }
    words.extend(["--seed".to_owned(), point.scenario.run.seed.to_string()]);
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
