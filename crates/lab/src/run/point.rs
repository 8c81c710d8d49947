//! Runs of one scenario: with every seed, and what they come to.

use airtime_link::{Booked, Carried, Figure, Granted, Ordered, Scenario, Stop};

use super::links::links;
use crate::record::{Bottleneck, Goodput, LabFigure, LinkFigures, Measured, Record, Together, kbps, tenth};

/// Runs of one scenario with every repeat.
#[derive(Clone, Debug)]
pub struct Repeats {
    /// Record of them; the fields of the question are left empty.
    pub record: Record,
    /// Figures of the first run in units of its link's own.
    figures: Vec<Figure>,
    /// Set if somebody did not want the rest of it.
    stopped: bool,
    /// Values in effect in the first run, of keys that its link decides about.
    pub granted: Vec<Granted>,
}

impl Repeats {
    /// Runs `scenario`, to its end or until `stop` says that nobody wants the rest.
    pub fn of(scenario: &dyn Scenario, stop: Stop<'_>) -> Self {
        let runs = repeated(scenario, stop);
        let first = &runs[0];
        let rate = |carried: Carried| kbps(carried.octets, carried.time);
        let rates: Vec<f64> = runs.iter().filter_map(|run| run.carried.map(rate)).collect();
        let accepted = first.accepted.map(|octets| kbps(octets, first.steady));
        let (links, middle) = (links(&runs), middle(&runs, |run| run.carried));
        let record = Record {
            negotiated: first.negotiated.clone(),
            goodput_kbps: Goodput::of(&rates),
            latency_ms: first.latency.map(Into::into),
            accepted_kbps: accepted.filter(|accepted| (accepted - rates[0]).abs() > 0.05),
            delivered_bytes: first.carried.map_or(0, |carried| carried.octets),
            elapsed_ns: first.elapsed.as_nanos(),
            ledger_ns: books(&first.books),
            series_kbps: series(&first.per_second),
            bottleneck: Bottleneck { account: middle.bottleneck.into(), says: middle.says.clone() },
            counters: first.counters.clone(),
            outcome: outcome(&runs, scenario, stop),
            setup_ns: first.setup.as_nanos(),
            steady_ns: first.steady.as_nanos(),
            steady_ledger_ns: books(&middle.steady_books),
            ram: scenario.ram(),
            calls: first.calls.clone(),
            together: together(&links, &runs),
            links,
            ..Record::default()
        };
        let (figures, granted) = (first.figures.clone(), first.granted.clone());
        Self { record, figures, stopped: is_stopped(&runs, scenario, stop), granted }
    }

    /// The lab's figure in the unit of the measured one, where there is one; of a part of a run there is none.
    pub fn whole_figure(&self, measured: &Measured) -> Option<LabFigure> {
        if self.stopped { None } else { self.figure(measured) }
    }

    /// The lab's figure in the unit of the measured one, where there is one.
    pub fn figure(&self, measured: &Measured) -> Option<LabFigure> {
        let unit = measured.unit.as_str();
        let once = |value: f64, field: &str| {
            Some(LabFigure { value, unit: unit.into(), field: field.into(), low: value, high: value })
        };
        let Some(scale) = rate_scale(unit) else {
            let figure = self.figures.iter().find(|figure| figure.unit == unit)?;
            return once(figure.value, figure.field);
        };
        if let Some(link) = &measured.link {
            let found = self.record.links.iter().find(|found| found.name == *link)?;
            return once(found.goodput_kbps * scale, "links[].goodput_kbps");
        }
        let goodput = self.record.goodput_kbps;
        if measured.accepted {
            return once(self.record.accepted_kbps.unwrap_or(goodput.median) * scale, "accepted_kbps");
        }
        Some(LabFigure {
            value: goodput.median * scale,
            unit: unit.into(),
            field: "goodput_kbps.median".into(),
            low: goodput.low * scale,
            high: goodput.high * scale,
        })
    }
}

/// The run whose figure is the median of all, the lower one of two: the one that books and a sentence can speak for.
pub(super) fn middle(
    runs: &[airtime_link::Ran],
    carried: impl Fn(&airtime_link::Ran) -> Option<Carried>,
) -> &airtime_link::Ran {
    let rate = |run: &airtime_link::Ran| carried(run).map_or(0.0, |carried| kbps(carried.octets, carried.time));
    let mut sorted: Vec<&airtime_link::Ran> = runs.iter().collect();
    // Of equals the first one.
    sorted.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
    sorted[(sorted.len() - 1) / 2]
}

/// All links together: the median over the runs of what they carried in each.
fn together(links: &[LinkFigures], runs: &[airtime_link::Ran]) -> Option<Together> {
    let sum = |run: &airtime_link::Ran| run.links.iter().map(|link| kbps(link.carried.octets, link.carried.time)).sum();
    let goodput = Goodput::of(&runs.iter().map(sum).collect::<Vec<_>>());
    Together::of(links).map(|together| Together { goodput_kbps: goodput.median, ..together })
}

/// Runs with every seed, at least one. A run that draws no random number is run once: every seed would give the same.
fn repeated(scenario: &dyn Scenario, stop: Stop<'_>) -> Vec<airtime_link::Ran> {
    let run = scenario.run();
    let first = scenario.ran_unless(run.seed, stop);
    let repeats = if first.random_draws == 0 { 1 } else { u64::from(run.repeat.max(1)) };
    let others = (1..repeats).map_while(|i| (!stop()).then(|| scenario.ran_unless(run.seed + i, stop)));
    std::iter::once(first).chain(others).collect()
}

/// `ok`, or how the first run failed. A run that somebody stopped is not what was asked for, however it went.
fn outcome(runs: &[airtime_link::Ran], scenario: &dyn Scenario, stop: Stop<'_>) -> String {
    let first = &runs[0];
    if is_stopped(runs, scenario, stop) {
        let (ran, asked) = (first.elapsed.as_secs_f64(), scenario.run().duration);
        return format!("interrupted after {ran:.1} s of {asked}");
    }
    first.outcome.clone()
}

fn is_stopped(runs: &[airtime_link::Ran], scenario: &dyn Scenario, stop: Stop<'_>) -> bool {
    runs[0].elapsed < scenario.run().duration && stop()
}

/// This unit of a rate in kbit/s.
fn rate_scale(unit: &str) -> Option<f64> {
    Some(match unit {
        "kbps" => 1.0,
        "Mbps" => 1e-3,
        "bps" => 1e3,
        "kB/s" => 1.0 / 8.0,
        "KiB/s" => 1000.0 / 8.0 / 1024.0,
        "MB/s" => 1e-3 / 8.0,
        _ => return None,
    })
}

/// Every account of these books with its nanoseconds.
pub(super) fn books(booked: &[Booked]) -> Ordered<u64> {
    booked.iter().map(|(account, time)| (*account, time.as_nanos())).collect()
}

/// Goodput of every whole second, from the octets of each; the last one is cut short by the end of the run.
fn series(octets: &[u64]) -> Vec<f64> {
    let whole = octets.len().saturating_sub(1);
    octets[..whole].iter().map(|octets| tenth(*octets as f64 * 8.0 / 1e3)).collect()
}
