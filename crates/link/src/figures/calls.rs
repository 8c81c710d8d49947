//! Figures of remote calls.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Latency;

/// Figures of the calls of the first run.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CallFigures {
    /// Benchmarks, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub benches: Vec<BenchFigures>,
    /// Checks, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckFigure>,
}

/// One benchmark. Times are of calls that count, from the begin of a call to its end.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BenchFigures {
    /// Name of the method that was called.
    pub call: String,
    /// Payload octets of a call, or items of its stream.
    pub payload: u64,
    /// Calls under way at a time.
    pub outstanding: u8,
    /// Calls that count and ended well.
    pub calls: u64,
    /// Calls that count and did not.
    pub failed: u64,
    /// Reason that the last of those did not end well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Calls before the first that counts.
    pub warmup: u32,
    /// Time of the calls that count, first begin to last end, by their number: the published figure. With several calls under way
    /// it is less than what one takes.
    pub ms_per_call: f64,
    /// Time per item of the streams, in ms; absent for unary calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms_per_item: Option<f64>,
    /// Payload by that time, in 1024 octets per second.
    pub kib_per_s: f64,
    /// Calls that count by that time, per second.
    pub calls_per_s: f64,
    /// Percentiles of the duration of a call, in ms.
    pub latency_ms: Option<Latency>,
    /// Duration of the quickest call, in ms.
    pub fastest_ms: f64,
    /// Duration of the slowest call, in ms.
    pub slowest_ms: f64,
    /// Standard deviation of the duration of a call, in ms.
    pub deviation_ms: f64,
    /// Accounts of the time of a call; absent when the connection was lost meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_call: Option<PerCall>,
}

/// Means over the calls of a benchmark.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PerCall {
    /// Connection events of a call.
    pub events: f64,
    /// Frames of a call that the client, the central, sent.
    pub frames_c2p: f64,
    /// Frames of a call that the server, the peripheral, sent.
    pub frames_p2c: f64,
    /// Data PDUs of a call, both ways.
    pub pdus: f64,
    /// Time of packets and of the gaps between them at the rate of the link, in ms.
    pub radio_ms: f64,
    /// Until the next connection event, with nothing to send at either end or with what was ready too late for the one before: the
    /// round trips of the calls.
    pub anchor_ms: f64,
    /// Time until the next connection event because a controller ends its events at its own limit, in ms.
    pub cap_ms: f64,
    /// Time of the rest, in ms: hosts, buffers, credits, the tail of events, loss.
    pub other_ms: f64,
}

/// One check of remote calls, passed or not.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CheckFigure {
    /// Name of the check, as published.
    pub name: String,
    /// Set if the check passed.
    pub passed: bool,
    /// Reason that the check did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl CallFigures {
    /// Figures of the one benchmark, if it is one.
    pub fn bench(&self) -> Option<&BenchFigures> {
        match self.benches.as_slice() {
            [bench] => Some(bench),
            _ => None,
        }
    }

    /// The check of this name.
    pub fn check(&self, name: &str) -> Option<&CheckFigure> {
        self.checks.iter().find(|check| check.name == name)
    }
}
