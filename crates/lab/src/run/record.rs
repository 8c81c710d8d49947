//! The record of a point: its runs, and what they come to.

use airtime_link::{Scenario, Stop};

use super::asked::{asked, superseded};
use super::finding;
use super::point::Repeats;
use super::unlogged;
use crate::explain::Length;
use crate::plan::{Outline, Plan, Point};
use crate::record::{LabFigure, Measured, Record, error_pct};
use crate::toml::PlanError;

/// Maker of the runs of a scenario with every repeat: pure, so that whoever has several questions may remember the answers.
pub type Runs<'a> = &'a dyn Fn(&dyn Scenario) -> Repeats;

/// Runs `point` of `plan` with every repeat and makes its record.
pub fn record(plan: &Plan, point: &Point) -> Record {
    record_unless(plan, point, &|| false)
}

/// The same, ended early when `stop` says that nobody wants the rest; the outcome says so then.
pub fn record_unless(plan: &Plan, point: &Point, stop: Stop<'_>) -> Record {
    record_of(plan, point, &|scenario| Repeats::of(scenario, stop))
}

/// Record of `point` of `plan` from runs that `runs` makes, or knows.
pub fn record_of(plan: &Plan, point: &Point, runs: Runs<'_>) -> Record {
    let scenario = &point.scenario;
    let ran = runs(&*scenario.link);
    let row = point.row.as_ref();
    let measured = row.and_then(|row| row.measured.clone());
    let mut lab = measured.as_ref().and_then(|measured| ran.figure(measured));
    let narrowed_by = match (&measured, &mut lab) {
        (Some(measured), Some(lab)) if !point.unlogged.is_empty() => {
            let [_, length] = Length::of(&ran.record);
            unlogged::interval(plan, point, measured, lab, length, runs)
        }
        _ => None,
    };
    let error_pct = lab.as_ref().zip(measured.as_ref()).and_then(|(lab, m)| error_of(lab, m));
    let interval = !point.unlogged.is_empty();
    let finding = lab.as_ref().zip(measured.as_ref()).and_then(|(lab, m)| finding::of(lab, m, error_pct, interval));
    let verdict = unlogged::verdict(row.and_then(|row| row.verdict.clone()), lab.as_ref());
    let mut asked = asked(scenario, &ran.granted);
    if let Some(later) = superseded(plan, scenario).filter(|later| asked.iter().all(|asked| asked.key != later.key)) {
        asked.push(later);
    }
    question(plan, point, Record { error_pct, verdict, lab, narrowed_by, asked, finding, ..ran.record })
}

/// Everything that the record of `point` of `plan` depends on, as text, a line each: what its plan says about it, and the
/// [identity](airtime_link::identity) of its scenario. It is the same on every machine and in every process.
pub fn depends_on(plan: &Plan, point: &Point) -> String {
    let verdict = point.row.as_ref().and_then(|row| row.verdict.clone());
    let known = question(plan, point, Record { verdict, ..Record::default() });
    let known = serde_json::to_string(&known).expect("a record has names for keys");
    let asked = point.scenario.asked.iter().map(|(key, value)| format!("asked {}={value}\n", key.name));
    format!("{known}\n{}{}", asked.collect::<String>(), airtime_link::identity(&*point.scenario.link))
}

/// `found` with what is known of `point` before it is run.
fn question(plan: &Plan, point: &Point, found: Record) -> Record {
    let row = point.row.as_ref();
    Record {
        id: point.id.clone(),
        link: point.scenario.link().into(),
        params: point.scenario.params.clone(),
        seed: point.scenario.run().seed,
        measured: row.and_then(|row| row.measured.clone()),
        replay: replay(plan, &point.id, Some(point.scenario.run().seed)),
        label: point.label.clone(),
        iteration: row.and_then(|row| row.iteration.clone()),
        note: row.and_then(|row| row.note.clone()),
        unlogged: point.unlogged.iter().map(|range| (range.key, range.values.clone())).collect(),
        against: row.and_then(|row| row.against.clone()),
        ratios: row.map(|row| row.ratios.clone()).unwrap_or_default(),
        ..found
    }
}

/// Beginning of the outcome of a point that is impossible.
pub const IMPOSSIBLE: &str = "impossible: ";

/// Record of the point of `plan` with this number, which cannot be run because of `error`: what the plan asks of it, and no figures.
pub fn impossible(plan: &Plan, index: usize, error: &PlanError) -> Record {
    let Outline { id, label, row, link, asked } = plan.outline(index);
    let seed = asked.get("run.seed").and_then(serde_json::Value::as_u64);
    let row = row.unwrap_or_default();
    Record {
        link,
        params: asked,
        seed: seed.unwrap_or_default(),
        measured: row.measured,
        verdict: row.verdict,
        replay: replay(plan, &id, seed),
        id,
        label,
        outcome: format!("{IMPOSSIBLE}{error}"),
        iteration: row.iteration,
        note: row.note,
        against: row.against,
        ratios: row.ratios,
        ..Record::default()
    }
}

/// Error of the lab in percent; none for a check, which only passes or fails.
fn error_of(lab: &LabFigure, measured: &Measured) -> Option<f64> {
    if measured.unit == "PASS" { None } else { error_pct(lab.value, measured.value) }
}

/// The command that runs the point of this identifier alone.
fn replay(plan: &Plan, id: &str, seed: Option<u64>) -> String {
    let mut words = vec!["airtime".to_owned(), "run".to_owned(), quoted(&plan.file)];
    if plan.len() > 1 {
        words.extend(["--point".to_owned(), quoted(id)]);
    }
    for set in plan.overrides().into_iter().filter(|set| !set.starts_with("run.seed=")) {
        words.extend(["--set".to_owned(), quoted(&set)]);
    }
    words.extend(plan.board_arguments().iter().map(|word| quoted(word)));
    words.extend(seed.into_iter().flat_map(|seed| ["--seed".to_owned(), seed.to_string()]));
    words.join(" ")
}

/// Word of a command as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
