//! Trials that are run: a hazard shown by two short runs, as configured and with the one change.

use airtime_link::config::{Sample, Trial, TrialRun};

use super::check::{owner, sample};
use super::{Block, Build, Configuration, End, File, Files, Finding, apply};
use crate::record::Record;
use crate::run;

/// Figures of a run as configured, and of one with a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Traffic of the runs.
    pub of: String,
    /// Arguments of `airtime explain` that start from the run as configured, up to the name of the file; empty where there are none.
    pub explain: String,
    /// Goodput as configured, 10³ bit/s.
    pub before_kbps: f64,
    /// Goodput with the change, 10³ bit/s.
    pub after_kbps: f64,
    /// Retransmission timeouts as configured, and with the change, where the link counts them.
    pub timeouts: Option<[u64; 2]>,
}

/// The gain of the advice of `finding` about `config` of the board at `end`, where it is largest; none where no run shows it, or the plan's
/// keys do not take what the file says.
pub fn prove(build: Build, config: &Configuration, finding: &Finding, end: Option<End>) -> Option<Gain> {
    let trials = owner(build, config).trials(build, config, finding, end);
    let change = |gain: &Gain| (gain.after_kbps - gain.before_kbps).abs();
    // Two runs that are the same show nothing.
    let differs =
        |gain: &Gain| change(gain) >= f64::EPSILON || gain.timeouts.is_some_and(|[before, after]| before != after);
    let gains = trials.iter().filter_map(|trial| gain(build, trial, end)).filter(differs);
    gains.max_by(|a, b| change(a).total_cmp(&change(b)))
}

/// Gains of `lines` of a block for `config` of the board at `end`; none where there is nothing to paste, or the plan's keys do not take what
/// the file says.
pub fn gains(build: Build, config: &Configuration, lines: &[String], end: Option<End>) -> Vec<Gain> {
    if lines.is_empty() {
        return Vec::new();
    }
    let block = Block { lines: lines.to_vec(), ..Block::default() };
    let trials = owner(build, config).gains(build, config, &block.applied(config), end);
    trials.iter().filter_map(|trial| gain(build, trial, end)).collect()
}

/// Figures of `config` of the board at `end` as it is, by the runs of [`gains`], each before and after alike: what a file promises that
/// has nothing to paste. None where the plan's keys do not take what the file says.
pub fn figures(build: Build, config: &Configuration, end: Option<End>) -> Vec<Gain> {
    let figure = |trial: Trial| {
        let kbps = record(build, &trial.before, end)?.goodput_kbps.median;
        Some(Gain { of: trial.of, explain: trial.explain, before_kbps: kbps, after_kbps: kbps, timeouts: None })
    };
    owner(build, config).gains(build, config, config, end).into_iter().filter_map(figure).collect()
}

fn gain(build: Build, trial: &Trial, end: Option<End>) -> Option<Gain> {
    let (before, after) = (record(build, &trial.before, end)?, record(build, &trial.after, end)?);
    let count = |record: &Record, name: &str| record.counters.get(name).copied().unwrap_or(0);
    Some(Gain {
        of: trial.of.clone(),
        explain: trial.explain.clone(),
        before_kbps: before.goodput_kbps.median,
        after_kbps: after.goodput_kbps.median,
        timeouts: trial.counter.map(|name| [count(&before, name), count(&after, name)]),
    })
}

fn record(build: Build, trial: &TrialRun, end: Option<End>) -> Option<Record> {
    let mut plan = sample(&Sample::Shipped(trial.plan), &trial.set).ok()?;
    if let Some(config) = &trial.config {
        let file = File { name: "check".to_owned(), config: config.clone() };
        (plan, _) = apply(plan, &Files { files: vec![(build, file)], end }).ok()?;
    }
    let point = plan.point(0)?;
    Some(run::record(&plan, &point))
}
