//! Figures of one run, in integers: the laboratory rounds them when it writes a record.

use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::ledger::{Account, Ledger};
use airtime_keys::{Key, Value};

use crate::figures::{CallFigures, Negotiated};
use crate::ordered::Ordered;

/// Figures of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// Payload that arrived in the steady state, where the test is one of a rate.
    pub carried: Option<Carried>,
    /// Octets of payload that the sender's stack took in the steady state, where that can differ.
    pub accepted: Option<u64>,
    /// Length of the run: time from its start to its end.
    pub elapsed: Duration,
    /// Time from the start to the first payload that arrived; all of it where nothing did.
    pub setup: Duration,
    /// Time from the end of the warm-up to the end.
    pub steady: Duration,
    /// Books over the whole run; they add up to `elapsed`.
    pub books: Vec<Booked>,
    /// Books over the steady state; they add up to `steady`.
    pub steady_books: Vec<Booked>,
    /// Octets of payload that arrived in each second from the start; the last one is cut short by the end.
    pub per_second: Vec<u64>,
    /// Latency in the steady state, if anything arrived.
    pub latency: Option<Percentiles>,
    /// Name of the account that cost most outside the payload.
    pub bottleneck: &'static str,
    /// Sentence about the bottleneck.
    pub says: String,
    /// Counters by name, of the steady state.
    pub counters: Ordered<u64>,
    /// Outcome of the run: `ok`, or how it failed.
    pub outcome: String,
    /// Random numbers drawn from the seed: without any, every seed gives the same.
    pub random_draws: u64,
    /// Parameters that two ends agreed on, where ends do.
    pub negotiated: Option<Negotiated>,
    /// Values in effect of keys that a plan can ask for and not have, with who decides.
    pub granted: Vec<Granted>,
    /// Figures of remote calls, where there were any.
    pub calls: Option<CallFigures>,
    /// Links of the run, in their order, where there are several that share a radio.
    pub links: Vec<LinkRan>,
    /// Figures in units of the link's own, which published ones can be compared with.
    pub figures: Vec<Figure>,
}

/// Value in effect of a key for which a plan may have asked another.
#[derive(Clone, Debug, PartialEq)]
pub struct Granted {
    /// Dotted name of the key.
    pub key: &'static str,
    /// Value in effect, as the plan would have it; null where the key has none here.
    pub value: Value,
    /// Name of who decides about the value.
    pub by: String,
}

/// Default that limits a run, of which the plan says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultLimit {
    /// Word of the default.
    pub default: String,
    /// Name of the device that has it.
    pub device: String,
    /// Clause on what it makes of the run.
    pub cause: String,
}

impl Granted {
    /// The `value` of `key` that is in effect, as `by` decided.
    pub fn new(key: &'static Key, value: impl Into<Value>, by: impl Into<String>) -> Self {
        Self { key: key.name, value: value.into(), by: by.into() }
    }
}

/// Figures of one link among several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkRan {
    /// Name of the link's far end: `peripheral0`.
    pub name: String,
    /// Payload that arrived in the steady state.
    pub carried: Carried,
    /// Exchanges and connection events in the steady state, where it has them.
    pub exchanges: Option<(u64, u64)>,
    /// Connection interval that was granted, where it has one.
    pub interval: Option<Duration>,
    /// Books over the steady state, where it has any.
    pub steady_books: Vec<Booked>,
    /// Name of the account that cost most outside the payload, and a sentence about it, where it has books.
    pub bottleneck: Option<(&'static str, String)>,
    /// Outcome of the link: `ok`, or how it failed.
    pub outcome: String,
}

/// Outcome of a run as its record has it.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Counters by name, of the steady state.
    pub counters: &'a Ordered<u64>,
    /// Length of the steady state.
    pub steady: Duration,
    /// Goodput that the sender's stack took, where that differs from the one that arrived.
    pub accepted_kbps: Option<f64>,
    /// Parameters that two ends agreed on, where ends do.
    pub negotiated: Option<&'a Negotiated>,
    /// Every key with its value in effect.
    pub params: &'a Ordered<Value>,
}

impl Told<'_> {
    /// The text in effect for `key`.
    pub fn text(&self, key: &Key) -> Option<&str> {
        self.params.get(key.name)?.as_str()
    }

    /// The counter of this name; none is zero.
    pub fn count(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// Counters whose names begin with `prefix`, without it, as far as they count anything.
    pub fn counted<'b>(&'b self, prefix: &'b str) -> impl Iterator<Item = (&'b str, u64)> {
        let named = self.counters.iter().filter_map(move |(name, count)| Some((name.strip_prefix(prefix)?, *count)));
        named.filter(|(_, count)| *count > 0)
    }
}

/// Octets of payload, and the time by which they are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Octets of payload that arrived.
    pub octets: u64,
    /// Time that the payload took, by which it is divided.
    pub time: Duration,
}

/// Figure that is no rate of payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Unit as published figures have it: `ms/call`.
    pub unit: &'static str,
    /// Name beside the figure in a record.
    pub field: &'static str,
    /// Value of the figure, in its unit.
    pub value: f64,
}

/// Name of an account, and the time booked to it.
pub type Booked = (&'static str, Duration);

/// Every account of these books with its time.
pub fn booked<A: Account>(ledger: &Ledger<A>) -> Vec<Booked> {
    ledger.entries().map(|(account, time)| (account.name(), time)).collect()
}

/// Latencies that half, 95 % and 99 % stay within.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Percentiles {
    /// Median: half of the latencies are shorter.
    pub p50: Duration,
    /// 95th percentile: 95 % of the latencies are shorter.
    pub p95: Duration,
    /// 99th percentile: 99 % of the latencies are shorter.
    pub p99: Duration,
}

impl Percentiles {
    /// Each with its name, as counters in nanoseconds are called.
    pub fn named(&self) -> [(&'static str, Duration); 3] {
        [("p50", self.p50), ("p95", self.p95), ("p99", self.p99)]
    }
}

/// Percentiles of these latencies by nearest rank; none of none.
pub fn nearest_rank(latencies: &[Duration]) -> Option<Percentiles> {
    let mut sorted = latencies.to_vec();
    sorted.sort_unstable();
    let at = |per_cent: usize| {
        let rank = (sorted.len() * per_cent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied()
    };
    Some(Percentiles { p50: at(50)?, p95: at(95)?, p99: at(99)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let ms = |ms| Duration::from_millis(ms);
        let hundred: Vec<Duration> = (1..=100).rev().map(ms).collect();
        assert_eq!(nearest_rank(&hundred), Some(Percentiles { p50: ms(50), p95: ms(95), p99: ms(99) }));
        assert_eq!(nearest_rank(&[ms(7)]), Some(Percentiles { p50: ms(7), p95: ms(7), p99: ms(7) }));
        assert_eq!(nearest_rank(&[]), None);
    }
}
