//! Application of the test: either of its machines.

use airtime_app::{Central, Command, Event, Link, Outcome, Peripheral, Reasons, Wait};
use airtime_core::Instant;
use airtime_rpc::suite::Report;

use super::HostUser;

/// The machine that runs on a station.
#[derive(Clone, Debug)]
pub enum Application {
    /// Peripheral, which advertises.
    Peripheral(Box<Peripheral>),
    /// Central, which connects.
    Central(Box<Central>),
}

impl From<Peripheral> for Application {
    fn from(machine: Peripheral) -> Self {
        Self::Peripheral(Box::new(machine))
    }
}

impl From<Central> for Application {
    fn from(machine: Central) -> Self {
        Self::Central(Box::new(machine))
    }
}

/// Calls the same method of either machine.
macro_rules! either {
    ($application:expr, $machine:ident => $call:expr) => {
        match $application {
            Application::Peripheral($machine) => $call,
            Application::Central($machine) => $call,
        }
    };
}

impl HostUser for Application {
    fn handle(&mut self, now: Instant, event: Event) {
        either!(self, machine => machine.handle(now, event));
    }

    /// The test has no use for octets: its host counts them.
    fn receive(&mut self, _now: Instant, _conn: u16, _channel: u16, _octets: &[u8]) {}

    fn poll(&mut self, now: Instant) -> Option<Command> {
        either!(self, machine => machine.poll(now))
    }

    fn deadline(&self) -> Option<Instant> {
        either!(self, machine => machine.deadline())
    }

    fn fill(&self, sdu: &mut [u8]) {
        either!(self, machine => machine.fill(sdu));
    }

    fn sequence(&self) -> u64 {
        either!(self, machine => machine.sequence())
    }

    fn links(&self) -> usize {
        match self {
            Self::Peripheral(_) => 1,
            Self::Central(machine) => machine.peripherals(),
        }
    }

    fn index(&self, conn: u16) -> Option<usize> {
        match self {
            Self::Peripheral(machine) => {
                machine.link().filter(|link| link.is_connected() && link.conn() == conn).map(|_| 0)
            }
            Self::Central(machine) => machine.index(conn),
        }
    }

    fn lane(&self, link: usize, channel: u16) -> Option<usize> {
        self.link(link)?.lane(channel)
    }

    fn outcome(&self, index: usize) -> Option<Outcome> {
        match self {
            Self::Peripheral(_) => None,
            Self::Central(machine) => machine.outcome(index),
        }
    }

    fn wait(&self, conn: u16) -> Wait {
        self.index(conn).and_then(|link| self.link(link)).map_or(Wait::Idle, Link::wait)
    }

    fn reasons(&self) -> Reasons {
        either!(self, machine => machine.reasons())
    }

    fn hears_first(&self) -> bool {
        false
    }

    fn has_begun(&self, _link: usize) -> bool {
        true
    }

    fn called(&self) -> Option<u16> {
        None
    }

    fn report(&mut self) -> Option<Report> {
        None
    }
}

impl Application {
    /// Link number `index` with its counters, standing or gone.
    pub fn link(&self, index: usize) -> Option<&Link> {
        match self {
            Self::Peripheral(machine) => machine.link().filter(|_| index == 0),
            Self::Central(machine) => machine.link(index),
        }
    }

    /// True once nothing more will happen.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Peripheral(_) => false,
            Self::Central(machine) => machine.is_over(),
        }
    }

    /// Next finished second of link `index`: its number from the first SDU, and its octets.
    pub fn take_second(&mut self, index: usize, now: Instant) -> Option<(u64, u64)> {
        match self {
            Self::Peripheral(machine) if index == 0 => machine.take_second(now),
            Self::Peripheral(_) => None,
            Self::Central(machine) => machine.take_second(index, now),
        }
    }
}
