//! Report of a live link: one document of the schema `airtime/live-nrf24/1`.

use airtime_core::Instant;
use airtime_lab::Ordered;
use airtime_nrf24::ledger::Books;
use airtime_nrf24::tunnel::Mode;
use airtime_system::Crossed;
use serde::Serialize;

use super::commanded::Commanded;
use super::stations::agreed;
use super::watch::drop_name;
use crate::ip::{Air, Reported, Served};
use airtime_hw::Traffic;

/// Figures of an end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndFigures {
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
    /// Packets into the tunnel and out of it.
    #[serde(flatten)]
    pub crossed: Crossed,
    /// Packets that this end dropped, by where.
    pub dropped: Ordered<u64>,
    /// Number of times that its reassembly lost its place.
    pub resyncs: u64,
}

/// Figures of what is between the ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Directions {
    /// The air of each direction; of both together with one radio per node.
    pub links: Vec<LinkReport>,
}

/// The air of one direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkReport {
    /// `up` is from `a` to `b`; `both` with one radio per node.
    pub direction: &'static str,
    /// Counters and ledger of the air of that direction.
    #[serde(flatten)]
    pub air: Air,
}

impl Reported for Commanded {
    type EndFigures = EndFigures;
    type Between = Directions;

    const SCHEMA: &'static str = "airtime/live-nrf24/1";

    fn end(&self, end: usize, refused: u64) -> EndFigures {
        let nodes = self.link().plant();
        let network = nodes.network();
        EndFigures {
            up: nodes.is_up(end),
            starts: nodes.starts(end),
            mode: network.hosts[end].host().and_then(agreed).map(mode_name),
            refused,
            traffic: network.observer.traffic(end).into(),
        }
    }

    fn crossed(end: &EndFigures) -> &Crossed {
        &end.traffic.crossed
    }

    fn between(&self, now: Instant) -> Directions {
        let air = |(direction, books): &(&'static str, Books)| {
            let ledger = books.ledger_at(now);
            let counters = books.counts().named().into_iter().collect();
            LinkReport { direction, air: Air::new(counters, &ledger, Books::bottleneck(&ledger)) }
        };
        Directions { links: self.link().plant().network().observer.books().iter().map(air).collect() }
    }
}

impl From<&Traffic> for TrafficReport {
    fn from(traffic: &Traffic) -> Self {
        Self {
            crossed: traffic.crossed,
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
