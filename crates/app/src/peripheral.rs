//! The peripheral: advertises, takes one connection at a time, streams through its gate.

use airtime_core::{Duration, Instant};

use crate::config::{PeripheralConfig, Transport};
use crate::link::{DATA_OCTETS_MIN, Link, patience};
use crate::queue::Queue;
use crate::{Address, Command, Event, Reasons, payload};

#[cfg(test)]
mod tests;

/// The peripheral of a test.
#[derive(Clone, Debug)]
pub struct Peripheral {
    config: PeripheralConfig,
    /// The one that holds once the connection has ended.
    next: Option<PeripheralConfig>,
    queue: Queue,
    link: Option<Link>,
    /// The data length is above its minimum, or was waited for long enough.
    settled: bool,
    settle_by: Instant,
    subscribed: bool,
    reasons: Reasons,
    sequence: u64,
}

impl Peripheral {
    /// A peripheral that begins with [`Event::Ready`].
    pub fn new(config: PeripheralConfig) -> Self {
        Self {
            config,
            next: None,
            queue: Queue::default(),
            link: None,
            settled: false,
            settle_by: Instant::ZERO,
            subscribed: false,
            reasons: Reasons::default(),
            sequence: 0,
        }
    }

    /// Takes another configuration, which holds from the next connection on.
    pub fn reconfigure(&mut self, config: PeripheralConfig) {
        match self.link.as_ref().is_some_and(Link::is_connected) {
            true => self.next = Some(config),
            false => self.config = config,
        }
    }

    /// Ends its connection; the machine is then to be told [`Event::Wake`], and polled.
    pub fn hang_up(&mut self) {
        if let Some(link) = self.link.as_mut().filter(|link| link.is_connected()) {
            link.sender.enable(false);
            self.queue.push(Command::Disconnect { conn: link.conn() });
        }
    }

    /// Takes one event; the machine is then to be polled until it has no more to say.
    pub fn handle(&mut self, now: Instant, event: Event) {
        match event {
            Event::Ready => {
                self.queue.push(Command::Listen { psm: self.config.psm });
                self.advertise();
            }
            Event::Connected { conn, peer, interval } => self.connected(now, conn, peer, interval),
            Event::Disconnected { conn, reason } => self.disconnected(conn, reason),
            Event::DataLength { conn, tx_octets, .. } => {
                if let Some(link) = self.live(conn) {
                    link.data_octets = tx_octets;
                    if tx_octets > DATA_OCTETS_MIN {
                        self.settle(now);
                    }
                }
            }
            Event::Subscribed { conn } => {
                if self.live(conn).is_some() {
                    self.subscribed = true;
                    self.open_gate();
                }
            }
            _ => self.link_event(now, event),
        }
    }

    /// The next command, until there is none.
    pub fn poll(&mut self, now: Instant) -> Option<Command> {
        if let Some(command) = self.queue.pop() {
            return Some(command);
        }
        if self.waits_to_settle() && now >= self.settle_by {
            self.settle(now);
        }
        let link = self.link.as_mut()?;
        if let Some(command) = link.change_due(now) {
            return Some(command);
        }
        let turn = link.send(now)?;
        self.sequence = turn.sequence;
        Some(turn.command(link.conn()))
    }

    /// Instant at which it wants [`Event::Wake`].
    pub fn deadline(&self) -> Option<Instant> {
        let settle = self.waits_to_settle().then_some(self.settle_by);
        settle.into_iter().chain(self.link.as_ref().and_then(Link::deadline)).min()
    }

    /// Writes the SDU that the last [`Command::Send`] asked for.
    pub fn fill(&self, sdu: &mut [u8]) {
        payload::write(self.sequence, sdu);
    }

    /// The number of the SDU that the last [`Command::Send`] asked for.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The connection, or the last one there was.
    pub fn link(&self) -> Option<&Link> {
        self.link.as_ref()
    }

    /// Next finished second of the arrivals; see [`Meter::take_second`](crate::Meter::take_second).
    pub fn take_second(&mut self, now: Instant) -> Option<(u64, u64)> {
        self.link.as_mut()?.meter.take_second(now)
    }

    /// Reasons with which connections ended.
    pub fn reasons(&self) -> Reasons {
        self.reasons
    }

    fn live(&mut self, conn: u16) -> Option<&mut Link> {
        self.link.as_mut().filter(|link| link.is_connected() && link.conn() == conn)
    }

    fn advertise(&mut self) {
        let PeripheralConfig { name, advertising_interval: interval, .. } = self.config;
        self.queue.push(Command::Advertise { name, interval });
    }

    fn connected(&mut self, now: Instant, conn: u16, peer: Address, interval: Duration) {
        if self.link.as_ref().is_some_and(Link::is_connected) {
            self.queue.push(Command::Disconnect { conn });
            return;
        }
        // The controller has stopped of itself (Core 6.0, Vol 4, Part E, 7.8.9); a host with room
        // for more connections starts again.
        if self.config.stop_advertising {
            self.queue.push(Command::StopAdvertising);
        } else {
            self.advertise();
        }
        if self.config.data_octets > DATA_OCTETS_MIN {
            self.queue.push(Command::SetDataLength { conn, octets: self.config.data_octets });
        }
        let PeripheralConfig { stream, interval: other, change_phy, .. } = &self.config;
        let mut link = Link::new(conn, peer, interval, stream, other, *change_phy);
        link.intervals.connected(now);
        self.link = Some(link);
        self.settled = false;
        self.settle_by = now + patience(interval, self.config.interval.latency);
        self.subscribed = false;
        self.open_gate();
    }

    fn disconnected(&mut self, conn: u16, reason: u8) {
        let Some(link) = self.live(conn) else { return };
        link.disconnected();
        self.reasons.push(reason);
        self.config = self.next.take().unwrap_or(self.config);
        if self.config.stop_advertising {
            self.advertise();
        }
    }

    fn link_event(&mut self, now: Instant, event: Event) {
        match event {
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
            Event::ChannelOpened { conn, channel, peer_mtu, .. } => {
                if let Some(link) = self.live(conn) {
                    link.open(channel, peer_mtu);
                }
            }
            Event::ChannelClosed { conn, channel } => {
                if let Some(link) = self.live(conn) {
                    link.close(channel);
                }
            }
            Event::MtuExchanged { conn, mtu } => {
                if let Some(link) = self.live(conn) {
                    link.mtu_exchanged(mtu);
                }
            }
            Event::IntervalUpdated { conn, status, interval } => {
                if let Some(link) = self.live(conn) {
                    link.interval_updated(now, status, interval);
                }
            }
            Event::PhyUpdated { conn, status } => {
                if let Some(link) = self.live(conn) {
                    link.phy_updated(now, status);
                }
            }
            _ => {}
        }
    }

    fn waits_to_settle(&self) -> bool {
        !self.settled && self.link.as_ref().is_some_and(Link::is_connected)
    }

    /// The data length stands: the gate opens, and the interval can be asked for.
    fn settle(&mut self, now: Instant) {
        self.settled = true;
        if let Some(link) = &mut self.link {
            link.intervals.begin(now, link.interval);
        }
        self.open_gate();
    }

    fn open_gate(&mut self) {
        let stream = &self.config.stream;
        let listened_to = stream.transport == Transport::Coc || self.subscribed;
        let open = listened_to && (self.settled || !self.config.data_length_gate);
        if let Some(link) = &mut self.link {
            link.sender.enable(open && stream.direction.from_peripheral());
        }
    }
}
