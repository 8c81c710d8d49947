//! Search for the best values of several keys at once: the space of them, what a point of it is worth, and what was found.
//!
//! - [`Axis`], [`Space`]: keys that are free, each with the values it may take, and the points that they make together
//! - [`Goal`]: the figure that is to be best, or several, and what must be kept to · [`Tried`]: a point that was run
//! - [`Tuned`]: the best of them, those behind it, how flat it is around it, and what cannot be had together

mod aim;
mod goal;
mod space;

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value;

use crate::explain::Block;
use crate::explain::block::blocks;
use crate::plan::{Point, set_argument};

pub use aim::{Aim, NoAim};
pub use goal::Goal;
pub use space::{Axis, NotFree, Space, free_key, turned_by};

use crate::figure::Figure;
use crate::record::Record;

/// The schema's name, first in the document that `airtime tune --json` prints.
pub const SCHEMA: &str = "airtime/tune/1";

/// Points behind the best that are told.
const RUNNERS_UP: usize = 5;

/// Position of a point in a space: the number of the value of each axis.
pub type Place = Vec<usize>;

/// A point of a space that was run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Number of the value of each axis.
    #[serde(skip)]
    pub place: Place,
    /// Settings beyond the plan, as `--set` takes them; those that are as they were are left out.
    pub set: Vec<String>,
    /// Value of what is to be best; absent where the run had none.
    pub goal: Option<f64>,
    /// Goodput, 10³ bit/s.
    pub goodput_kbps: Option<f64>,
    /// 99th percentile of the delay, in ms.
    pub delay_p99_ms: Option<f64>,
    /// Octets of buffers in the RAM of all chips.
    pub ram_octets: Option<f64>,
    /// Limits that it does not keep to, each as it was written.
    pub broken: Vec<String>,
    /// `ok`, or how the run failed.
    pub outcome: String,
}

impl Tried {
    /// The point at `place` of `space`, of which `record` is the run; `today` is the point as the plan has it.
    pub fn of(space: &Space, goal: &Goal, place: &[usize], record: &Record, today: Option<&Record>) -> Self {
        let set = space.changes(place).into_iter().map(|(name, value)| set_argument(&name, &value)).collect();
        let ended = record.outcome == "ok" || record.outcome.starts_with("ok, ");
        Self {
            place: place.to_vec(),
            set,
            goal: goal.aim.of(record, today.unwrap_or(record)).filter(|value| ended && value.is_finite()),
            goodput_kbps: Figure::Goodput.of(record).filter(|_| ended),
            delay_p99_ms: Figure::DelayP99.of(record).filter(|_| ended),
            ram_octets: Figure::Ram.of(record).filter(|_| ended),
            broken: goal.broken(record, today),
            outcome: record.outcome.clone(),
        }
    }

    /// True if it may be chosen: it has the figure, and keeps to every limit.
    pub fn is_allowed(&self) -> bool {
        self.goal.is_some() && self.broken.is_empty()
    }
}

/// A point beside the best: one key is a step away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbour {
    /// Dotted name of the key.
    pub key: String,
    /// Setting of it there.
    pub set: String,
    /// Figure there; absent where the point is impossible, or had none.
    pub goal: Option<f64>,
    /// Change of the figure against the best, in per cent.
    pub change_pct: Option<f64>,
    /// Set if it keeps to every limit.
    pub allowed: bool,
}

/// Outcome of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// Plan that it is of.
    pub plan: String,
    /// Figure that was to be best, or several with their weights.
    pub goal: String,
    /// Unit of it.
    pub unit: &'static str,
    /// Limits, as they were written.
    pub limits: Vec<String>,
    /// Keys that were free, each with its values.
    pub free: Vec<Free>,
    /// Points of the space.
    pub points: u64,
    /// Points that were run.
    pub tried: usize,
    /// Set if every point was run, so that nothing better is in the space.
    pub exhaustive: bool,
    /// The point as the plan has it.
    pub today: Tried,
    /// The best point that keeps to every limit.
    pub best: Option<Tried>,
    /// Gain of it over today's, in per cent; absent where there is nothing to gain on.
    pub gain_pct: Option<f64>,
    /// The points behind it.
    pub runners_up: Vec<Tried>,
    /// Points a step away from the best.
    pub around: Vec<Neighbour>,
    /// Points of which none is beaten by another in goodput, delay and RAM at once, by goodput.
    pub front: Vec<Tried>,
    /// Lines to paste, by place.
    pub paste: Vec<Block>,
    /// Set if it was stopped from outside before it was at its end.
    pub stopped: bool,
}

/// A key that was free.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Free {
    /// Dotted name of the key.
    pub key: String,
    /// Values that it could take.
    pub values: Vec<Value>,
}

impl Tuned {
    /// Outcome of a search that has `tried` these; `today` is among them.
    pub fn of(plan: &str, point: &Point, space: &Space, goal: &Goal, tried: &[Tried], today: &Tried) -> Self {
        let mut allowed: Vec<&Tried> = tried.iter().filter(|one| one.is_allowed()).collect();
        allowed.sort_by(|one, other| goal.order(space, one, other));
        let best = allowed.first().copied().cloned();
        let around = best.as_ref().map(|best| around(space, best, tried)).unwrap_or_default();
        let changes = best.as_ref().map(|best| space.changes(&best.place)).unwrap_or_default();
        let ratio = best.as_ref().and_then(|best| Some(best.goal? / today.goal.filter(|today| *today != 0.0)?));
        Self {
            plan: plan.to_owned(),
            goal: goal.aim.to_string(),
            unit: goal.aim.unit(),
            limits: goal.limits.iter().map(ToString::to_string).collect(),
            free: space
                .axes
                .iter()
                .map(|axis| Free { key: axis.key.name.to_owned(), values: axis.values.clone() })
                .collect(),
            points: space.len(),
            tried: tried.len(),
            exhaustive: tried.len() as u64 == space.len(),
            today: today.clone(),
            gain_pct: ratio.map(|ratio| 100.0 * (ratio - 1.0)),
            runners_up: allowed.iter().skip(1).take(RUNNERS_UP).map(|one| (*one).clone()).collect(),
            around,
            front: front(&allowed),
            paste: blocks(point, &changes),
            best,
            stopped: false,
        }
    }
}

/// Points a step away from the best, as far as they were run.
fn around(space: &Space, best: &Tried, tried: &[Tried]) -> Vec<Neighbour> {
    let mut found = Vec::new();
    for (number, place) in space.around(&best.place) {
        let axis = &space.axes[number];
        let set = set_argument(axis.key.name, &axis.values[place[number]]);
        let Some(one) = tried.iter().find(|one| one.place == place) else { continue };
        let change = one.goal.zip(best.goal).filter(|(_, best)| *best != 0.0);
        found.push(Neighbour {
            key: axis.key.name.to_owned(),
            set,
            goal: one.goal,
            change_pct: change.map(|(value, best)| 100.0 * (value / best - 1.0)),
            allowed: one.is_allowed(),
        });
    }
    found
}

/// Points of which none is beaten by another: has neither more goodput, nor less delay, nor less RAM without having less of another. The
/// one with most goodput comes first; of equals the first is there.
fn front(allowed: &[&Tried]) -> Vec<Tried> {
    let costs = |one: &Tried| Some([-one.goodput_kbps?, one.delay_p99_ms?, one.ram_octets.unwrap_or_default()]);
    let mut all: Vec<([f64; 3], &Tried)> = allowed.iter().filter_map(|one| Some((costs(one)?, *one))).collect();
    // Whatever beats a point comes before it.
    all.sort_by(|(one, _), (other, _)| {
        one.iter()
            .zip(other)
            .map(|(one, other)| one.total_cmp(other))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    let mut found: Vec<([f64; 3], &Tried)> = Vec::new();
    for (costs, one) in all {
        let beats = |(other, _): &([f64; 3], &Tried)| other.iter().zip(&costs).all(|(other, cost)| other <= cost);
        if !found.iter().any(beats) {
            found.push((costs, one));
        }
    }
    found.into_iter().map(|(_, one)| one.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(goodput: f64, delay: f64) -> Tried {
        Tried {
            place: Vec::new(),
            set: Vec::new(),
            goal: Some(goodput),
            goodput_kbps: Some(goodput),
            delay_p99_ms: Some(delay),
            ram_octets: None,
            broken: Vec::new(),
            outcome: "ok".into(),
        }
    }

    #[test]
    fn the_front_has_what_nothing_beats_in_both() {
        let all = [tried(100.0, 50.0), tried(90.0, 60.0), tried(80.0, 10.0), tried(80.0, 12.0), tried(100.0, 55.0)];
        let found = front(&all.iter().collect::<Vec<_>>());
        let pairs: Vec<(f64, f64)> =
            found.iter().map(|one| (one.goodput_kbps.unwrap(), one.delay_p99_ms.unwrap())).collect();
        assert_eq!(pairs, [(100.0, 50.0), (80.0, 10.0)]);
    }

    #[test]
    fn less_ram_is_a_reason_to_be_on_the_front() {
        let with = |goodput: f64, delay: f64, ram: f64| Tried { ram_octets: Some(ram), ..tried(goodput, delay) };
        let all = [with(100.0, 50.0, 4e4), with(90.0, 60.0, 1e4), with(80.0, 10.0, 4e4), with(70.0, 70.0, 2e4)];
        let found = front(&all.iter().collect::<Vec<_>>());
        assert_eq!(found, all[..3], "the last one has less of everything than the second");
    }
}
