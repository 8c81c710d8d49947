//! Space of a search: keys that are free, and the values that each may take.

use airtime_keys::Turns;
use serde_json::Value;
use thiserror::Error;

use super::Place;
use crate::explain::lever::now;
use crate::explain::values::values;
use crate::explain::{combined, levers};
use crate::plan::{Plan, Point, turns};
use crate::schema::Key;
use crate::toml::PlanError;

/// A key that is free, with its values in order.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The key.
    pub key: &'static Key,
    /// Values that it may take: of numbers from the least to the largest.
    pub values: Vec<Value>,
    /// Number of the value in effect.
    pub now: usize,
}

/// Reason that a key is not free.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum NotFree {
    /// The key or one of its values makes no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Nothing is known that it could be tried at.
    #[error("`{0}` has no values to try at this point: name them, as in --free {0}=1,2,4")]
    NoValues(&'static str),
    /// Every value of it is impossible.
    #[error("`{0}` cannot be turned at this point: every value beside the one in effect is impossible")]
    Impossible(&'static str),
}

/// The key `name` at `point` of `plan` with these `texts` as values, or, where there are none, with those that an explanation would try.
///
/// # Errors
/// When there is no such key, a value makes no sense, or there is nothing to try.
pub fn free_key(plan: &Plan, point: &Point, name: &str, texts: &[String]) -> Result<Axis, NotFree> {
    let (key, _) = plan.value(name, "")?;
    let now = now(key, point);
    let mut found = Vec::new();
    for text in texts {
        let (_, value) = plan.value(name, text)?;
        found.push(value);
    }
    if texts.is_empty() {
        found.extend(values(key, &now, &point.scenario).into_iter().map(|trial| trial.value));
    }
    if found.is_empty() {
        return Err(NotFree::NoValues(key.name));
    }
    axis(plan, point, key, now, found).ok_or(NotFree::Impossible(key.name))
}

/// All keys that `who` can turn at `point` of `plan` and that have a part in its throughput, but for what guards security or a protocol.
pub fn turned_by(plan: &Plan, point: &Point, who: Turns) -> Vec<Axis> {
    let own = levers(plan, point, &[]).into_iter().filter(|lever| turns(lever.key, &point.scenario) == who);
    own.filter_map(|lever| axis(plan, point, lever.key, lever.now.clone(), lever.values)).collect()
}

/// The axis of `key` with those of `found` that are possible by themselves, and the value in effect; none where that is all.
fn axis(plan: &Plan, point: &Point, key: &'static Key, now: Value, found: Vec<Value>) -> Option<Axis> {
    let same = |value: &Value| canonical(key, value) == canonical(key, &now);
    let possible = |value: &Value| combined(plan, point, &[(key.name.to_owned(), value.clone())]).is_some();
    let mut all: Vec<Value> = Vec::new();
    for value in found.into_iter().filter(|value| !same(value) && possible(value)) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    if all.is_empty() {
        return None;
    }
    all.insert(0, now.clone());
    // A ladder: a step up or down is the next one.
    if all.iter().all(|value| key.kind.number(value).is_some()) {
        all.sort_by_key(|value| key.kind.number(value));
    }
    let now = all.iter().position(same)?;
    Some(Axis { key, values: all, now })
}

fn canonical(key: &Key, value: &Value) -> Value {
    key.kind.check(key.name, value).unwrap_or_else(|_| value.clone())
}

/// Space of all values of several axes.
#[derive(Clone, Debug)]
pub struct Space {
    /// The axes.
    pub axes: Vec<Axis>,
}

impl Space {
    /// Number of points; as many as there can be where there are more.
    pub fn len(&self) -> u64 {
        self.axes.iter().fold(1, |points: u64, axis| points.saturating_mul(axis.values.len() as u64))
    }

    /// A space has the point as it is, at least.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The place of the point as it is.
    pub fn today(&self) -> Place {
        self.axes.iter().map(|axis| axis.now).collect()
    }

    /// The place with this number; the last axis is turned first.
    pub fn place(&self, number: u64) -> Place {
        let mut rest = number;
        let mut place: Place = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let values = axis.values.len() as u64;
            place.push((rest % values) as usize);
            rest /= values;
        }
        place.reverse();
        place
    }

    /// Changes that lead from the point as it is to `place`.
    pub fn changes(&self, place: &[usize]) -> Vec<(String, Value)> {
        let turned = self.axes.iter().zip(place).filter(|(axis, value)| axis.now != **value);
        turned.map(|(axis, value)| (axis.key.name.to_owned(), axis.values[*value].clone())).collect()
    }

    /// Places a step away from `place`, each with the number of the axis that is turned; words have no next one, so all of them are.
    pub fn around(&self, place: &[usize]) -> Vec<(usize, Place)> {
        let mut found = Vec::new();
        for (number, axis) in self.axes.iter().enumerate() {
            let at = place[number];
            let is_ladder = axis.values.iter().all(|value| axis.key.kind.number(value).is_some());
            let next = |value: &usize| *value != at && (!is_ladder || value.abs_diff(at) == 1);
            for value in (0..axis.values.len()).filter(next) {
                let mut other = place.to_vec();
                other[number] = value;
                found.push((number, other));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;

    fn plan() -> (Plan, Point) {
        let text = "link = \"ble-coc\"\ncoc.sdu = 492\nble.phy = \"2M\"\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        (plan, point)
    }

    #[test]
    fn values_are_those_that_are_named_in_their_order() {
        let (plan, point) = plan();
        let axis = free_key(&plan, &point, "coc.sdu", &["741".into(), "247".into(), "492".into()]).unwrap();
        assert_eq!((axis.values, axis.now), (vec![247.into(), 492.into(), 741.into()], 1));
        let words = free_key(&plan, &point, "ble.phy", &["1M".into()]).unwrap();
        assert_eq!((words.values, words.now), (vec!["2M".into(), "1M".into()], 0));
        assert!(free_key(&plan, &point, "coc.sdu", &[]).unwrap().values.len() > 4);
        assert!(matches!(free_key(&plan, &point, "coc.sud", &[]), Err(NotFree::Plan(_))));
        assert!(matches!(free_key(&plan, &point, "coc.sdu", &["x".into()]), Err(NotFree::Plan(_))));
    }

    #[test]
    fn places_are_counted_through_and_have_neighbours() {
        let (plan, point) = plan();
        let sdu = free_key(&plan, &point, "coc.sdu", &["247".into(), "741".into()]).unwrap();
        let phy = free_key(&plan, &point, "ble.phy", &["1M".into()]).unwrap();
        let space = Space { axes: vec![sdu, phy] };
        assert_eq!((space.len(), space.today()), (6, vec![1, 0]));
        assert_eq!([space.place(0), space.place(1), space.place(5)], [[0, 0], [0, 1], [2, 1]]);
        assert_eq!(space.changes(&[2, 0]), [("coc.sdu".to_owned(), Value::from(741))]);
        let around: Vec<Place> = space.around(&[0, 0]).into_iter().map(|(_, place)| place).collect();
        assert_eq!(around, [[1, 0], [0, 1]]);
    }

    #[test]
    fn a_role_has_the_keys_that_it_can_turn() {
        let (plan, point) = plan();
        let names =
            |who: Turns| -> Vec<&str> { turned_by(&plan, &point, who).iter().map(|axis| axis.key.name).collect() };
        assert!(names(Turns::Firmware).contains(&"coc.sdu"), "{:?}", names(Turns::Firmware));
        assert!(names(Turns::Daemon).is_empty());
    }
}
