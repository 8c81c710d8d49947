//! Explanations: the changes that would gain most, each a point of its own that can be run.
//!
//! No remedy is written by hand. Every key that somebody can turn has a [ladder](ladder::ladder): counts and times twice
//! and half as much, again and again, and every alternative of words. Whether one helps is found by running it, first for
//! a [part](Length) of the time, and what is shown for the whole of it.
//!
//! - [`candidates`], [`combined`]: changes as points · [`Worth`]: what a run carries, and if it keeps what arrived before
//! - [`Length`]: short runs · [`Change`], [`Together`]: what was found · [`block`]: lines to paste
//! - [`advice`]: what else is known of an `sdkconfig` · [`machine`]: what nobody can turn

pub mod advice;
pub mod block;
mod brief;
mod candidate;
pub mod ladder;
pub mod machine;
mod worth;

use serde::Serialize;

pub use block::Block;
pub use brief::Length;
pub use candidate::{Candidate, candidates, combined, set_arguments};
pub use worth::Worth;

/// The schema's name, first in the document that `airtime explain --json` prints.
pub const SCHEMA: &str = "airtime/explain/1";
/// The least gain worth a word, in percent.
pub const GAIN_MIN_PCT: f64 = 1.0;
/// Number of changes that are shown.
pub const CHANGES_SHOWN: usize = 3;
/// Number of keys that are changed together at most.
pub const TOGETHER_MAX: usize = 3;

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
    /// The change that `candidate` came to in a run of `worth`, beside `base`.
    pub fn of(candidate: &Candidate, worth: &Worth, base: &Worth) -> Self {
        Self {
            set: candidate.set.clone(),
            who: candidate.turns.name().to_owned(),
            goodput_kbps: worth.kbps,
            gain_pct: worth.gain_pct(base),
            worst_kbps: worth.worst_kbps,
        }
    }
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

/// Extent of a search that was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Stopped {
    /// Changes that were tried before.
    pub after: usize,
    /// Changes there are.
    pub of: usize,
}

/// Conclusion of an explanation: the change that gains most.
pub fn conclusion(base: &Worth, changes: &[Change], tried: usize) -> String {
    match changes.first() {
        // What is more than nothing has no percentage.
        Some(best) if base.kbps <= 0.0 => format!(
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

/// Conclusion of an explanation that was stopped: how far it came, and what looked best by then in a short run.
pub fn stopped(stopped: Stopped, changes: &[Change], promising: Option<&str>) -> String {
    let Stopped { after, of } = stopped;
    let found = match (changes.first(), promising) {
        (Some(best), _) => format!("best so far {}: {:+.1} %", best.set, best.gain_pct),
        (None, Some(set)) => format!("best so far, in short runs only, {set}"),
        (None, None) => "none has gained so far".to_owned(),
    };
    format!("stopped after {after} of {of} changes; {found}")
}
