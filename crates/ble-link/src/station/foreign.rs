//! TrouBLE in the place of the lab's own host.

use std::fmt;

use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{self, Station};
use airtime_core::Instant;
use airtime_guest::report::Report;
use airtime_guest::trouble::{CalledTroubleStation, TroubleStation};

use super::{Negotiated, StationOutput, negotiated};

/// TrouBLE, with what was negotiated on its links.
pub struct Foreign<S> {
    pub(super) station: S,
    links: Vec<Negotiated>,
}

/// Station that knows its links.
pub trait Linked: Station<Event = Report> {
    /// Number of the link whose connection is `conn`.
    fn index(&self, conn: ConnHandle) -> Option<usize>;
}

impl Linked for TroubleStation {
    fn index(&self, conn: ConnHandle) -> Option<usize> {
        self.application().index(conn)
    }
}

impl Linked for CalledTroubleStation {
    /// It has one connection at a time.
    fn index(&self, _conn: ConnHandle) -> Option<usize> {
        Some(0)
    }
}

impl<S: Linked> Foreign<S> {
    pub(super) fn new(station: S, links: usize) -> Self {
        Self { station, links: vec![Negotiated::default(); links] }
    }

    pub(super) fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        self.links.get(link)
    }

    /// The laboratory's word for a report.
    fn output(&mut self, report: Report) -> StationOutput {
        match report {
            Report::Submitted(unit) => StationOutput::Submitted(unit),
            Report::Delivered(unit) => StationOutput::Delivered(unit),
            Report::StreamStarted { link, conn } => StationOutput::StreamStarted { link, conn },
            Report::Ended { link, outcome } => StationOutput::Ended { link, outcome },
            Report::Host(event) => {
                let link = negotiated::conn(&event).and_then(|conn| self.station.index(conn));
                if let Some(state) = link.and_then(|link| self.links.get_mut(link)) {
                    negotiated::note(state, &event);
                }
                StationOutput::Host(event)
            }
        }
    }
}

impl<S> fmt::Debug for Foreign<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Foreign").field("links", &self.links).finish_non_exhaustive()
    }
}

impl<S: Linked> Station for Foreign<S> {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.station.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.station.hci(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        Some(match self.station.poll(now)? {
            network::StationOutput::Hci(packet) => network::StationOutput::Hci(packet),
            network::StationOutput::Event(report) => network::StationOutput::Event(self.output(report)),
        })
    }

    fn deadline(&self) -> Option<Instant> {
        self.station.deadline()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.station.starved(handle)
    }
}
