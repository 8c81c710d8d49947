//! Candidates for the largest gain, from the plan schema, each a point of its own that can be run.
//!
//! No remedy is written by hand. Every key that somebody can turn gives candidates: a numeric one a
//! step each way, an enumerated one every alternative. Whether one helps is found by running it.

use serde::Serialize;
use serde_json::Value;

use crate::plan::set_argument;
use crate::plan::{Plan, Point};
use crate::record::{Record, error_pct};
use crate::schema::{self, Key, Turns};

/// The least gain worth a word, in percent.
pub const GAIN_MIN_PCT: f64 = 1.0;
/// Number of changes that are shown.
pub const CHANGES_SHOWN: usize = 3;

/// One change to a point, not yet run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Dotted name of the key.
    pub key: &'static str,
    /// The change as `--set` takes it; where one is impossible without another, with a `--set` between the two.
    pub set: String,
    /// Owner of the key: who can make the change.
    pub turns: Turns,
    /// The point with the change.
    pub point: Point,
}

/// A change that was run.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Change {
    /// Setting to change, as `--set` takes it.
    pub set: String,
    /// Owner of the setting: `firmware`, `central's application`, `operating system`.
    pub who: String,
    /// Goodput with it, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Gain over the plan as it is, in percent.
    pub gain_pct: f64,
}

/// Every change somebody can make at `point` that is possible there, in the order of the schema.
pub fn candidates(plan: &Plan, point: &Point) -> Vec<Candidate> {
    let keys = schema::KEYS.iter().filter(|key| schema::turns(key, &point.scenario) != Turns::Nobody);
    keys.flat_map(|key| of_key(plan, point, key)).collect()
}

fn of_key(plan: &Plan, point: &Point, key: &'static Key) -> Vec<Candidate> {
    let current = point.scenario.params.get(key.name).cloned().unwrap_or(Value::Null);
    let steps = schema::steps(key, &current, &point.scenario);
    let candidate = |value: Value| {
        let mut changes = vec![(key.name.to_owned(), value)];
        let varied = plan.vary(point, &changes).or_else(|impossible| {
            let (with, value) = point.scenario.companion(key).ok_or(impossible)?;
            changes.push((with.name.to_owned(), value));
            plan.vary(point, &changes)
        });
        let mut point = varied.ok()?;
        if !has_effect(key, &point) {
            return None;
        }
        // What it gains is told at the middle of what nobody logged: no corner need be run.
        point.unlogged.clear();
        let set = changes.iter().map(|(name, value)| set_argument(name, value)).collect::<Vec<_>>().join(" --set ");
        Some(Candidate { key: key.name, set, turns: schema::turns(key, &point.scenario), point })
    };
    steps.into_iter().filter_map(candidate).collect()
}

/// Tells if `key`, or a part of the table that it is, has a value at `point`: one that means nothing there is no change of it.
fn has_effect(key: &Key, point: &Point) -> bool {
    let is_part = |name: &str| name.strip_prefix(key.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    point.scenario.params.iter().any(|(name, _)| is_part(name))
}

/// The changes that gained most over `base`: the best of each key, at least
/// [`GAIN_MIN_PCT`], best first, at most [`CHANGES_SHOWN`].
pub fn best(base: &Record, tried: &[(Candidate, Record)]) -> Vec<Change> {
    let before = base.goodput_kbps.median;
    let mut found: Vec<(&str, Change)> = Vec::new();
    for (candidate, record) in tried {
        let after = record.goodput_kbps.median;
        // From nothing to something is a gain beyond percent: it is counted against 1 kbit/s.
        let gain = error_pct(after, before).or_else(|| error_pct(after, 1.0)).unwrap_or(0.0);
        if gain < GAIN_MIN_PCT {
            continue;
        }
        let who = candidate.turns.name().to_owned();
        let change = Change { set: candidate.set.clone(), who, goodput_kbps: after, gain_pct: gain };
        match found.iter_mut().find(|(key, _)| *key == candidate.key) {
            Some((_, best)) if best.gain_pct >= gain => {}
            Some((_, best)) => *best = change,
            None => found.push((candidate.key, change)),
        }
    }
    let mut changes: Vec<Change> = found.into_iter().map(|(_, change)| change).collect();
    changes.sort_by(|a, b| b.gain_pct.total_cmp(&a.gain_pct));
    changes.truncate(CHANGES_SHOWN);
    changes
}

/// The last line of an explanation.
pub fn conclusion(base: &Record, changes: &[Change], tried: usize) -> String {
    match changes.first() {
        // What is more than nothing has no percentage.
        Some(best) if base.goodput_kbps.median <= 0.0 => format!(
            "Of {tried} changes run one at a time, {} gains most: {:.1} kbps ({} can make it).",
            best.set, best.goodput_kbps, best.who
        ),
        Some(best) => format!(
            "Of {tried} changes run one at a time, {} gains most: {:+.1} % ({} can make it).",
            best.set, best.gain_pct, best.who
        ),
        None => format!("None of {tried} changes, run one at a time, gains {GAIN_MIN_PCT} %."),
    }
}
