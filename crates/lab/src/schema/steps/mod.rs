//! One step each way from a value: what `explain` and `tune` may try.

use airtime_core::Duration;
use airtime_core::units::{Frequency, Size};
use airtime_keys::{Key, Kind, Step};
use serde_json::Value;

use crate::plan::scenario::Scenario;

/// Values of `key` worth trying instead of `current`, without it: for a numeric key a step each way
/// on the grid that means something to it, for an enumerated key every alternative. They may still
/// be impossible in `scenario`; [`Plan::vary`](crate::Plan::vary) tells. `current` is the key's value
/// in the scenario's params, or null; parts of a table that is not in effect have no steps.
pub fn steps(key: &Key, current: &Value, scenario: &Scenario) -> Vec<Value> {
    let part_of_table = super::find(key.table()).is_some();
    let mut found: Vec<Value> = match key.kind {
        _ if current.is_null() && part_of_table => Vec::new(),
        Kind::Flag => vec![Value::Bool(current == &Value::Bool(false))],
        Kind::Choice(words) => words.iter().map(|word| (*word).into()).collect(),
        Kind::Forms { words, .. } => words.iter().map(|word| (*word).into()).collect(),
        Kind::Count(min, max) => {
            let now = current.as_u64().unwrap_or(min);
            counts(key, now, min, scenario).into_iter().filter(|n| (min..=max).contains(n)).map(Value::from).collect()
        }
        Kind::Span(min, max) => {
            let now = current.as_str().and_then(|text| text.parse().ok());
            let near = spans(key, now.unwrap_or(min), min, scenario).into_iter();
            near.filter(|span| (min..=max).contains(span)).map(|span| span.to_string().into()).collect()
        }
        Kind::Parsed { alternatives, .. } => alternatives.iter().map(|word| (*word).into()).collect(),
        Kind::Size(min, max) => {
            let now = current.as_str().and_then(|text| text.parse::<Size>().ok()).map_or(min, |size| size.0);
            let near = [now / 2, now.saturating_mul(2)].into_iter().filter(|n| (min..=max).contains(n));
            near.map(|n| Size(n).to_string().into()).collect()
        }
        Kind::Clock(min, max) => {
            let now = current.as_str().and_then(|text| text.parse::<Frequency>().ok()).map_or(min, |clock| clock.0);
            let near = [now / 2, now.saturating_mul(2), max].into_iter().filter(|n| (min..=max).contains(n));
            near.map(|n| Frequency(n).to_string().into()).collect()
        }
        Kind::Text(_)
        | Kind::CountOrNone(..)
        | Kind::SpanOrNone(..)
        | Kind::Probability
        | Kind::Personality
        | Kind::Threshold
        | Kind::Rate
        | Kind::Rates => Vec::new(),
    };
    let mut seen: Vec<Value> = vec![current.clone()];
    found.retain(|value| {
        let new = !seen.contains(value);
        seen.push(value.clone());
        new
    });
    found
}

/// Counts near `now`: the steps that the key declares, or half and twice.
fn counts(key: &Key, now: u64, least: u64, scenario: &Scenario) -> Vec<u64> {
    match key.steps {
        [] => vec![now / 2, now.saturating_mul(2)],
        _ => stepped(key, now, least, scenario),
    }
}

/// Times near `now`, the same way.
fn spans(key: &Key, now: Duration, least: Duration, scenario: &Scenario) -> Vec<Duration> {
    counts(key, now.as_nanos(), least.as_nanos(), scenario).into_iter().map(Duration::from_nanos).collect()
}

/// The steps that the key declares, from `now`.
fn stepped(key: &Key, now: u64, least: u64, scenario: &Scenario) -> Vec<u64> {
    let of = |step: &Step| match step.from(now, least) {
        // There is nothing less than the least.
        Some(value) if matches!(step, Step::Less(_)) && value == now => Vec::new(),
        Some(value) => vec![value],
        None => scenario.fitting(key, now),
    };
    key.steps.iter().flat_map(of).collect()
}
