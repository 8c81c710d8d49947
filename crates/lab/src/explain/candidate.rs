//! Candidates: changes to a point that somebody can make, each a point of its own that can be run.

use serde_json::Value;

use super::values::{Side, Trial, values};
use crate::plan::{Plan, Point, set_argument, turns};
use crate::schema::{self, Key, Turns};

/// One change to a point, not yet run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Dotted name of the key.
    pub key: &'static str,
    /// Keys that are set, with their values: this one, and those without which it is impossible.
    pub changes: Vec<(String, Value)>,
    /// The change as `--set` takes it; where one is impossible without another, with a `--set` between the two.
    pub set: String,
    /// Owner of the key: who can make the change.
    pub turns: Turns,
    /// Way from the value in effect.
    pub side: Side,
    /// Rungs between the value in effect and this one.
    pub rung: usize,
    /// Set for the last rung on its side.
    pub last: bool,
    /// The point with the change.
    pub point: Point,
}

/// Every change somebody can make at `point` that is possible there, in the order of the schema.
pub fn candidates(plan: &Plan, point: &Point) -> Vec<Candidate> {
    let keys = schema::KEYS.iter().filter(|key| turns(key, &point.scenario) != Turns::Nobody);
    keys.flat_map(|key| of_key(plan, point, key)).collect()
}

/// `point` with all of these changes, as `--set` takes them; none where they are impossible together.
pub fn combined(plan: &Plan, point: &Point, changes: &[(String, Value)]) -> Option<Point> {
    let mut point = plan.vary(point, changes).ok()?;
    // What a change gains is told at the middle of what nobody logged: no corner need be run.
    point.unlogged.clear();
    Some(point)
}

/// Changes as `--set` takes them, with a `--set` between two.
pub fn set_arguments(changes: &[(String, Value)]) -> String {
    changes.iter().map(|(name, value)| set_argument(name, value)).collect::<Vec<_>>().join(" --set ")
}

fn of_key(plan: &Plan, point: &Point, key: &'static Key) -> Vec<Candidate> {
    let current = point.scenario.params.get(key.name).cloned().unwrap_or(Value::Null);
    let possible = |rung: Trial| {
        let mut changes = vec![(key.name.to_owned(), rung.value)];
        let alone = combined(plan, point, &changes);
        let point = alone.or_else(|| {
            let (with, value) = point.scenario.companion(key)?;
            changes.push((with.name.to_owned(), value));
            combined(plan, point, &changes)
        })?;
        let (set, turns) = (set_arguments(&changes), turns(key, &point.scenario));
        let candidate = Candidate { key: key.name, changes, set, turns, side: rung.side, rung: 0, last: false, point };
        has_effect(key, &candidate.point).then_some(candidate)
    };
    let rungs = values(key, &current, &point.scenario);
    let mut found: Vec<Candidate> = rungs.into_iter().filter_map(possible).collect();
    for index in 0..found.len() {
        let same_side = |other: &Candidate| other.side == found[index].side;
        let (rung, last) =
            (found[..index].iter().filter(|other| same_side(other)).count(), !found[index + 1..].iter().any(same_side));
        (found[index].rung, found[index].last) = (rung, last);
    }
    found
}

/// Tells if `key`, or a part of the table that it is, has a value at `point`: one that means nothing there is no change of it.
fn has_effect(key: &Key, point: &Point) -> bool {
    let is_part = |name: &str| name.strip_prefix(key.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    point.scenario.params.iter().any(|(name, _)| is_part(name))
}
