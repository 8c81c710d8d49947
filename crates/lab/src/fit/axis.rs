//! Values that a key of a device may take: what its declaration allows, around what known devices have.

use airtime_core::Duration;
use airtime_core::units::{Frequency, Size};
use serde_json::Value;
use thiserror::Error;

use crate::personality::Personality;
use crate::schema::{Key, Kind};

/// Part of the least that a known device has down to which numbers are tried, and times the most, *assumed*: four times as much of anything is another design.
const REACH: u64 = 4;
/// Rungs of a doubling of a time, *assumed*: what lies between two rungs is tried where it is good.
const RUNGS: u32 = 3;
/// Unit of the connection intervals. Core 6.0, Vol 6, Part B, 4.5.1.
const INTERVAL_UNIT_NS: u64 = 1_250_000;
/// Word for a limit that is not there.
const NONE: &str = "none";

/// A value of a device, with what it may be.
#[derive(Clone, Debug)]
pub struct DeviceAxis {
    /// Key of it.
    pub key: &'static Key,
    /// Values that it may take: numbers from the least to the largest, and `none` last.
    pub values: Vec<Value>,
}

/// Reason that a key is no axis.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotAnAxis {
    /// No device of the kind has it.
    #[error("no device of this kind has a key `{0}`")]
    NoKey(String),
    /// A value is none of its values.
    #[error("{0}")]
    Value(String),
    /// It has one value.
    #[error("`{0}` has nothing to try: name the values, as in --free {0}=1,2,4")]
    OneValue(String),
}

/// Values that devices differ in: an axis for every key of which two of `known` have two values.
pub fn axes(known: &[Personality]) -> Vec<DeviceAxis> {
    let Some(first) = known.first() else { return Vec::new() };
    let keys = first.kind.keys.iter().filter(|key| key.name.contains('.'));
    keys.filter(|key| distinct(key, known).len() > 1).filter_map(|key| tried(key, known)).collect()
}

/// The axis of the key `name` of devices like `known` with these `texts` as values; without any, with those that are tried.
///
/// # Errors
/// When there is no such key or value, or nothing to try.
pub fn axis(known: &[Personality], name: &str, texts: &[String]) -> Result<DeviceAxis, NotAnAxis> {
    let none = || NotAnAxis::NoKey(name.to_owned());
    let key = known.first().and_then(|first| first.kind.key(name)).ok_or_else(none)?;
    if texts.is_empty() {
        return tried(key, known).ok_or_else(|| NotAnAxis::OneValue(name.to_owned()));
    }
    let value = |text: &String| {
        let plain = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
        key.kind.check(key.name, &plain).map_err(|fault| {
            let allowed = fault.allowed.map(|allowed| format!("; allowed here: {allowed}")).unwrap_or_default();
            NotAnAxis::Value(format!("{}{allowed}", fault.what))
        })
    };
    let mut values = texts.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    values.extend(distinct(key, known).into_iter().take(1));
    sorted(key, &mut values);
    Ok(DeviceAxis { key, values })
}

impl DeviceAxis {
    /// Number of `value` among the values, which it joins where it is not there yet.
    pub fn place(&mut self, value: &Value) -> usize {
        if !self.values.contains(value) {
            self.values.push(value.clone());
            sorted(self.key, &mut self.values);
        }
        self.values.iter().position(|known| known == value).unwrap_or_default()
    }

    /// Tells if the values are numbers, so that a step leads to the next one.
    pub fn is_ladder(&self) -> bool {
        matches!(
            self.key.kind,
            Kind::Count(..)
                | Kind::CountOrNone(..)
                | Kind::Span(..)
                | Kind::SpanOrNone(..)
                | Kind::Size(..)
                | Kind::Clock(..)
        )
    }

    /// Value in the middle between two neighbours of a ladder; none where there is nothing between them.
    pub fn between(&self, low: &Value, high: &Value) -> Option<Value> {
        let (low, high) = (self.key.kind.number(low)?, self.key.kind.number(high)?);
        let unit = unit(self.key, &self.values);
        let middle = (low + (high - low) / 2) / unit * unit;
        (low < middle && middle < high).then(|| write(self.key, middle))?
    }
}

/// Values of `key` that `known` devices have, each once, that of the first of them first.
fn distinct(key: &Key, known: &[Personality]) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in known.iter().filter_map(|device| device.get(key.name)).map(|entry| &entry.value) {
        if !found.contains(value) {
            found.push(value.clone());
        }
    }
    found
}

fn tried(key: &'static Key, known: &[Personality]) -> Option<DeviceAxis> {
    let mut values = distinct(key, known);
    match key.kind {
        Kind::Flag => values.extend([false.into(), true.into()]),
        Kind::Choice(words) | Kind::Forms { words, .. } | Kind::Parsed { alternatives: words, .. } => {
            values.extend(words.iter().map(|word| Value::from(*word)));
        }
        Kind::Count(..) | Kind::CountOrNone(..) | Kind::Span(..) | Kind::SpanOrNone(..) | Kind::Size(..) => {
            values.extend(ladder(key, &values));
        }
        _ => {}
    }
    if matches!(key.kind, Kind::CountOrNone(..) | Kind::SpanOrNone(..)) {
        values.push(NONE.into());
    }
    sorted(key, &mut values);
    (values.len() > 1).then_some(DeviceAxis { key, values })
}

/// Numbers from a part of the least of `values` to some times their largest.
fn ladder(key: &Key, values: &[Value]) -> Vec<Value> {
    let numbers = || values.iter().filter_map(|value| key.kind.number(value)).filter(|number| *number > 0);
    let (Some(low), Some(high)) = (numbers().min(), numbers().max()) else { return Vec::new() };
    let (Kind::Count(least, most) | Kind::CountOrNone(least, most) | Kind::Size(least, most)) = key.kind else {
        return spans(key, values, low / REACH, high.saturating_mul(REACH));
    };
    let (mut at, mut found) = ((low / REACH).max(least).max(1), Vec::new());
    let end = high.saturating_mul(REACH).min(most);
    while at <= end {
        found.extend(write(key, at));
        // Small counts one by one, then by halves.
        at += (at / 2).max(1);
    }
    found
}

/// Times from `low` to `high`, some for each doubling.
fn spans(key: &Key, values: &[Value], low: u64, high: u64) -> Vec<Value> {
    let (Kind::Span(least, most) | Kind::SpanOrNone(least, most)) = key.kind else { return Vec::new() };
    let unit = unit(key, values);
    let (low, high) =
        (low.clamp(least.as_nanos(), most.as_nanos()).max(unit), high.clamp(least.as_nanos(), most.as_nanos()));
    let mut found = Vec::new();
    let mut at = low;
    while at <= high {
        found.extend(write(key, at / unit * unit));
        at += (at / u64::from(RUNGS + 1)).max(unit);
    }
    found
}

/// Unit that all values are multiples of: that of connection intervals, or a microsecond; one of counts.
fn unit(key: &Key, values: &[Value]) -> u64 {
    if !matches!(key.kind, Kind::Span(..) | Kind::SpanOrNone(..)) {
        return 1;
    }
    let mut numbers = values.iter().filter_map(|value| key.kind.number(value));
    if numbers.all(|number| number % INTERVAL_UNIT_NS == 0) { INTERVAL_UNIT_NS } else { 1_000 }
}

fn write(key: &Key, number: u64) -> Option<Value> {
    let value = match key.kind {
        Kind::Count(..) | Kind::CountOrNone(..) => Value::from(number),
        Kind::Span(..) | Kind::SpanOrNone(..) => Duration::from_nanos(number).to_string().into(),
        Kind::Size(..) => Size(number).to_string().into(),
        Kind::Clock(..) => Frequency(number).to_string().into(),
        _ => return None,
    };
    key.kind.check(key.name, &value).ok()
}

/// Each once: numbers in their order, and what is none behind them.
fn sorted(key: &Key, values: &mut Vec<Value>) {
    if values.iter().any(|value| key.kind.number(value).is_some()) {
        values.sort_by_key(|value| key.kind.number(value).unwrap_or(u64::MAX));
    }
    let mut once: Vec<Value> = Vec::new();
    for value in values.drain(..) {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    *values = once;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;

    fn known() -> Vec<Personality> {
        let library = Library::builtin();
        ["zephyr-ll", "macos", "nordic-sdc"].map(|name| library.get(name).unwrap().clone()).to_vec()
    }

    #[test]
    fn axes_are_what_devices_differ_in() {
        let found = axes(&known());
        let names: Vec<&str> = found.iter().map(|axis| axis.key.name).collect();
        for own in ["controller.budget", "controller.event_time_cap", "host.intervals.multiple_of", "host.credits"] {
            assert!(names.contains(&own), "{own} in {names:?}");
        }
        assert!(!names.contains(&"controller.crc_errors_close"), "all have the same");
        let cap = found.iter().find(|axis| axis.key.name == "controller.event_time_cap").unwrap();
        assert_eq!(cap.values.last(), Some(&NONE.into()));
        assert!(cap.values.contains(&"5500us".into()) || cap.values.contains(&"5.5ms".into()), "{:?}", cap.values);
    }

    #[test]
    fn a_grid_of_intervals_stays_on_theirs() {
        let grid = axis(&known(), "host.intervals.multiple_of", &[]).unwrap();
        let on_grid = |value: &Value| grid.key.kind.number(value).unwrap().is_multiple_of(INTERVAL_UNIT_NS);
        assert!(grid.values.len() > 6 && grid.values.iter().all(on_grid), "{:?}", grid.values);
        assert_eq!(grid.between(&"1.25ms".into(), &"2.5ms".into()), None);
        let margin = axis(&known(), "controller.margin", &["200us".into(), "300us".into()]).unwrap();
        assert_eq!(margin.values, ["200us", "281us", "300us"]);
        assert_eq!(margin.between(&"200us".into(), &"281us".into()), Some("240us".into()));
        assert!(matches!(axis(&known(), "controller.mrgin", &[]), Err(NotAnAxis::NoKey(_))));
        assert!(matches!(axis(&known(), "controller.margin", &["3".into()]), Err(NotAnAxis::Value(_))));
    }
}
