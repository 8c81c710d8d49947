//! The central: looks for its peripherals by name, sets each connection up, counts and streams.

mod outcome;
mod setup;
#[cfg(test)]
mod tests;

use airtime_core::{Duration, Instant};

use crate::config::CentralConfig;
use crate::link::Link;
use crate::queue::Queue;
use crate::{Address, CHANNELS_MAX, Command, Event, LINKS_MAX, Peers, Reasons, payload};

pub use outcome::{Outcome, Step};

/// Connection attempts per peripheral before the central gives up.
pub const ATTEMPTS_MAX: u8 = 3;

/// Phase of the test with one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Its turn to be looked for has not come.
    Waiting,
    Scanning,
    Connecting,
    /// Connected, and others are still looked for.
    Connected,
    Setup {
        step: Step,
        until: Instant,
    },
    Streaming,
    Ended,
}

#[derive(Clone, Debug)]
struct Slot {
    phase: Phase,
    attempts: u8,
    link: Option<Link>,
    psm: Option<u16>,
    outcome: Option<Outcome>,
}

impl Slot {
    const FRESH: Self = Self { phase: Phase::Waiting, attempts: 0, link: None, psm: None, outcome: None };

    fn is_looked_for(&self) -> bool {
        matches!(self.phase, Phase::Scanning | Phase::Connecting)
    }

    fn is_connected(&self) -> bool {
        self.link.as_ref().is_some_and(Link::is_connected)
    }
}

/// The central of a test.
///
/// Peripherals are looked for one after the other; when all are connected, or given up, the
/// connections are set up side by side, so that their streams begin together.
#[derive(Clone, Debug)]
pub struct Central {
    config: CentralConfig,
    queue: Queue,
    slots: [Slot; LINKS_MAX],
    count: usize,
    /// Index of the link whose stream task runs next.
    turn: usize,
    reasons: Reasons,
    sequence: u64,
}

impl Central {
    /// A central that begins with [`Event::Ready`].
    pub fn new(config: CentralConfig) -> Self {
        Self {
            config,
            queue: Queue::default(),
            slots: [Slot::FRESH; LINKS_MAX],
            count: usize::from(config.peripherals).clamp(1, LINKS_MAX),
            turn: 0,
            reasons: Reasons::default(),
            sequence: 0,
        }
    }

    /// Ends its connections; the machine is then to be told [`Event::Wake`], and polled.
    pub fn hang_up(&mut self) {
        for link in self.slots.iter_mut().filter_map(|slot| slot.link.as_mut()).filter(|link| link.is_connected()) {
            link.sender.enable(false);
            self.queue.push(Command::Disconnect { conn: link.conn() });
        }
    }

    /// Takes one event; the machine is then to be polled until it has no more to say.
    pub fn handle(&mut self, now: Instant, event: Event) {
        match event {
            Event::Ready => self.look_for_next(now),
            Event::Found { peer } => self.found(peer),
            Event::ScanTimeout => self.scan_timeout(now),
            Event::Connected { conn, peer, interval } => self.connected(now, conn, peer, interval),
            Event::Disconnected { conn, reason } => self.disconnected(now, conn, reason),
            Event::Sent { conn, channel } => {
                if let Some(link) = self.live(conn) {
                    link.sent(channel);
                }
            }
            Event::Refused { conn, channel } => {
                if let Some(link) = self.live(conn) {
                    link.refused(now, channel);
                }
            }
            Event::Received { conn, channel, len, head } => {
                if let Some(link) = self.live(conn) {
                    link.received(now, channel, len, head);
                }
            }
            _ => {
                if let Some(index) = event.conn().and_then(|conn| self.index(conn)) {
                    self.setup_event(now, index, event);
                }
            }
        }
    }

    /// The next command, until there is none.
    pub fn poll(&mut self, now: Instant) -> Option<Command> {
        if let Some(command) = self.queue.pop() {
            return Some(command);
        }
        for index in 0..self.count {
            if let Phase::Setup { step, until } = self.slots[index].phase
                && now >= until
            {
                self.overdue(now, index, step);
                if let Some(command) = self.queue.pop() {
                    return Some(command);
                }
            }
        }
        for at in (self.turn..self.count).chain(0..self.turn) {
            let Some(link) = &mut self.slots[at].link else { continue };
            if let Some(command) = link.change_due(now) {
                return Some(command);
            }
            if let Some(turn) = link.send(now) {
                let command = turn.command(link.conn());
                self.sequence = turn.sequence;
                self.turn = (at + 1) % self.count;
                return Some(command);
            }
        }
        None
    }

    /// Instant at which it wants [`Event::Wake`].
    pub fn deadline(&self) -> Option<Instant> {
        let steps = self.slots.iter().filter_map(|slot| match slot.phase {
            Phase::Setup { until, .. } => Some(until),
            _ => None,
        });
        steps.chain(self.slots.iter().filter_map(|slot| slot.link.as_ref()?.deadline())).min()
    }

    /// Writes the SDU that the last [`Command::Send`] asked for.
    pub fn fill(&self, sdu: &mut [u8]) {
        payload::write(self.sequence, sdu);
    }

    /// The number of the SDU that the last [`Command::Send`] asked for.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Number of peripherals of the test.
    pub fn peripherals(&self) -> usize {
        self.count
    }

    /// Index, from zero, of the peripheral that the live connection `conn` leads to.
    pub fn index(&self, conn: u16) -> Option<usize> {
        let is = |slot: &Slot| slot.link.as_ref().is_some_and(|link| link.is_connected() && link.conn() == conn);
        self.slots.iter().position(is)
    }

    /// The connection with peripheral `index`, or the last one there was.
    pub fn link(&self, index: usize) -> Option<&Link> {
        self.slots.get(index)?.link.as_ref()
    }

    /// The step towards the stream that the connection with peripheral `index` is at.
    pub fn step(&self, index: usize) -> Option<Step> {
        match self.slots.get(index)?.phase {
            Phase::Setup { step, .. } => Some(step),
            _ => None,
        }
    }

    /// Tells if the connection with peripheral `index` is set up and its stream may flow.
    pub fn is_streaming(&self, index: usize) -> bool {
        self.slots.get(index).is_some_and(|slot| slot.phase == Phase::Streaming)
    }

    /// Outcome of the test with peripheral `index`, if it has ended.
    pub fn outcome(&self, index: usize) -> Option<Outcome> {
        self.slots.get(index)?.outcome
    }

    /// True once the test has ended for every peripheral.
    pub fn is_over(&self) -> bool {
        self.slots[..self.count].iter().all(|slot| slot.phase == Phase::Ended)
    }

    /// Next finished second of the arrivals from peripheral `index`; see
    /// [`Meter::take_second`](crate::Meter::take_second).
    pub fn take_second(&mut self, index: usize, now: Instant) -> Option<(u64, u64)> {
        self.slots.get_mut(index)?.link.as_mut()?.meter.take_second(now)
    }

    /// Reasons with which connections ended.
    pub fn reasons(&self) -> Reasons {
        self.reasons
    }

    fn live(&mut self, conn: u16) -> Option<&mut Link> {
        let index = self.index(conn)?;
        self.slots[index].link.as_mut()
    }

    fn channels(&self) -> usize {
        usize::from(self.config.stream.channels).clamp(1, CHANNELS_MAX)
    }

    /// Scans for the next peripheral; when none is left to be looked for, sets up what stands.
    fn look_for_next(&mut self, now: Instant) {
        let slots = &mut self.slots[..self.count];
        if slots.iter().any(Slot::is_looked_for) {
            return;
        }
        if let Some(index) = slots.iter().position(|slot| slot.phase == Phase::Waiting) {
            slots[index].phase = Phase::Scanning;
            let mut except = Peers::default();
            slots.iter().filter(|slot| slot.is_connected()).filter_map(|slot| slot.link.as_ref()).for_each(|link| {
                except.push(link.peer());
            });
            let name = self.config.name.numbered(index as u8);
            self.queue.push(Command::Scan { name, timeout: self.config.scan_timeout, except });
            return;
        }
        for index in 0..self.count {
            if self.slots[index].phase == Phase::Connected {
                self.proceed(now, index, None);
            }
        }
    }

    fn found(&mut self, peer: Address) {
        let Some(index) = self.slots.iter().position(|slot| slot.phase == Phase::Scanning) else { return };
        let slot = &mut self.slots[index];
        slot.phase = Phase::Connecting;
        slot.attempts += 1;
        let CentralConfig { conn_interval, further_interval, interval: other, .. } = self.config;
        let interval = further_interval.filter(|_| index > 0).unwrap_or(conn_interval);
        let (latency, supervision_timeout) = (other.latency, other.supervision_timeout);
        self.queue.push(Command::Connect { peer, interval, latency, supervision_timeout });
    }

    fn scan_timeout(&mut self, now: Instant) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.phase == Phase::Scanning) else { return };
        slot.phase = Phase::Ended;
        slot.outcome = Some(match slot.attempts {
            0 => Outcome::ScanTimeout,
            _ => Outcome::NotConnected { reason: Reasons::FAILED_TO_ESTABLISH },
        });
        self.look_for_next(now);
    }

    fn connected(&mut self, now: Instant, conn: u16, peer: Address, interval: Duration) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.phase == Phase::Connecting) else {
            return self.queue.push(Command::Disconnect { conn });
        };
        slot.phase = Phase::Connected;
        let CentralConfig { stream, interval: other, change_phy, .. } = &self.config;
        slot.link = Some(Link::new(conn, peer, interval, stream, other, *change_phy));
        self.look_for_next(now);
    }

    fn disconnected(&mut self, now: Instant, conn: u16, reason: u8) {
        let connecting = || self.slots.iter().position(|slot| slot.phase == Phase::Connecting);
        let Some(index) = self.index(conn).or_else(connecting) else { return };
        self.reasons.push(reason);
        let slot = &mut self.slots[index];
        let never_stood = slot.phase == Phase::Connecting || reason == Reasons::FAILED_TO_ESTABLISH;
        if let Some(link) = &mut slot.link {
            link.disconnected();
        }
        if never_stood && slot.attempts < ATTEMPTS_MAX && slot.outcome.is_none() {
            slot.phase = Phase::Waiting;
        } else {
            slot.phase = Phase::Ended;
            slot.outcome.get_or_insert(match never_stood {
                true => Outcome::NotConnected { reason },
                false => Outcome::Disconnected { reason },
            });
        }
        self.look_for_next(now);
    }
}
