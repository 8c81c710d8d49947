//! User of a controller: an outside host, or one of our own.

use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{self, StationOutput as Carried};
use airtime_core::Instant;

use super::endpoint::Endpoint;
use super::event::Event;
use super::host::Own;
use crate::rpc::{Calling, Served};

/// User of a controller.
#[derive(Debug)]
pub enum Above {
    /// An outside host, or the place for one.
    Outside(Box<Endpoint>),
    /// One of our own hosts with the test application.
    Own(Box<Own>),
    /// One of our own hosts that is called.
    Served(Box<Served>),
    /// One of our own hosts that calls.
    Calling(Box<Calling>),
}

/// Calls the same method of whichever station it is.
macro_rules! each {
    ($above:expr, $station:ident => $call:expr) => {
        match $above {
            Above::Outside($station) => $call,
            Above::Own($station) => $call,
            Above::Served($station) => $call,
            Above::Calling($station) => $call,
        }
    };
}

impl Above {
    /// The endpoint, if this is one.
    pub fn endpoint(&mut self) -> Option<&mut Endpoint> {
        match self {
            Self::Outside(endpoint) => Some(endpoint),
            _ => None,
        }
    }

    /// The end that is called, if this is one.
    pub fn served(&self) -> Option<&Served> {
        match self {
            Self::Served(served) => Some(served),
            _ => None,
        }
    }
}

impl network::Station for Above {
    type Event = Event;

    fn wake(&mut self, now: Instant) {
        each!(self, station => network::Station::wake(&mut **station, now));
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        each!(self, station => network::Station::hci(&mut **station, now, packet));
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<Event>> {
        each!(self, station => network::Station::poll(&mut **station, now))
    }

    fn deadline(&self) -> Option<Instant> {
        each!(self, station => network::Station::deadline(&**station))
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        each!(self, station => network::Station::starved(&**station, handle))
    }
}
