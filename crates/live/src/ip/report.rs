//! Report of a live link that carries IP.

use airtime_core::Instant;
use airtime_core::ledger::{Account, Ledger};
use airtime_lab::Ordered;
use airtime_system::{Crossed, TunConfig};
use serde::Serialize;

use super::namespaces::ENDS;
use super::served::Served;
use super::server::Server;
use crate::figures::Summary;

/// A link that has something to report.
pub trait Reported: Served {
    /// Figures of an end.
    type EndFigures: Serialize;
    /// Figures of what is between the ends.
    type Between: Serialize;

    /// The schema of the document.
    const SCHEMA: &'static str;

    /// Figures of `end`, whose device did not take `refused` packets.
    fn end(&self, end: usize, refused: u64) -> Self::EndFigures;

    /// Traffic among the figures of an end.
    fn crossed(end: &Self::EndFigures) -> &Crossed;

    /// Figures of what is between the ends, up to `now`.
    fn between(&self, now: Instant) -> Self::Between;
}

/// Report of a live link. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report<E, B> {
    /// The schema of the document.
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
    pub ends: Vec<EndReport<E>>,
    /// Figures of what is between them.
    #[serde(flatten)]
    pub between: B,
}

/// Report of one end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndReport<E> {
    /// `a` or `b`.
    pub end: &'static str,
    /// The namespace its device is in.
    pub namespace: String,
    /// Name of the TUN device.
    pub device: String,
    /// Address of the device.
    pub address: String,
    /// Figures of the end.
    #[serde(flatten)]
    pub figures: E,
}

/// The air, of one direction or of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Air {
    /// Counters by the names of a record.
    pub counters: Ordered<u64>,
    /// Time of the air by account, in ns.
    pub ledger_ns: Ordered<u64>,
    /// The largest account outside the payload.
    pub bottleneck: &'static str,
}

impl<E, B> Report<E, B> {
    /// The report of `server`.
    pub fn new<L: Reported<EndFigures = E, Between = B>>(server: &Server<L>) -> Self {
        let pacer = server.served().link().pacer();
        let end = |(end, config): (usize, &TunConfig)| EndReport {
            end: ENDS[end],
            namespace: config.namespace.clone().unwrap_or_default(),
            device: config.name.clone(),
            address: config.address.with_length(),
            figures: server.served().end(end, server.refused(end)),
        };
        Self {
            schema: L::SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            elapsed_ns: pacer.now().as_nanos(),
            steps: pacer.steps(),
            lag: pacer.lag().summary(),
            ends: server.namespaces().configs().iter().enumerate().map(end).collect(),
            between: server.served().between(pacer.now()),
        }
    }
}

impl Air {
    /// The air with these books, whose largest account outside the payload is `bottleneck`.
    pub fn new<A: Account>(counters: Ordered<u64>, ledger: &Ledger<A>, bottleneck: A) -> Self {
        let ledger_ns = ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect();
        Self { counters, ledger_ns, bottleneck: bottleneck.name() }
    }
}
