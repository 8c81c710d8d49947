//! Explanations: a ladder from the figure of today to the limit of the link, each rung a mechanism that is eased in a real run.
//!
//! No remedy is written by hand. Every key that can cost throughput says which [mechanism](airtime_keys::Mechanism) it belongs to, and
//! is a [lever](Lever) of it with the [values](values::values) that its owner could set. A mechanism is relaxed whole; the one that
//! gains most is the cause. The fewest of its keys that keep the gain are a [rung](Rung), and the next one stands on it.
//!
//! - [`levers`], [`combined`]: what can be changed at a point, and the point with changes · [`candidates`]: changes of one key
//! - [`Worth`]: what a run carries, and if it keeps what arrived before · [`Length`]: short runs
//! - [`Rung`], [`Cause`], [`Limit`]: what was found · [`block`]: lines to paste · [`gained`]: a gain in words
//! - [`advice`]: what else is known of an `sdkconfig` · [`machine`]: what nobody can turn

pub mod advice;
pub mod block;
mod brief;
mod candidate;
pub mod cost;
pub mod lever;
pub mod machine;
mod rung;
mod sentences;
pub mod values;
mod worth;

pub use airtime_keys::{Guard, Mechanism, Way};
use serde::Serialize;

use crate::record::{Bottleneck, Record, error_pct, tenth};

pub use block::Block;
pub use brief::{Length, measured};
pub use candidate::{Candidate, candidates, combined, set_arguments};
pub use lever::{Lever, levers};
pub use rung::{Rung, Seen, Turned, gained, granted};
pub use worth::Worth;

/// The schema's name, first in the document that `airtime explain --json` prints.
pub const SCHEMA: &str = "airtime/explain/1";
/// The least gain worth a word, in percent.
pub const GAIN_MIN_PCT: f64 = 1.0;
/// A change that was run for as long as the plan says.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Change {
    /// Setting to change, as `--set` takes it.
    pub set: String,
    /// Owner of the setting: `firmware`, `central's application`, `operating system`.
    pub who: String,
    /// Goodput with it, the sum over all links, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Gain over the plan as it is, in percent.
    pub gain_pct: f64,
    /// Goodput of the link or stream that carries least, where there are several.
    pub worst_kbps: Option<f64>,
}

impl Change {
    /// The change that the last of `rungs` is together with those that it stands on, beside the goodput of today; none of none.
    pub fn of(rungs: &[&Rung], base: &Worth) -> Option<Self> {
        let last = rungs.last()?;
        Some(Self {
            set: settings(rungs).join(" --set "),
            who: owners(rungs.iter().flat_map(|rung| &rung.changes)),
            goodput_kbps: last.goodput_kbps,
            gain_pct: tenth(gain_pct(last.goodput_kbps, base.kbps)),
            worst_kbps: last.worst_kbps,
        })
    }
}

/// Settings of `rungs`, as `--set` takes them; of a key that several of them change, the last.
pub fn settings(rungs: &[&Rung]) -> Vec<String> {
    let mut found: Vec<&Turned> = Vec::new();
    for turned in rungs.iter().flat_map(|rung| &rung.changes) {
        found.retain(|known| known.key != turned.key);
        found.push(turned);
    }
    found.into_iter().map(|turned| turned.set.clone()).collect()
}

/// Owners of what is turned, each once.
fn owners<'a>(turned: impl Iterator<Item = &'a Turned>) -> String {
    let mut owners: Vec<&str> = Vec::new();
    for turned in turned {
        if !owners.contains(&turned.who.as_str()) {
            owners.push(&turned.who);
        }
    }
    owners.join(", ")
}

/// Several changes that gain most together, in a run with all of them.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Together {
    /// Settings to change, as `--set` takes them.
    pub set: Vec<String>,
    /// Goodput with all of them, the sum over all links, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Gain over the plan as it is, in percent.
    pub gain_pct: f64,
    /// Goodput of the link or stream that carries least, where there are several.
    pub worst_kbps: Option<f64>,
}

/// Cause of what is lost: the mechanism whose relaxation gains most.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Cause {
    /// Its name; several names where they gain as much within a tenth, or bind together.
    pub mechanisms: Vec<&'static str>,
    /// Sentence on it.
    pub says: String,
}

impl Cause {
    /// The cause that `mechanisms` are, of which the first rung of `ladder` tells; none where nothing gains.
    pub fn of(mechanisms: &[Mechanism], ladder: &[Rung]) -> Option<Self> {
        let first = ladder.first()?;
        let named = |mechanism: &&Mechanism| !first.mechanisms.contains(&mechanism.name());
        let others: Vec<&str> = mechanisms.iter().filter(named).map(|mechanism| mechanism.phrase()).collect();
        let shared =
            if others.is_empty() { String::new() } else { format!("; {} costs about as much", others.join(", ")) };
        let mut all = first.mechanisms.clone();
        all.extend(mechanisms.iter().filter(named).map(|mechanism| mechanism.name()));
        Some(Self { mechanisms: all, says: format!("{}{shared}", first.says) })
    }
}

/// Limit of the link: the end of the ladder, and what keeps it there.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Limit {
    /// Goodput there, the sum over all links, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Account that costs most there, outside the payload.
    pub account: String,
    /// Sentence on it.
    pub says: String,
}

impl Limit {
    /// The limit that the run of `record` is.
    pub fn of(record: &Record) -> Self {
        let Bottleneck { account, says } = record.bottleneck.clone();
        Self { goodput_kbps: tenth(Worth::of(record).kbps), account, says }
    }
}

/// Extent of a search that was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Stopped {
    /// Runs that were made before.
    pub after: usize,
    /// Runs there are; always none, for a ladder shows how many only when it ends.
    pub of: Option<usize>,
}

/// Conclusion of an explanation: the first rung that somebody can turn, and the end of the ladder.
pub fn conclusion(base: &Worth, ladder: &[Rung], limit: &Limit) -> String {
    let ours = ours(ladder);
    let Some(first) = ours.first() else {
        let theirs = if ladder.is_empty() { "" } else { " that somebody can turn" };
        return format!("Nothing{theirs} gains {GAIN_MIN_PCT} %.");
    };
    let gained = gained(base.kbps, first.goodput_kbps);
    let (set, who) = (first.set.join(" --set "), first.who());
    let all = match ours.as_slice() {
        [_] => String::new(),
        all => format!(" All {} remedies: {:.1} kbps.", all.len(), all[all.len() - 1].goodput_kbps),
    };
    let limit = if limit.goodput_kbps > ours[ours.len() - 1].goodput_kbps {
        format!(" Without what nobody can turn: {:.1} kbps.", limit.goodput_kbps)
    } else {
        String::new()
    };
    let most = match (first.evens, first.worst_before_kbps.zip(first.worst_kbps)) {
        (true, Some((was, is))) => format!("{set} shares the radio out: the worst link {was:.1} → {is:.1} kbps"),
        _ => format!("{set} gains most: {:.1} kbps, {gained}", first.goodput_kbps),
    };
    format!("{most} ({who} can make it).{all}{limit}")
}

/// Rungs that somebody can turn, and that stand on nothing that nobody can.
pub fn ours(ladder: &[Rung]) -> Vec<&Rung> {
    ladder.iter().filter(|rung| rung.applied).take_while(|rung| rung.turnable).collect()
}

/// Conclusion of an explanation that was stopped: how far it came.
pub fn stopped(stopped: Stopped, base: &Worth, ladder: &[Rung]) -> String {
    let Stopped { after, .. } = stopped;
    let found = match ours(ladder).last() {
        Some(last) => {
            let set: Vec<String> = ours(ladder).iter().flat_map(|rung| rung.set.clone()).collect();
            format!(
                "so far {}: {:.1} kbps, {}",
                set.join(" --set "),
                last.goodput_kbps,
                gained(base.kbps, last.goodput_kbps)
            )
        }
        None => "nothing has gained so far".to_owned(),
    };
    format!("stopped after {after} runs; {found}")
}

/// Gain in percent; what is more than nothing is counted against 1 kbit/s.
fn gain_pct(kbps: f64, base: f64) -> f64 {
    error_pct(kbps, base).or_else(|| error_pct(kbps, 1.0)).unwrap_or(0.0)
}
