//! The record of a run, as JSON carries it: schema `airtime/run/1`, `schemas/run.schema.json`.
//!
//! Field names and their order are a contract: fields are added at the end, never renamed. Rates are
//! 10³ bit/s of application payload at the receiver, rounded to 0.1.

use airtime_core::Duration;
use airtime_link::config::Line;
use airtime_link::{Ordered, Told};
use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

mod packed;

pub use airtime_link::figures::{
    Asked, BenchFigures, Bottleneck, CallFigures, CheckFigure, DataLength, Latency, LinkFigures, Negotiated, PerCall,
    Ram, Together, kbps, tenth,
};
pub use packed::{BLOCK, BLOCKS_HELD, HELD, Iter, Packed, Shelf};

/// Records in their order; those of a large grid are packed.
pub type Records = Packed<Record>;

/// The schema's name, first in every document.
pub const SCHEMA: &str = "airtime/run/1";

/// Radio of a run on real devices.
pub const REAL: &str = "real";

/// Radio of a run against a virtual radio in real time.
pub const LIVE: &str = "live";

/// Units of a measured figure.
pub const UNITS: [&str; 13] =
    ["kbps", "Mbps", "bps", "kB/s", "KiB/s", "MB/s", "ms/call", "ms/item", "ms/batch", "s", "frames", "MB", "PASS"];

/// Document that `--json` prints: every record of one plan, or whatever is written like a list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document<R = Records> {
    /// Name of the schema: always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub airtime: String,
    /// Name of the plan.
    pub plan: String,
    /// One record per point of the plan, in its order.
    pub records: R,
    /// Note of the plan about its figures as a whole: their repeatability, say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Remarks on its runs: a default that limits them, which the plan says nothing of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Lines of the build configurations it ran with, and what became of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<Line>,
}

impl Document {
    /// An empty document for the plan of this name.
    pub fn new(plan: impl Into<String>) -> Self {
        Self {
            schema: SCHEMA.into(),
            airtime: env!("CARGO_PKG_VERSION").into(),
            plan: plan.into(),
            records: Records::new(),
            note: None,
            remarks: Vec::new(),
            config: Vec::new(),
        }
    }
}

impl<R> Document<R> {
    /// The document with other records.
    pub fn with<S>(self, records: S) -> Document<S> {
        let Self { schema, airtime, plan, records: _, note, remarks, config } = self;
        Document { schema, airtime, plan, records, note, remarks, config }
    }

    /// Remarks with the name of the plan, as they are told beside other plans.
    pub fn told(&self) -> Vec<String> {
        self.remarks.iter().map(|remark| format!("{}: {remark}", self.plan)).collect()
    }
}

/// One point of a plan: what was asked, what was negotiated, what came out, and why.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Record {
    /// The row's identifier, or the plan's name with the point's number.
    pub id: String,
    /// Kind of link: `ble-coc`, `ble-gatt`, …
    pub link: String,
    /// Every key of the plan with the value in effect, by dotted name.
    pub params: Ordered<serde_json::Value>,
    /// Seed of the first run.
    pub seed: u64,
    /// Parameters that the two ends agreed on; absent when there was no connection.
    pub negotiated: Option<Negotiated>,
    /// Goodput of the steady state over the repeats.
    pub goodput_kbps: Goodput,
    /// Latency of SDUs or values, where it was measured.
    pub latency_ms: Option<Latency>,
    /// Goodput that the sender's stack took, where that differs from the one that arrived.
    pub accepted_kbps: Option<f64>,
    /// Octets of payload that arrived in the steady state of the first run.
    pub delivered_bytes: u64,
    /// Virtual time of the first run from connect to end.
    pub elapsed_ns: u64,
    /// The air's books over `elapsed_ns`; the accounts sum to it.
    pub ledger_ns: Ordered<u64>,
    /// Goodput of every whole second of the first run.
    pub series_kbps: Vec<f64>,
    /// The published figure this point is compared with.
    pub measured: Option<Measured>,
    /// The lab's figure for the same thing in the same unit.
    pub lab: Option<LabFigure>,
    /// Error of the lab's figure in per cent: `100 * (lab - measured) / measured`.
    pub error_pct: Option<f64>,
    /// Verdict on the comparison.
    pub verdict: Option<Verdict>,
    /// Account in which most of the lost time went.
    pub bottleneck: Bottleneck,
    /// Counters by name, of the steady state of the first run.
    pub counters: Ordered<u64>,
    /// The exact command that replays this record.
    pub replay: String,
    /// Label that tells this point from its neighbours, for people.
    #[serde(default)]
    pub label: String,
    /// `ok`, or how the run failed: `0x3E connection failed to be established`; `impossible: ` and the reason where there was none.
    #[serde(default)]
    pub outcome: String,
    /// Virtual time from connect to the first SDU or value.
    #[serde(default)]
    pub setup_ns: u64,
    /// Virtual time of the steady state: from the end of the warm-up to the end.
    #[serde(default)]
    pub steady_ns: u64,
    /// The air's books over the steady state of the run whose goodput is the median; the accounts sum to its time, and those of
    /// payload are its goodput.
    #[serde(default)]
    pub steady_ledger_ns: Ordered<u64>,
    /// The row's number in the log it was published in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<String>,
    /// Note of the plan's row about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Keys of which only a range is known, each with its lowest, middle and highest value. The run is that of the middles;
    /// `lab.low` and `lab.high` are the interval over all corners.
    #[serde(default, skip_serializing_if = "Ordered::is_empty")]
    pub unlogged: Ordered<[serde_json::Value; 3]>,
    /// Measurement among them that would narrow the interval most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub narrowed_by: Option<Narrowing>,
    /// Buffers in the RAM of each chip, by class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ram: Vec<Ram>,
    /// Figures of remote calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallFigures>,
    /// Links of the run, in their order, where several share a radio. Books, counters and bottleneck above are those of the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkFigures>,
    /// Figures of all links of the run together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// Keys whose value in effect is not the one that the plan asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
    /// Verdict that follows from the figures: `within 6 %`, `off by 446 %`, `inside the interval`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<String>,
    /// Row whose configuration the experiment changed, where it is not the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Ratios of the measured figure to those of other rows, as their source printed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Ratio>,
    /// Radio of the run: [`REAL`], [`LIVE`], or nothing where it was virtual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radio: Option<String>,
    /// Surroundings of a run on a real radio, as far as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
}

impl Record {
    /// Id of the plan's row that it is of: its own up to what candidates and the grid add.
    pub fn row(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// Tells if it is of the plan's row with this id, be it for one of its candidates or for a point of the grid.
    pub fn is_of(&self, row: &str) -> bool {
        self.id.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The record as its link looks at it.
    pub fn told(&self) -> Told<'_> {
        Told {
            counters: &self.counters,
            steady: Duration::from_nanos(self.steady_ns),
            accepted_kbps: self.accepted_kbps,
            negotiated: self.negotiated.as_ref(),
            params: &self.params,
        }
    }
}

/// Surroundings of a run on a real radio: nothing in them where nobody has said it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Name of the board: `nrf54l15dk/nrf54l15/cpuapp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Serial number of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Firmware of the board and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware: Option<String>,
    /// Operating system of the far end and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// Controller of the far end and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Date of the run, as its source writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Distance between the antennas, with its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
    /// Anything else about the place: the channel, who else was on the air.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<String>,
}

/// Narrowing of an interval: the rest of it when one more key is known.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Narrowing {
    /// Dotted name of the key.
    pub key: String,
    /// Lower end of the widest interval that is left, whichever end of its range the key turns out to be at; in the unit of
    /// what was measured.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
}

/// Goodput over the repeats, 10³ bit/s; zero runs when nothing was run.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Goodput {
    /// Median of the goodput over the runs, 10³ bit/s.
    pub median: f64,
    /// Lowest goodput of a run, 10³ bit/s.
    pub low: f64,
    /// Highest goodput of a run, 10³ bit/s.
    pub high: f64,
    /// Number of runs, one for each seed.
    pub runs: u32,
}

impl Goodput {
    /// Median and range of these rates; the median of an even number is the middle two's mean.
    pub fn of(rates: &[f64]) -> Self {
        let mut sorted = rates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else { return Self::default() };
        let upper = sorted[sorted.len() / 2];
        let lower = sorted[(sorted.len() - 1) / 2];
        Self { median: tenth((lower + upper) / 2.0), low: tenth(*low), high: tenth(*high), runs: sorted.len() as u32 }
    }
}

/// A published figure, with its unit and its source.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Value of the figure, in its unit.
    pub value: f64,
    /// Unit of the figure: `kbps`, `Mbps`, `KiB/s`, `ms/call`, …
    pub unit: String,
    /// Set if the source gives it as approximate.
    pub approx: bool,
    /// Source of the publication.
    pub source: String,
    /// Set for the figure that the sender's stack took, clear for the one that arrived.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// Link whose figure it is, of several: `peripheral0` and so on; without it, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// A published ratio of two figures.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Ratio {
    /// Row of the figure that is divided by.
    pub to: String,
    /// Ratio of the row's figure to that one.
    pub value: f64,
}

/// The lab's figure for what was measured.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LabFigure {
    /// Value of the figure, in its unit.
    pub value: f64,
    /// Unit of the measured figure, which this one has too.
    pub unit: String,
    /// Field of the record: `goodput_kbps.median`, …
    pub field: String,
    /// Lowest of the repeats, or of all corners of what was not logged.
    pub low: f64,
    /// Highest of the repeats, or of all corners of what was not logged.
    pub high: f64,
}

/// `100 * (lab - measured) / measured`, rounded to 0.01; nothing when there is nothing to divide by.
pub fn error_pct(lab: f64, measured: f64) -> Option<f64> {
    let error = 100.0 * (lab - measured) / measured;
    error.is_finite().then(|| (error * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests;
