//! Levers: the keys of a point that ease a mechanism, each with the values that ease it.

use airtime_keys::{Eases, Guard, Kind, Way};
use serde_json::Value;

use super::values::{Side, Trial, values};
use crate::plan::{Plan, Point, turns};
use crate::schema::{self, Key, Turns};

/// Times as much of something as is tried at once, *assumed*: far more of a count fills queues for which nobody asked.
const REACH: u64 = 16;

/// A key that eases a mechanism at a point.
#[derive(Clone, Debug)]
pub struct Lever {
    /// The key.
    pub key: &'static Key,
    /// Part that it has in the throughput.
    pub eases: Eases,
    /// Owner of it; of what nobody turns, the way back to what it is where nobody says anything.
    pub turns: Turns,
    /// Value in effect; null for none.
    pub now: Value,
    /// Set if somebody says something of it.
    pub said: bool,
    /// Value where nobody says anything, if somebody does: the key's default, or its personality's; null for none.
    pub own: Option<Value>,
    /// Values among them that a specification, a device or the rest of the plan suggests.
    pub natural: Vec<Value>,
    /// Values that may ease it. Of one that more or less of it eases, those of that side, the nearest first; of another one, every value.
    pub values: Vec<Value>,
}

impl Lever {
    /// Values up to the one that eases most within reach, of a key that more or less of it eases; none of another one.
    pub fn reach(&self) -> &[Value] {
        let number = |value: &Value| self.key.kind.number(value);
        let now = number(&self.now).unwrap_or(0);
        let is_near = |value: &Value| number(value).is_none_or(|value| value <= now.saturating_mul(REACH));
        let within = match self.eases.way {
            Way::Either => 0,
            Way::Less => self.values.len(),
            Way::More => self
                .values
                .iter()
                .rposition(|value| is_near(value) || self.back() == Some(value))
                .map_or(1, |at| at + 1),
        };
        &self.values[..within.min(self.values.len())]
    }

    /// Value that it has by itself, where somebody set another one and it may ease.
    pub fn back(&self) -> Option<&Value> {
        self.own.as_ref().filter(|own| self.values.contains(own))
    }

    /// Tells if somebody set it to a value that the one it has by itself may ease.
    pub fn is_touched(&self) -> bool {
        self.back().is_some()
    }

    /// Tells if no one can turn it: it is the environment, or built into somebody else's device.
    pub fn is_environment(&self) -> bool {
        matches!(self.turns, Turns::Nobody | Turns::Os)
    }
}

/// Every lever at `point`, in the order of the schema. Keys that guard something are among them only where it is in `also`; but back to
/// the rule of a protocol that somebody has left is always a way.
///
/// A key that nobody can turn, or only the maker of an operating system, has one value to go to: what it is where nobody says anything.
pub fn levers(plan: &Plan, point: &Point, also: &[Guard]) -> Vec<Lever> {
    let of_key = |key: &&'static Key| {
        let eases = key.eases?;
        let guarded = eases.guards.filter(|guard| !also.contains(guard));
        if guarded == Some(Guard::Security) {
            return None;
        }
        if !schema::scope(key).covers(point.scenario.link()) {
            return None;
        }
        let turns = turns(key, &point.scenario);
        let now = now(key, point);
        let said = is_said(point, key);
        let own = if said { own(plan, point, key, &now) } else { None };
        let only_back = guarded.is_some() || matches!(turns, Turns::Nobody | Turns::Os);
        let own = own.filter(|own| only_back || !own.is_null() || !decides(plan, point, key));
        // What is not set has no end that eases it: of a limit, its absence does.
        let has_side = eases.way == Way::Either || !now.is_null();
        let trials = if only_back || !has_side { Vec::new() } else { values(key, &now, &point.scenario) };
        let natural = trials.iter().filter(|trial| trial.is_natural).map(|trial| trial.value.clone()).collect();
        let values = match &own {
            own if !only_back => eased(key, eases.way, &now, own.as_ref(), trials),
            own => own.iter().cloned().collect(),
        };
        (!values.is_empty()).then_some(Lever { key, eases, turns, now, said, own, natural, values })
    };
    schema::KEYS.iter().copied().filter_map(|key| of_key(&key)).collect()
}

/// Value of `key` in effect at `point`; null for none.
pub fn now(key: &Key, point: &Point) -> Value {
    let params = &point.scenario.params;
    if let Some(value) = params.get(key.name) {
        return value.clone();
    }
    // A word is shown as the parts that it stands for.
    let parts = params.iter().filter_map(|(name, value)| {
        let part = name.strip_prefix(key.name)?.strip_prefix('.')?;
        Some((part.to_owned(), value.clone()))
    });
    let parts: serde_json::Map<String, Value> = parts.collect();
    if parts.is_empty() { Value::Null } else { Value::Object(parts) }
}

/// Tells if somebody says something of `key`, or of a part of it.
fn is_said(point: &Point, key: &Key) -> bool {
    let dot = format!("{}.", key.name);
    point.scenario.asked.iter().any(|(said, _)| said.name == key.name || said.name.starts_with(&dot))
}

/// Value of `key` where nobody says anything of it, if it is another one.
fn own(plan: &Plan, point: &Point, key: &'static Key, now: &Value) -> Option<Value> {
    let without = plan.vary(point, &[(key.name.to_owned(), Value::Null)]).ok()?;
    let own = self::now(key, &without);
    (own != *now).then_some(own)
}

/// Tells if other keys mean something without `key` than with it: then its absence is another scenario, and no value of it.
fn decides(plan: &Plan, point: &Point, key: &'static Key) -> bool {
    let Ok(without) = plan.vary(point, &[(key.name.to_owned(), Value::Null)]) else { return false };
    let others = |point: &Point| -> Vec<String> {
        let names = point.scenario.params.iter().map(|(name, _)| name.to_string());
        names.filter(|name| name != key.name).collect()
    };
    others(point) != others(&without)
}

/// Values of `key` that may ease it: of `all` those on its way, with its `own`.
fn eased(key: &Key, way: Way, now: &Value, own: Option<&Value>, all: Vec<Trial>) -> Vec<Value> {
    let side = match way {
        Way::More => Side::Above,
        Way::Less => Side::Below,
        Way::Either => {
            let mut found: Vec<Value> = own.cloned().into_iter().collect();
            found.extend(all.into_iter().map(|trial| trial.value).filter(|value| own != Some(value)));
            return found;
        }
    };
    let mut found: Vec<Value> = all.into_iter().filter(|trial| trial.side == side).map(|trial| trial.value).collect();
    let (Some(own), Some(at)) = (own, own.and_then(|own| place(key, own, now, side, &found))) else { return found };
    if found.get(at) != Some(own) {
        found.insert(at, own.clone());
    }
    found
}

/// Place of `own` among `found`, the values on one side of `now`, the nearest first; none where it is on the other side.
fn place(key: &Key, own: &Value, now: &Value, side: Side, found: &[Value]) -> Option<usize> {
    let number = |value: &Value| key.kind.number(value);
    // One that is absent on purpose is the farthest there is.
    let Some(own) = number(own) else { return Some(found.len()) };
    let below = |value: &Value| number(value).is_some_and(|value| value < own);
    let above = |value: &Value| number(value).is_some_and(|value| value > own);
    match side {
        Side::Above if above(now) || number(now) == Some(own) => None,
        Side::Below if below(now) || number(now) == Some(own) => None,
        Side::Above => Some(found.iter().take_while(|value| below(value)).count()),
        Side::Below | Side::Beside => Some(found.iter().take_while(|value| above(value)).count()),
    }
}

/// Tells if `key` takes words rather than numbers.
pub fn is_worded(key: &Key) -> bool {
    matches!(key.kind, Kind::Flag | Kind::Choice(_) | Kind::Forms { .. } | Kind::Parsed { .. })
}
