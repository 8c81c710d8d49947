//! Report of the receiver. Fields are added, never renamed.

use serde::Serialize;

use super::flow::Flow;
use super::numbers::Numbers;
use super::server::Server;

/// The schema of the document.
pub const REPORT_SCHEMA: &str = "airtime/hw-sink/1";

/// Report of a receiver: what of all senders has arrived.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Schema of the document: [`REPORT_SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// Time since the start.
    pub elapsed_ns: u64,
    /// Flows of datagrams.
    pub udp: Vec<FlowReport>,
    /// Streams of TCP that were taken.
    pub tcp: Vec<FlowReport>,
    /// Streams that were turned away, and datagrams of flows beyond the limit.
    pub refused: u64,
}

/// Report on one sender.
#[derive(Clone, Debug, Serialize)]
pub struct FlowReport {
    /// Its address and port.
    pub from: String,
    /// Octets of payload that arrived; repetitions and damaged ones excluded.
    pub bytes: u64,
    /// Datagrams, or reads of a stream, that brought them.
    pub arrivals: u64,
    /// Arrival of the first octets, in ns since the start.
    pub first_ns: u64,
    /// Arrival of the last octets, in ns since the start.
    pub last_ns: u64,
    /// 10³ bit/s of payload from the first arrival to the last.
    pub goodput_kbps: Option<f64>,
    /// Goodput of each second from the first arrival on, in kbps; an hour at most.
    pub series_kbps: Vec<f64>,
    /// Set once the sender has closed it; streams only.
    pub closed: bool,
    /// Losses by the numbers; none of a stream, and of datagrams without numbers that are understood.
    pub loss: Option<LossReport>,
}

/// Losses by the numbers of datagrams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LossReport {
    /// Numbering: iperf2 or airtime.
    pub numbers: &'static str,
    /// Numbers below the highest that did not arrive.
    pub lost: u64,
    /// Arrivals behind one with a higher number.
    pub late: u64,
    /// Datagrams that arrived again.
    pub again: u64,
    /// Datagrams whose octets are not what was sent, where that can be known.
    pub damaged: u64,
}

impl Report {
    /// Report on all that `server` has seen so far.
    pub fn new(server: &Server) -> Self {
        Self {
            schema: REPORT_SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            elapsed_ns: server.elapsed().as_nanos(),
            udp: server.datagrams().iter().map(FlowReport::new).collect(),
            tcp: server.streams().iter().map(FlowReport::new).collect(),
            refused: server.refused(),
        }
    }
}

impl FlowReport {
    fn new(flow: &Flow) -> Self {
        let kbps = |octets: &u64| *octets as f64 * 8.0 / 1e3;
        Self {
            from: flow.from.to_string(),
            bytes: flow.octets,
            arrivals: flow.arrivals,
            first_ns: flow.first.as_nanos(),
            last_ns: flow.last.as_nanos(),
            goodput_kbps: flow.goodput().map(|rate| rate / 1e3),
            series_kbps: flow.seconds.iter().map(kbps).collect(),
            closed: flow.closed,
            loss: flow.numbers.as_ref().and_then(LossReport::new),
        }
    }
}

impl LossReport {
    fn new(numbers: &Numbers) -> Option<Self> {
        let tally = numbers.tally()?;
        let (lost, damaged) = (tally.missing(), numbers.damaged());
        Some(Self { numbers: numbers.name(), lost, late: tally.late, again: tally.again, damaged })
    }

    /// Lost of what was sent, in percent, as far as the highest number tells.
    pub fn percent(&self, arrivals: u64) -> f64 {
        100.0 * self.lost as f64 / (self.lost + arrivals).max(1) as f64
    }
}
