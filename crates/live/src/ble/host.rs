//! One of our own hosts with the test application, which begins again.

use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::network::{self, StationOutput as Carried};
use airtime_ble_link::run;
use airtime_ble_link::station::{self, HostUser, StationOutput};
use airtime_core::{Duration, Instant, Pool};

use super::config::PeerConfig;
use super::event::Event;

/// Time that a central waits after its test has ended before it looks for its peripheral again. *Assumed.*
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Host that can begin anew on a controller that has lost its way.
pub trait Restart {
    /// Begins anew at `now`, with a reset of the controller; false if there is no way back into what was under way.
    fn restart(&mut self, _now: Instant) -> bool {
        false
    }
}

impl<A: HostUser> Restart for station::Station<A> {}

impl Restart for Own {
    fn restart(&mut self, _now: Instant) -> bool {
        self.again = None;
        // Its start-up resets the controller.
        self.station = of(&self.config, &self.pool);
        true
    }
}

/// One of our own hosts. When its test has ended it begins again, as firmware would after a reboot.
#[derive(Debug)]
pub struct Own {
    config: PeerConfig,
    pool: Pool,
    station: station::Station,
    /// Instant at which it begins again.
    again: Option<Instant>,
}

impl Own {
    /// Station of `config`.
    pub fn new(config: PeerConfig, pool: Pool) -> Self {
        let station = of(&config, &pool);
        Self { config, pool, station, again: None }
    }

    /// The host with its application.
    pub fn station(&self) -> &station::Station {
        &self.station
    }
}

/// The host of `config` with its application.
fn of(config: &PeerConfig, pool: &Pool) -> station::Station {
    run::end(&config.scenario, config.role, config.address, config.psm, pool).station
}

impl network::Station for Own {
    type Event = Event;

    fn wake(&mut self, now: Instant) {
        if self.again.is_some_and(|again| again <= now) {
            self.restart(now);
        } else {
            network::Station::wake(&mut self.station, now);
        }
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.station.hci(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<Event>> {
        let output = network::Station::poll(&mut self.station, now)?;
        if let Carried::Event(StationOutput::Ended { .. }) = output {
            self.again = Some(now + AGAIN_AFTER);
        }
        Some(output)
    }

    fn deadline(&self) -> Option<Instant> {
        network::Station::deadline(&self.station).into_iter().chain(self.again).min()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.station.starved(handle)
    }
}
