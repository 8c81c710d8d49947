//! Figures of a run as records carry them: names of fields and their order are a contract.

mod asked;
mod calls;
mod shared;

use alloc::string::String;

use airtime_core::Duration;
use serde::{Deserialize, Serialize};

use crate::ran::Percentiles;

pub use asked::Asked;
pub use calls::{BenchFigures, CallFigures, CheckFigure, PerCall};
pub use shared::{LinkFigures, Together};

/// The account that cost most, and a sentence about it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bottleneck {
    /// Name of the account.
    pub account: String,
    /// Sentence about the account: what its time went for.
    pub says: String,
}

/// Percentiles of a latency, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Latency {
    /// Median: half of the latencies are shorter, in ms.
    pub p50: f64,
    /// 95th percentile: 95 % of the latencies are shorter, in ms.
    pub p95: f64,
    /// 99th percentile: 99 % of the latencies are shorter, in ms.
    pub p99: f64,
}

impl From<Percentiles> for Latency {
    /// Percentiles in milliseconds, rounded to the microsecond.
    fn from(spans: Percentiles) -> Self {
        let ms = |span: Duration| libm::round(span.as_millis_f64() * 1e3) / 1e3;
        Self { p50: ms(spans.p50), p95: ms(spans.p95), p99: ms(spans.p99) }
    }
}

/// Parameters that the two ends of a Bluetooth LE link agreed on, at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Negotiated {
    /// Connection interval, with its unit.
    pub conn_interval: String,
    /// PHY of the connection: `1M`, `2M`, `S2` or `S8`.
    pub phy: String,
    /// Effective data length of each direction.
    pub dle: DataLength,
    /// SDU MTU of the channel or ATT MTU.
    pub mtu: Option<u16>,
    /// Largest K-frame payload of the receiver.
    pub mps: Option<u16>,
    /// Credits of the channel's handshake.
    pub initial_credits: Option<u16>,
    /// Frame space, with its unit.
    pub frame_space: String,
    /// Set if data PDUs carry a MIC.
    pub encrypted: bool,
}

/// Effective LL payload octets per direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DataLength {
    /// LL payload octets of a PDU from central to peripheral.
    pub c2p: u16,
    /// LL payload octets of a PDU from peripheral to central.
    pub p2c: u16,
}

/// Buffers of one class in the RAM of one chip.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ram {
    /// Chip that has the RAM: `host` or `co-processor`.
    pub chip: String,
    /// Class of the buffers.
    pub class: String,
    /// Largest number of buffers.
    pub count: u64,
    /// Octets of one buffer.
    pub each: u64,
    /// Octets of all buffers of the class.
    pub octets: u64,
    /// Kind of RAM: `internal` or `external`.
    pub memory: String,
    /// Octets of RAM of that kind that the chip has.
    pub of: u64,
}

/// `value` rounded to 0.1, halves away from zero; what is not finite becomes zero, for JSON has no
/// word for it.
pub fn tenth(value: f64) -> f64 {
    if value.is_finite() { libm::round(value * 10.0) / 10.0 } else { 0.0 }
}

/// The rate of `octets` in `span` in 10³ bit/s, rounded to 0.1; zero for an empty span.
pub fn kbps(octets: u64, span: Duration) -> f64 {
    match span.as_nanos() {
        0 => 0.0,
        ns => tenth(octets as f64 * 8e6 / ns as f64),
    }
}
