//! Machine: the interface that both ends have in common, for whoever runs either of them.

use airtime_core::Instant;

use crate::{Central, Command, Event, Link, Outcome, Peripheral, Reasons};

/// A machine of the test application: [`Central`] or [`Peripheral`].
pub trait Machine {
    /// Takes one event; the machine is then to be polled until it has no more to say.
    fn handle(&mut self, now: Instant, event: Event);

    /// The next command, until there is none.
    fn poll(&mut self, now: Instant) -> Option<Command>;

    /// Instant at which it wants [`Event::Wake`].
    fn deadline(&self) -> Option<Instant>;

    /// The number of the SDU that the last [`Command::Send`] asked for; what it is made of is
    /// [`payload::write`](crate::payload::write).
    fn sequence(&self) -> u64;

    /// Number of links of the test at this end: the central's peripherals, or one.
    fn links(&self) -> usize;

    /// Number of the link whose live connection is `conn`.
    fn index(&self, conn: u16) -> Option<usize>;

    /// Link number `index` with its counters, standing or gone.
    fn link(&self, index: usize) -> Option<&Link>;

    /// Outcome of the test with link number `index`; a peripheral waits for the next connection and never ends.
    fn outcome(&self, index: usize) -> Option<Outcome>;

    /// Reasons with which connections ended, oldest first.
    fn reasons(&self) -> Reasons;
}

impl Machine for Central {
    fn handle(&mut self, now: Instant, event: Event) {
        Central::handle(self, now, event);
    }

    fn poll(&mut self, now: Instant) -> Option<Command> {
        Central::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        Central::deadline(self)
    }

    fn sequence(&self) -> u64 {
        Central::sequence(self)
    }

    fn links(&self) -> usize {
        self.peripherals()
    }

    fn index(&self, conn: u16) -> Option<usize> {
        Central::index(self, conn)
    }

    fn link(&self, index: usize) -> Option<&Link> {
        Central::link(self, index)
    }

    fn outcome(&self, index: usize) -> Option<Outcome> {
        Central::outcome(self, index)
    }

    fn reasons(&self) -> Reasons {
        Central::reasons(self)
    }
}

impl Machine for Peripheral {
    fn handle(&mut self, now: Instant, event: Event) {
        Peripheral::handle(self, now, event);
    }

    fn poll(&mut self, now: Instant) -> Option<Command> {
        Peripheral::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        Peripheral::deadline(self)
    }

    fn sequence(&self) -> u64 {
        Peripheral::sequence(self)
    }

    fn links(&self) -> usize {
        1
    }

    fn index(&self, conn: u16) -> Option<usize> {
        Peripheral::link(self).filter(|link| link.is_connected() && link.conn() == conn).map(|_| 0)
    }

    fn link(&self, index: usize) -> Option<&Link> {
        Peripheral::link(self).filter(|_| index == 0)
    }

    fn outcome(&self, _index: usize) -> Option<Outcome> {
        None
    }

    fn reasons(&self) -> Reasons {
        Peripheral::reasons(self)
    }
}
