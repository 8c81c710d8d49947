//! Report of a live pipeline: one document of the schema `airtime/live-wifi/1`.

use airtime_core::ledger::Account as _;
use airtime_lab::Ordered;
use airtime_wifi::ledger::Books;
use serde::Serialize;

use super::server::{ENDS, Server};
use crate::figures::Summary;
use crate::ip;

/// The schema of the document.
pub const REPORT_SCHEMA: &str = "airtime/live-wifi/1";

/// The whole. Fields are added, never renamed.
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
    /// The two ends: the ESP host's interface first, then what is beyond the access point.
    pub ends: Vec<EndReport>,
    /// Counters of the pipeline and of the air, by the names of a record.
    pub counters: Ordered<u64>,
    /// Time of the air by account, in ns.
    pub ledger_ns: Ordered<u64>,
    /// The largest account outside the payload.
    pub bottleneck: &'static str,
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
    /// Packets that its interface took.
    pub packets_in: u64,
    /// Octets of the packets into the pipeline.
    pub bytes_in: u64,
    /// Packets that came out of it.
    pub packets_out: u64,
    /// Octets of the packets out of the pipeline.
    pub bytes_out: u64,
    /// Packets out of it that the device did not take.
    pub refused: u64,
}

impl Report {
    /// The report of `server`.
    pub fn new(server: &Server) -> Self {
        let link = server.link();
        let (now, counts) = (link.pacer().now(), link.network().counts());
        let end = |(place, end): (usize, &airtime_wifi::network::End)| {
            let device = &server.namespaces().devices()[place];
            let (taken, delivered) = (counts.taken(*end), counts.delivered(*end));
            EndReport {
                end: ip::ENDS[place],
                namespace: device.namespace.clone().unwrap_or_default(),
                device: device.name.clone(),
                address: device.address.with_length(),
                packets_in: taken.packets,
                bytes_in: taken.octets,
                packets_out: delivered.packets,
                bytes_out: delivered.octets,
                refused: server.refused(place),
            }
        };
        let books = &link.network().observer;
        let ledger = books.ledger_at(now);
        Self {
            schema: REPORT_SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            elapsed_ns: now.as_nanos(),
            steps: link.pacer().steps(),
            lag: link.pacer().lag().summary(),
            ends: ENDS.iter().enumerate().map(end).collect(),
            counters: counts.named().chain(books.counts().named()).collect(),
            ledger_ns: ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect(),
            bottleneck: Books::bottleneck(&ledger).name(),
        }
    }
}
