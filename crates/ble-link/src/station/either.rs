//! A station with whichever host and application the plan names.

use airtime_ble::host::{ConnHandle, HostInput, Starved};
use airtime_ble::network;
use airtime_core::Instant;
use airtime_core::random::Stream;
#[cfg(not(target_family = "wasm"))]
use airtime_guest::trouble::{CalledTroubleStation, TroubleStation};

#[cfg(not(target_family = "wasm"))]
use super::executed::Executed;
#[cfg(not(target_family = "wasm"))]
use super::foreign::Foreign;
use super::{CalledStation, CallingStation, HostUser, Negotiated, Station, StationOutput};

/// One host with an application on it.
#[derive(Debug)]
pub enum EitherStation {
    /// The lab's own host with the throughput test.
    Model(Box<Station>),
    /// The lab's own host with an end that calls.
    Calling(Box<CallingStation>),
    /// The lab's own host with an end that is called.
    Called(Box<CalledStation>),
    /// TrouBLE with the throughput test.
    #[cfg(not(target_family = "wasm"))]
    Trouble(Box<Foreign<TroubleStation>>),
    /// TrouBLE with an end that is called.
    #[cfg(not(target_family = "wasm"))]
    CalledTrouble(Box<Foreign<CalledTroubleStation>>),
    /// Image of firmware, with whatever is on it.
    #[cfg(not(target_family = "wasm"))]
    Executed(Box<Executed>),
}

/// Calls the same method of either station.
macro_rules! either {
    ($station:expr, $inner:ident => $call:expr) => {
        match $station {
            EitherStation::Model($inner) => $call,
            EitherStation::Calling($inner) => $call,
            EitherStation::Called($inner) => $call,
            #[cfg(not(target_family = "wasm"))]
            EitherStation::Trouble($inner) => $call,
            #[cfg(not(target_family = "wasm"))]
            EitherStation::CalledTrouble($inner) => $call,
            #[cfg(not(target_family = "wasm"))]
            EitherStation::Executed($inner) => $call,
        }
    };
}

impl From<Station> for EitherStation {
    fn from(station: Station) -> Self {
        Self::Model(Box::new(station))
    }
}

impl From<CallingStation> for EitherStation {
    fn from(station: CallingStation) -> Self {
        Self::Calling(Box::new(station))
    }
}

impl From<CalledStation> for EitherStation {
    fn from(station: CalledStation) -> Self {
        Self::Called(Box::new(station))
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<TroubleStation> for EitherStation {
    fn from(station: TroubleStation) -> Self {
        let links = station.application().links();
        Self::Trouble(Box::new(Foreign::new(station, links)))
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<CalledTroubleStation> for EitherStation {
    fn from(station: CalledTroubleStation) -> Self {
        Self::CalledTrouble(Box::new(Foreign::new(station, 1)))
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<Executed> for EitherStation {
    fn from(station: Executed) -> Self {
        Self::Executed(Box::new(station))
    }
}

impl EitherStation {
    /// TrouBLE with the throughput test on it, where that is this end's host.
    #[cfg(not(target_family = "wasm"))]
    pub fn trouble(&self) -> Option<&TroubleStation> {
        match self {
            Self::Trouble(foreign) => Some(&foreign.station),
            _ => None,
        }
    }

    /// TrouBLE with the end that is called on it, where that is this end's host.
    #[cfg(not(target_family = "wasm"))]
    pub fn called_trouble(&self) -> Option<&CalledTroubleStation> {
        match self {
            Self::CalledTrouble(foreign) => Some(&foreign.station),
            _ => None,
        }
    }

    /// The image that is executed, where that is this end's host.
    #[cfg(not(target_family = "wasm"))]
    pub fn executed(&self) -> Option<&Executed> {
        match self {
            Self::Executed(station) => Some(station),
            _ => None,
        }
    }

    /// The end that calls, where this is one.
    pub fn calling(&self) -> Option<&CallingStation> {
        match self {
            Self::Calling(station) => Some(station),
            _ => None,
        }
    }

    /// The end that is called, where this is one.
    pub fn called(&self) -> Option<&CalledStation> {
        match self {
            Self::Called(station) => Some(station),
            _ => None,
        }
    }

    /// Parameters negotiated on link number `link`, as this end sees them.
    pub fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        either!(self, station => station.negotiated(link))
    }

    /// Octets of the stream that have arrived on link number `link`.
    pub fn received(&self, link: usize) -> Option<u64> {
        match self {
            Self::Model(station) => station.application().link(link).map(|link| link.meter().octets()),
            Self::Calling(station) => station.taken(link),
            Self::Called(station) => station.taken(link),
            #[cfg(not(target_family = "wasm"))]
            Self::Trouble(foreign) => foreign.station.application().link(link).map(|link| link.meter().octets()),
            #[cfg(not(target_family = "wasm"))]
            Self::CalledTrouble(foreign) => (link == 0).then(|| foreign.station.received()),
            #[cfg(not(target_family = "wasm"))]
            Self::Executed(station) => station.received(link),
        }
    }

    /// Draws what the latency of the lab's own host varies by from `chance`.
    pub fn draw_from(&mut self, chance: Stream) {
        match self {
            Self::Model(station) => station.draw_from(chance),
            Self::Calling(station) => station.draw_from(chance),
            Self::Called(station) => station.draw_from(chance),
            #[cfg(not(target_family = "wasm"))]
            Self::Trouble(_) | Self::CalledTrouble(_) | Self::Executed(_) => (),
        }
    }

    /// Random numbers that the host has taken.
    pub fn random_draws(&self) -> u64 {
        match self {
            Self::Model(station) => station.host().random_draws(),
            Self::Calling(station) => station.host().random_draws(),
            Self::Called(station) => station.host().random_draws(),
            #[cfg(not(target_family = "wasm"))]
            Self::Trouble(_) | Self::CalledTrouble(_) | Self::Executed(_) => 0,
        }
    }

    /// Number of times that the host had to be made to wait, because it would have been polled for ever at one instant.
    pub fn rests(&self) -> u64 {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::Trouble(foreign) => foreign.station.guest().rests(),
            #[cfg(not(target_family = "wasm"))]
            Self::CalledTrouble(foreign) => foreign.station.guest().rests(),
            _ => 0,
        }
    }
}

impl network::Station for EitherStation {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        either!(self, station => network::Station::wake(&mut **station, now));
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        either!(self, station => network::Station::hci(&mut **station, now, packet));
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        either!(self, station => network::Station::poll(&mut **station, now))
    }

    fn deadline(&self) -> Option<Instant> {
        either!(self, station => network::Station::deadline(&**station))
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        either!(self, station => network::Station::starved(&**station, handle))
    }
}

impl<A: HostUser> network::Station for Station<A> {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.handle(now, HostInput::Wake);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.handle(now, HostInput::Hci(packet));
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        Some(match Station::poll(self, now)? {
            StationOutput::Hci(packet) => network::StationOutput::Hci(packet),
            event => network::StationOutput::Event(event),
        })
    }

    fn deadline(&self) -> Option<Instant> {
        Station::deadline(self)
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.starved(handle)
    }
}
