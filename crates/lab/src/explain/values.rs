//! Values of a key: every one that `explain` may try instead of the one in effect.

use airtime_core::Duration;
use airtime_core::units::{Frequency, Size};
use airtime_keys::{Key, Kind, Knob, Step, Turns};
use serde_json::Value;

use crate::plan::scenario::Scenario;
use crate::schema::find;

/// Doublings of a value, *assumed*: 256 times as much of anything is another design.
const DOUBLINGS: u32 = 8;
/// Halvings of a count, *assumed*: less of something gains where a packet fits or a queue is shorter, and that is nearby.
const HALVINGS: u32 = 4;
/// Halvings of a time, *assumed*: what takes an eighth of it is another design.
const HALVINGS_OF_TIME: u32 = 2;
/// Halvings of a time of a machine that somebody has, *assumed*: one twice as fast can be had.
const HALVINGS_OF_MACHINE: u32 = 1;
/// Counts up to this one are stepped by one and by two as well: 1 → 2, 3, 4, 8, …
const SMALL: u64 = 8;
/// Steps from the ends of what fits the rest of the scenario: intervals on a grid, SDUs that fill packets.
const FITTING: usize = 4;

/// Way from the value in effect to another one of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Less of it.
    Below,
    /// More of it.
    Above,
    /// Another word, which is neither.
    Beside,
}

/// A value to try.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The value, in its canonical form.
    pub value: Value,
    /// Way to it.
    pub side: Side,
    /// Set if its key declares it, or it fits the rest of the scenario: no mere multiple of the value in effect.
    pub is_natural: bool,
}

/// Values of `key` around `current`, the nearest first, those below before those above; of an enumerated key every alternative.
///
/// They may still be impossible in `scenario`; [`Plan::vary`](crate::Plan::vary) tells. `current` is the key's value in the
/// scenario's params, or null; parts of a table that is not in effect have no values.
pub fn values(key: &Key, current: &Value, scenario: &Scenario) -> Vec<Trial> {
    let part_of_table = find(key.table()).is_some();
    if current.is_null() && part_of_table {
        return Vec::new();
    }
    let words = |words: &[&str]| beside(words.iter().map(|word| (*word).into()).collect(), current);
    let climb = |least: u64, most: u64, now: Option<u64>, write: fn(u64) -> Value| {
        let most = scenario.most(key).map_or(most, |sense| sense.clamp(least, most));
        let around = Around { key, scenario, least, most, now: now.unwrap_or(least) };
        around.of(!current.is_null(), write)
    };
    let text = current.as_str();
    match key.kind {
        // One that means nothing here has nothing beside it.
        Kind::Flag if current.is_null() => Vec::new(),
        Kind::Flag => beside(vec![Value::Bool(current == &Value::Bool(false))], current),
        Kind::Choice(of) | Kind::Forms { words: of, .. } | Kind::Parsed { alternatives: of, .. } => words(of),
        Kind::Count(min, max) => climb(min, max, current.as_u64(), Value::from),
        Kind::Span(min, max) => {
            let now = text.and_then(|text| text.parse().ok()).map(Duration::as_nanos);
            climb(min.as_nanos(), max.as_nanos(), now, |ns| Duration::from_nanos(ns).to_string().into())
        }
        Kind::Size(min, max) => {
            let now = text.and_then(|text| text.parse::<Size>().ok()).map(|size| size.0);
            climb(min, max, now, |octets| Size(octets).to_string().into())
        }
        Kind::Clock(min, max) => {
            let now = text.and_then(|text| text.parse::<Frequency>().ok()).map(|clock| clock.0);
            climb(min, max, now, |hertz| Frequency(hertz).to_string().into())
        }
        Kind::Text(_)
        | Kind::CountOrNone(..)
        | Kind::SpanOrNone(..)
        | Kind::Probability
        | Kind::Personality
        | Kind::Threshold
        | Kind::Rate
        | Kind::Rates => Vec::new(),
    }
}

/// The values other than `current`.
fn beside(values: Vec<Value>, current: &Value) -> Vec<Trial> {
    let others = values.into_iter().filter(|value| value != current);
    others.map(|value| Trial { value, side: Side::Beside, is_natural: true }).collect()
}

/// Origin of numbers to try: whole numbers, nanoseconds, octets or hertz.
struct Around<'a> {
    key: &'a Key,
    scenario: &'a Scenario,
    least: u64,
    most: u64,
    now: u64,
}

impl Around<'_> {
    /// Every value, as `write` writes it; `set` tells if the key has one now, which is none of them.
    fn of(&self, set: bool, write: fn(u64) -> Value) -> Vec<Trial> {
        let (natural, mut found) = self.declared();
        found.extend(&natural);
        // A number that nobody has set has nothing to double.
        if set {
            found.extend(self.powers());
        }
        found.retain(|value| (self.least..=self.most).contains(value) && !(set && *value == self.now));
        found.sort_unstable();
        found.dedup();
        let trial = |value: &u64, side| Trial { value: write(*value), side, is_natural: natural.contains(value) };
        let (below, above) = found.split_at(found.partition_point(|value| *value < self.now));
        let below = below.iter().rev().map(|value| trial(value, Side::Below));
        below.chain(above.iter().map(|value| trial(value, Side::Above))).collect()
    }

    /// Twice and half as much, again and again, the end of the range where that is near, and the neighbours of a small count.
    fn powers(&self) -> Vec<u64> {
        let more = (1..=DOUBLINGS).map(|n| self.now.saturating_mul(1 << n));
        let halvings = match self.key.kind {
            Kind::Span(..) if self.key.knob == Knob::Of(Turns::Machine) => HALVINGS_OF_MACHINE,
            Kind::Span(..) => HALVINGS_OF_TIME,
            _ => HALVINGS,
        };
        let less = (1..=halvings).map(|n| self.now >> n);
        let mut found: Vec<u64> = more.chain(less).filter(|value| *value > 0).collect();
        let reached = self.now.saturating_mul(1 << DOUBLINGS) >= self.most;
        found.extend(reached.then_some(self.most));
        if self.now <= SMALL && matches!(self.key.kind, Kind::Count(..)) {
            found.extend((1..=2).flat_map(|n| [self.now.saturating_sub(n), self.now + n]).filter(|value| *value > 0));
        }
        found
    }

    /// Values that the key declares and those that fit the rest of the scenario; apart from them, the steps that it declares.
    fn declared(&self) -> (Vec<u64>, Vec<u64>) {
        let (mut natural, mut steps) = (Vec::new(), Vec::new());
        for step in self.key.steps {
            match (step, step.from(self.now, self.least)) {
                // There is nothing less than the least.
                (Step::Less(_), Some(value)) if value == self.now => {}
                (Step::To(_), Some(value)) => natural.push(value),
                (_, Some(value)) => steps.push(value),
                (_, None) => natural.extend(self.fitting()),
            }
        }
        (natural, steps)
    }

    /// Values that fit near the one in effect, then near the lowest and the highest of that, and so on.
    fn fitting(&self) -> Vec<u64> {
        let mut found = self.scenario.fitting(self.key, self.now);
        for _ in 0..FITTING {
            let ends = [found.iter().min().copied(), found.iter().max().copied()];
            let further = ends.into_iter().flatten().flat_map(|end| self.scenario.fitting(self.key, end));
            let new: Vec<u64> = further.filter(|value| !found.contains(value)).collect();
            if new.is_empty() {
                break;
            }
            found.extend(new);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;
    use crate::plan::Plan;

    fn tried(text: &str, key: &str) -> Vec<String> {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let scenario = plan.point(0).unwrap().scenario;
        let current = scenario.params.get(key).cloned().unwrap_or(Value::Null);
        let found = values(find(key).unwrap(), &current, &scenario);
        found.iter().map(|trial| trial.value.to_string().replace('"', "")).collect()
    }

    #[test]
    fn a_count_of_one_reaches_everything_that_helps_it() {
        let rungs = tried("link = \"ble-gatt\"\n[gatt]\nin_flight = 1\n", "gatt.in_flight");
        assert_eq!(rungs, ["2", "3", "4", "8", "16", "32", "64", "128", "255"]);
    }

    #[test]
    fn a_count_in_the_middle_goes_both_ways_and_ends_at_its_range() {
        let rungs = tried("link = \"nrf24-ip\"\n[nrf24]\nwindow = 12\n", "nrf24.window");
        assert_eq!(rungs, ["11", "6", "3", "1", "13", "24", "32"]);
    }

    #[test]
    fn links_share_the_interval_alike() {
        let plan = "link = \"ble-coc\"\nble.peripherals = 2\nble.conn_interval = \"50ms\"\n";
        let spacings = tried(plan, "central.link_spacing");
        assert!(spacings.contains(&"25ms".to_owned()), "{spacings:?}");
        assert_eq!(spacings.last().map(String::as_str), Some("25ms"), "farther apart the last meets the first");
    }

    #[test]
    fn intervals_stay_on_the_grid_of_whoever_grants_them() {
        let rungs = tried("link = \"ble-coc\"\n[ble]\nconn_interval = \"15ms\"\n", "ble.conn_interval");
        assert!(
            ["7.5ms", "13.75ms", "16.25ms", "30ms", "60ms", "120ms"].iter().all(|near| rungs.iter().any(|r| r == near))
        );
        let asked = tried("link = \"ble-coc\"\n[ble]\nconn_interval = \"15ms\"\n", "ble.request_interval");
        assert!(asked.iter().any(|rung| rung == "7.5ms") && asked.iter().any(|rung| rung == "120ms"), "{asked:?}");
    }

    #[test]
    fn words_are_all_tried_but_the_one_in_effect() {
        assert_eq!(tried("link = \"ble-coc\"\n", "ble.phy"), ["1M", "S2", "S8"]);
        assert_eq!(tried("link = \"ble-coc\"\n", "ble.encrypted"), ["true"]);
    }
}
