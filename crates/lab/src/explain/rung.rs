//! Rungs of the ladder that an explanation is: from today's figure, mechanism after mechanism, to the limit of the link.

use airtime_keys::Mechanism;
use serde::Serialize;
use serde_json::Value;

use super::block::{self, Block};
use super::cost::costs;
use super::lever::now;
use super::sentences;
use super::worth::Worth;
use crate::plan::{Point, set_argument, toml_text, turns};
use crate::record::{Record, tenth};
use crate::schema::{self, Turns};

/// One rung: a mechanism that is eased by the fewest keys that do.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Rung {
    /// Mechanisms that are eased: `packet`; several where they bind together.
    pub mechanisms: Vec<&'static str>,
    /// Sentence on what was short.
    pub says: String,
    /// Account of the air that it frees most of.
    pub account: Option<String>,
    /// Settings to change, as `--set` takes them.
    pub set: Vec<String>,
    /// The same with the value in effect before, and with whose they are.
    pub changes: Vec<Turned>,
    /// Set if somebody can make the changes.
    pub turnable: bool,
    /// Set if the rungs after it stand on it; what nobody can turn is told first where it costs most.
    pub applied: bool,
    /// Goodput with it, the sum over all links, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Goodput before it.
    pub before_kbps: f64,
    /// Gain over that in percent.
    pub gain_pct: f64,
    /// Goodput of the link or stream that carries least, where there are several.
    pub worst_kbps: Option<f64>,
    /// The same before it.
    pub worst_before_kbps: Option<f64>,
    /// Set if it is no gain of the sum that it is for, but that the link that carries least gets more of it.
    pub evens: bool,
    /// Lines to paste, by place.
    pub paste: Vec<Block>,
    /// Prices of it, a phrase each: `delay p99 12.1 → 480.0 ms`.
    pub costs: Vec<String>,
}

/// A setting that a rung changes.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Turned {
    /// The setting as `--set` takes it.
    pub set: String,
    /// Dotted name of the key.
    pub key: String,
    /// Value before; null for none.
    pub from: Value,
    /// Value with it; null for none.
    pub to: Value,
    /// Owner of the key: `firmware`, `central's application`, `nobody`.
    pub who: String,
}

/// A run of a point.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The point.
    pub point: &'a Point,
    /// Its record.
    pub record: &'a Record,
}

impl Rung {
    /// Rung from one run to the next by `changes` that ease `mechanisms`.
    pub fn of(mechanisms: &[Mechanism], before: Seen<'_>, after: Seen<'_>, changes: &[(String, Value)]) -> Self {
        let turned: Vec<Turned> = changes.iter().map(|(name, value)| turned(before.point, name, value)).collect();
        let (was, is) = (Worth::of(before.record), Worth::of(after.record));
        let account = freed(before.record, after.record);
        let turnable = changes.iter().all(|(name, _)| !matches!(owner(before.point, name), Turns::Nobody | Turns::Os));
        Self {
            mechanisms: mechanisms.iter().map(|mechanism| mechanism.name()).collect(),
            says: sentences::rung(mechanisms, before, after, account.as_deref(), &turned),
            account,
            set: turned.iter().map(|turned| turned.set.clone()).collect(),
            changes: turned,
            turnable,
            applied: true,
            goodput_kbps: tenth(is.kbps),
            before_kbps: tenth(was.kbps),
            gain_pct: tenth(is.gain_pct(&was)),
            worst_kbps: is.worst_kbps,
            worst_before_kbps: was.worst_kbps,
            evens: is.evens_out(&was),
            paste: if turnable { block::blocks(before.point, changes) } else { Vec::new() },
            costs: costs(before.record, after.record),
        }
    }

    /// Owners of what it changes, each once.
    pub fn who(&self) -> String {
        super::owners(self.changes.iter())
    }
}

impl Turned {
    /// `acl.count 1 → 6`.
    pub fn says(&self) -> String {
        let text = |value: &Value| if value.is_null() { "none".to_owned() } else { toml_text(value) };
        format!("{} {} → {}", self.key, text(&self.from), text(&self.to))
    }
}

fn owner(point: &Point, name: &str) -> Turns {
    schema::find(name).map_or(Turns::Nobody, |key| turns(key, &point.scenario))
}

fn turned(before: &Point, name: &str, value: &Value) -> Turned {
    let from = schema::find(name).map_or(Value::Null, |key| now(key, before));
    let who = owner(before, name).name().to_owned();
    Turned { set: set_argument(name, value), key: name.to_owned(), from, to: value.clone(), who }
}

/// Account other than payload that takes most less time for an octet that arrives.
fn freed(before: &Record, after: &Record) -> Option<String> {
    let cost = |record: &Record, account: &str| {
        let ns = record.steady_ledger_ns.get(account).copied().unwrap_or(0);
        ns as f64 / record.delivered_bytes.max(1) as f64
    };
    let accounts = before.steady_ledger_ns.iter().map(|(account, _)| account);
    let freed = accounts
        .filter(|account| !account.starts_with("payload"))
        .map(|account| (account, cost(before, account) - cost(after, account)));
    let most = freed.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, freed)| *freed > 0.0);
    most.map(|(account, _)| account.to_owned())
}

/// `changes` with what was granted in place of what was asked for, and without those of which nothing was; none where everything was
/// granted.
pub fn granted(record: &Record, changes: &[(String, Value)], before: &Point) -> Option<Vec<(String, Value)>> {
    let answer = |name: &str| record.asked.iter().find(|asked| asked.key == name).map(|asked| asked.granted.clone());
    if !changes.iter().any(|(name, value)| !value.is_null() && answer(name).is_some()) {
        return None;
    }
    let is_now = |name: &str, value: &Value| schema::find(name).is_some_and(|key| now(key, before) == *value);
    let kept = changes.iter().map(|(name, value)| (name.clone(), answer(name).unwrap_or_else(|| value.clone())));
    Some(kept.filter(|(name, value)| !value.is_null() && !is_now(name, value)).collect())
}

/// Gain from one goodput to another in words: a percentage, or, over next to nothing, both figures.
pub fn gained(before_kbps: f64, after_kbps: f64) -> String {
    // Above ten times as much a percentage says less than the factor, *assumed*, and over less than 1 kbit/s neither says anything.
    match after_kbps / before_kbps {
        _ if before_kbps < 1.0 => format!("from {before_kbps:.1} to {after_kbps:.1} kbps"),
        times if times >= 10.0 => format!("{times:.0} times as much"),
        times => format!("{:+.1} %", 100.0 * (times - 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_over_next_to_nothing_are_no_percentages() {
        assert_eq!(gained(1000.0, 1034.5), "+3.4 %");
        assert_eq!(gained(62.0, 1285.0), "21 times as much");
        assert_eq!(gained(0.5, 655.0), "from 0.5 to 655.0 kbps");
        assert_eq!(gained(0.0, 655.0), "from 0.0 to 655.0 kbps");
    }
}
