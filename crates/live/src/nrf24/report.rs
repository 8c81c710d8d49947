//! Report of a live link: one document of the schema `airtime/live-nrf24/1`.

use airtime_core::ledger::Account as _;
use airtime_lab::Ordered;
use airtime_nrf24::ledger::Books;
use airtime_nrf24::tunnel::Mode;
use serde::Serialize;

use super::ENDS;
use super::server::Server;
use super::stations::{Program, agreed};
use super::watch::{Traffic, drop_name};
use crate::figures::Summary;

/// The schema of the document.
pub const REPORT_SCHEMA: &str = "airtime/live-nrf24/1";

/// Report of a live link. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`REPORT_SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// Time since the start of the server.
    pub elapsed_ns: u64,
    /// Steps of the event loop.
    pub steps: u64,
    /// Wall time less due time of every step, if there were any.
    pub lag: Option<Summary>,
    /// The two ends, `a` first.
    pub ends: Vec<EndReport>,
    /// The air of each direction; of both together with one radio per node.
    pub links: Vec<LinkReport>,
}

/// One end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndReport {
    /// `a` or `b`.
    pub end: &'static str,
    /// The namespace its device is in.
    pub namespace: String,
    /// Name of the TUN device.
    pub device: String,
    /// Address of the device.
    pub address: String,
    /// Set while its program runs.
    pub up: bool,
    /// Number of times that its program was started.
    pub starts: u64,
    /// The mode that both ends have agreed on, once they have.
    pub mode: Option<&'static str>,
    /// Packets out of the tunnel that the device did not take.
    pub refused: u64,
    /// Traffic that crossed the device.
    #[serde(flatten)]
    pub traffic: TrafficReport,
}

/// Traffic that crossed a device.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrafficReport {
    /// Packets into the tunnel.
    pub packets_in: u64,
    /// Octets of the packets into the tunnel.
    pub bytes_in: u64,
    /// Packets out of the tunnel.
    pub packets_out: u64,
    /// Octets of the packets out of the tunnel.
    pub bytes_out: u64,
    /// Packets that this end dropped, by where.
    pub dropped: Ordered<u64>,
    /// Number of times that its reassembly lost its place.
    pub resyncs: u64,
}

/// The air of one direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkReport {
    /// `up` is from `a` to `b`; `both` with one radio per node.
    pub direction: &'static str,
    /// Counters of the air, by the names of a record.
    pub counters: Ordered<u64>,
    /// Time of the air by account, in ns.
    pub ledger_ns: Ordered<u64>,
    /// The largest account outside the payload.
    pub bottleneck: &'static str,
}

impl Report {
    /// The report of `server`.
    pub fn new(server: &Server<Program>) -> Self {
        let link = server.link();
        let network = link.network();
        let now = link.pacer().now();
        let end = |end: usize| {
            let device = &server.namespaces().devices()[end];
            EndReport {
                end: ENDS[end],
                namespace: device.namespace.clone().unwrap_or_default(),
                device: device.name.clone(),
                address: device.address.with_length(),
                up: link.is_up(end),
                starts: link.starts(end),
                mode: network.hosts[end].host().and_then(agreed).map(mode_name),
                refused: server.refused(end),
                traffic: network.observer.traffic(end).into(),
            }
        };
        let air = |(direction, books): &(&'static str, Books)| {
            let ledger = books.ledger_at(now);
            LinkReport {
                direction,
                counters: books.counts().named().into_iter().collect(),
                ledger_ns: ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect(),
                bottleneck: Books::bottleneck(&ledger).name(),
            }
        };
        Self {
            schema: REPORT_SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            elapsed_ns: now.as_nanos(),
            steps: link.pacer().steps(),
            lag: link.pacer().lag().summary(),
            ends: (0..ENDS.len()).map(end).collect(),
            links: network.observer.books().iter().map(air).collect(),
        }
    }
}

impl From<&Traffic> for TrafficReport {
    fn from(traffic: &Traffic) -> Self {
        Self {
            packets_in: traffic.packets_in,
            bytes_in: traffic.bytes_in,
            packets_out: traffic.packets_out,
            bytes_out: traffic.bytes_out,
            dropped: traffic.dropped.iter().map(|(at, count)| (drop_name(*at), *count)).collect(),
            resyncs: traffic.resyncs,
        }
    }
}

/// A mode as plans write it.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::AutoAck => "auto-ack",
        Mode::AckPayload => "ack-payload",
        Mode::Stream => "stream",
    }
}
