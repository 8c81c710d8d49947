//! A device's host and application, which do not always get to run at once.

use std::collections::VecDeque;

use airtime_app::rpc::{Central, Peripheral};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network;
use airtime_ble_link::station::{SeededSecrets, Station, StationOutput};
use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

use super::counted::Counted;
use super::mixed::Mixed;

/// The end that calls.
pub type Calling = Station<Central<Mixed, SeededSecrets>>;

/// The end that is called.
pub type Called = Station<Peripheral<Counted, SeededSecrets>>;

/// One packet of so many finds its host busy with something else, *assumed*: some ten a second of a full link.
const STALL_ONE_IN: u64 = 64;

/// Longest time that a host is busy, *assumed*: four events of a short interval.
const STALL_MAX: Duration = Duration::from_millis(30);

/// Either end.
#[derive(Debug)]
pub enum Role {
    Calling(Box<Calling>),
    Called(Box<Called>),
}

/// An end whose host stalls at random: what its controller says waits, and nothing overtakes.
#[derive(Debug)]
pub struct End {
    pub role: Role,
    stalled: VecDeque<(Instant, Vec<u8>)>,
    chance: Stream,
    most: usize,
}

/// Calls the same method of either end.
macro_rules! either {
    ($end:expr, $inner:ident => $call:expr) => {
        match $end {
            Role::Calling($inner) => $call,
            Role::Called($inner) => $call,
        }
    };
}

impl End {
    /// This one, with stalls out of `chance`.
    pub fn new(role: Role, chance: Stream) -> Self {
        Self { role, stalled: VecDeque::new(), chance, most: 0 }
    }

    /// Most packets that have waited for a host.
    pub fn most(&self) -> usize {
        self.most
    }

    /// How long the packet that comes now has to wait.
    fn stall(&mut self) -> Duration {
        if self.chance.below(STALL_ONE_IN) > 0 {
            return Duration::ZERO;
        }
        Duration::from_nanos(self.chance.below(STALL_MAX.as_nanos()))
    }
}

impl network::Station for End {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        either!(&mut self.role, station => station.wake(now));
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        let until = now + self.stall();
        if self.stalled.is_empty() && until == now {
            return either!(&mut self.role, station => station.hci(now, packet));
        }
        let until = self.stalled.back().map_or(until, |(last, _)| until.max(*last));
        self.stalled.push_back((until, packet.to_vec()));
        self.most = self.most.max(self.stalled.len());
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        loop {
            let output = either!(&mut self.role, station => network::Station::poll(&mut **station, now));
            if output.is_some() {
                return output;
            }
            // What was held back is heard once the host has nothing more to say to what came before.
            let (_, packet) = self.stalled.pop_front_if(|(until, _)| *until <= now)?;
            either!(&mut self.role, station => station.hci(now, &packet));
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let own = self.stalled.front().map(|(until, _)| *until);
        own.into_iter().chain(either!(&self.role, station => network::Station::deadline(&**station))).min()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        either!(&self.role, station => station.starved(handle))
    }
}
