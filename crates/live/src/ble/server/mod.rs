//! The server: sockets, the clock and [`Radios`] in one loop, on one thread.

mod bind;
mod claim;
mod error;
mod named;
mod news;
mod port;
mod pty;
mod spare;
mod wait;

use std::io;

use airtime_core::{Duration, Instant};
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::sleep::wake_up_exactly;
use airtime_system::stop::{Stop, Stopper};

use crate::ble::config::Config;
use crate::ble::event::Sink;
use crate::ble::radios::Radios;
use crate::ble::report::Report;

pub use error::BindError;

use news::News;
use port::Port;
use spare::Spare;
use wait::Ready;

/// A server that listens. It stays on the thread that has bound it; [`stopper`](Self::stopper) reaches it
/// from others.
pub struct Server {
    config: Config,
    clock: Clock,
    radios: Radios,
    /// Port `i` is that of device `i`.
    ports: Vec<Port>,
    stop: Stop,
    news: News,
    spare: Spare,
    /// Receiver of news for people: somebody came, went, or was turned away.
    says: Box<dyn FnMut(&str)>,
}

impl Server {
    /// Opens every endpoint of `config`. Time starts now; nothing moves before [`run`](Self::run).
    ///
    /// # Errors
    /// When an endpoint cannot be opened, or could be reached from other machines without leave; when the system has no memory for what is
    /// to be called.
    pub fn bind(config: Config, sink: Option<Sink>, says: Box<dyn FnMut(&str)>) -> Result<Self, BindError> {
        let ports = config.endpoints.iter().map(|endpoint| Port::open(&endpoint.place, config.allow_remote));
        let ports = ports.collect::<Result<_, _>>()?;
        let spare =
            Spare::open().map_err(|source| BindError::System { what: "a descriptor for a host".into(), source })?;
        let stop = Stop::new().map_err(|source| BindError::System { what: "a socket pair".into(), source })?;
        let radios = Radios::open(&config, sink).map_err(BindError::Radios)?;
        Ok(Self { config, clock: Clock::start(), radios, ports, stop, news: News::default(), spare, says })
    }

    /// Addresses of the endpoints, in the order of the configuration, with the ports the system has chosen.
    pub fn addresses(&self) -> Vec<String> {
        self.ports.iter().map(Port::address).collect()
    }

    /// The clock: its zero is that of virtual time.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Report so far.
    pub fn report(&self) -> Report {
        Report::new(&self.config, &self.addresses(), &self.radios)
    }

    /// The radios that are served: controllers on their medium.
    pub fn radios(&self) -> &Radios {
        &self.radios
    }

    /// Serves until it is stopped, or for `time` of the wall clock.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn run(&mut self, time: Option<Duration>) -> io::Result<()> {
        wake_up_exactly();
        let end = time.map(|time| self.clock.now() + time.min(TIME_MAX));
        let mut rest = Duration::ZERO;
        loop {
            let ready = wait::wait(&self.ports, &mut self.radios, &self.stop, rest)?;
            let wall = self.clock.now();
            if self.stop.is_asked() || end.is_some_and(|end| end <= wall) {
                return Ok(());
            }
            rest = self.turn(&ready, wall);
            let left = end.map_or(Duration::MAX, |end| end.saturating_since(self.clock.now()));
            rest = rest.min(left);
        }
    }

    /// One turn; says how long nothing is to do.
    fn turn(&mut self, ready: &Ready, wall: Instant) -> Duration {
        for (device, port) in self.ports.iter_mut().enumerate() {
            let knocks = ready.listener(device).then_some(&mut self.spare);
            port.admit(device, knocks, &mut self.radios, wall, &mut self.says);
            if ready.stream(device) {
                port.read(device, &mut self.radios, wall, &mut self.says);
            } else if ready.is_whole() {
                port.hears_nothing(device, &mut self.radios, wall);
            }
        }
        self.radios.refill(wall);
        let clock = self.clock;
        let done = self.radios.catch_up(|| clock.now());
        self.news.tell(&self.config, &mut self.radios, wall, &mut self.says);
        for (device, port) in self.ports.iter_mut().enumerate() {
            port.write(device, &mut self.radios, &mut self.says);
        }
        if !done || self.radios.can_refill() {
            return Duration::ZERO;
        }
        let due = self.radios.pacer().next_due();
        due.map_or(Duration::MAX, |due| due.saturating_since(clock.now()))
    }
}
