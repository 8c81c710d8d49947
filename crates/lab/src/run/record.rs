//! The record of a point: its runs, and what they come to.

use airtime_core::ledger::{Account, Ledger};

use super::{ble, declared, nrf24, unlogged, wifi};
use crate::ordered::Ordered;
use crate::plan::scenario::{AnyLink, Scenario};
use crate::plan::{Plan, Point};
use crate::record::{LabFigure, Measured, Record, error_pct, tenth};
use airtime_keys::Run;

/// Runs `point` of `plan` with every repeat and makes its record.
pub fn record(plan: &Plan, point: &Point) -> Record {
    let scenario = &point.scenario;
    let ran = ran(scenario);
    let row = point.row.as_ref();
    let measured = row.and_then(|row| row.measured.clone());
    let mut lab = measured.as_ref().and_then(|measured| figure_of(measured, &ran, scenario));
    let narrowed_by = match (&measured, &mut lab) {
        (Some(measured), Some(lab)) if !point.unlogged.is_empty() => unlogged::interval(plan, point, measured, lab),
        _ => None,
    };
    Record {
        id: point.id.clone(),
        link: scenario.link.name().into(),
        params: scenario.params.clone(),
        seed: scenario.run().seed,
        error_pct: lab.as_ref().zip(measured.as_ref()).and_then(|(lab, m)| error_of(lab, m)),
        measured,
        verdict: unlogged::verdict(row.and_then(|row| row.verdict.clone()), lab.as_ref()),
        lab,
        replay: replay(plan, point),
        label: point.label.clone(),
        iteration: row.and_then(|row| row.iteration.clone()),
        note: row.and_then(|row| row.note.clone()),
        unlogged: point.unlogged.iter().map(|range| (range.key, range.values.clone())).collect(),
        narrowed_by,
        ..ran
    }
}

/// Error of the lab in percent; none for a check, which only passes or fails.
fn error_of(lab: &LabFigure, measured: &Measured) -> Option<f64> {
    if measured.unit == "PASS" { None } else { error_pct(lab.value, measured.value) }
}

/// Record of a run of `scenario`; the fields of the question are left empty.
pub(super) fn ran(scenario: &Scenario) -> Record {
    match &scenario.link {
        AnyLink::Ble(scenario) => ble::record(scenario),
        AnyLink::Nrf24(scenario) => nrf24::record(scenario),
        AnyLink::Wifi(scenario) => wifi::record(scenario),
        AnyLink::Declared(scenario) => declared::record(&**scenario),
    }
}

/// The outcomes of `run` with every seed, at least one. A run that draws no random number is run once: every seed
/// would give the same.
pub(super) fn repeated<O>(run: &Run, with: impl Fn(u64) -> O, random_draws: impl Fn(&O) -> u64) -> Vec<O> {
    let first = with(run.seed);
    let repeats = if random_draws(&first) == 0 { 1 } else { u64::from(run.repeat.max(1)) };
    std::iter::once(first).chain((1..repeats).map(|i| with(run.seed + i))).collect()
}

/// The lab's figure in the unit of the measured one, where the record says one.
pub(super) fn figure_of(measured: &Measured, ran: &Record, scenario: &Scenario) -> Option<LabFigure> {
    let once = |value: f64, field: &str| {
        let unit = measured.unit.clone();
        Some(LabFigure { value, unit, field: field.into(), low: value, high: value })
    };
    let count = |name: &str| ran.counters.get(name).map(|n| *n as f64);
    let scale = match measured.unit.as_str() {
        "kbps" => 1.0,
        "Mbps" => 1e-3,
        "bps" => 1e3,
        "kB/s" => 1.0 / 8.0,
        "KiB/s" => 1000.0 / 8.0 / 1024.0,
        "MB/s" => 1e-3 / 8.0,
        "ms/call" => return once(ran.calls.as_ref()?.bench()?.ms_per_call, "calls.ms_per_call"),
        "ms/item" => return once(ran.calls.as_ref()?.bench()?.ms_per_item?, "calls.ms_per_item"),
        "PASS" => {
            let check = scenario.params.get("rpc.check").and_then(|name| name.as_str())?;
            let passed = ran.calls.as_ref()?.check(check)?.passed;
            return once(f64::from(u8::from(passed)), "calls.checks");
        }
        "s" => return once(count("overrun_ns")? / 1e9, "overrun_s"),
        "ms/batch" => {
            let batch = f64::from(scenario.nrf24()?.tunnel.batch);
            return once(batch * count("air_busy_ns")? / count("frames.up")? / 1e6, "air_busy_ms_per_batch");
        }
        "frames" => return once(count("frames_heard")?, "frames_heard"),
        _ => return None,
    };
    if measured.accepted {
        let value = ran.accepted_kbps.unwrap_or(ran.goodput_kbps.median) * scale;
        return once(value, "accepted_kbps");
    }
    Some(LabFigure {
        value: ran.goodput_kbps.median * scale,
        unit: measured.unit.clone(),
        field: "goodput_kbps.median".into(),
        low: ran.goodput_kbps.low * scale,
        high: ran.goodput_kbps.high * scale,
    })
}

/// Every account of these books with its nanoseconds.
pub(super) fn accounts<A: Account>(ledger: Option<&Ledger<A>>) -> Ordered<u64> {
    let entries = ledger.into_iter().flat_map(|ledger| ledger.entries().collect::<Vec<_>>());
    entries.map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

/// Goodput of every whole second, from the octets of each.
pub(super) fn series(octets: &[u64]) -> Vec<f64> {
    // The last second is cut short by the end of the run.
    let whole = octets.len().saturating_sub(1);
    octets[..whole].iter().map(|octets| tenth(*octets as f64 * 8.0 / 1e3)).collect()
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
    words.extend(["--seed".to_owned(), point.scenario.run().seed.to_string()]);
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
