//! One connection, as both ends see it: channels, the sender, the arrivals.

use airtime_core::{Duration, Instant};

use crate::config::{IntervalConfig, StreamConfig, Transport, ValueRoom};
use crate::interval::IntervalRequests;
use crate::meter::Meter;
use crate::order::{Gaps, Order};
use crate::phy::PhyChange;
use crate::requests::Answering;
use crate::sender::{Sender, Submissions, Turn};
use crate::wait::Wait;
use crate::{ATT_CHANNEL, Address, CHANNELS_MAX, Command, Phy};

/// ATT MTU of a fresh connection. Core 6.0, Vol 3, Part G, 5.2.1.
const ATT_MTU_DEFAULT: u16 = 23;

/// LL payload of a connection whose data length was never updated.
pub(crate) const DATA_OCTETS_MIN: u16 = 27;

/// Time to wait for a link layer procedure that may end without an event, as a data length update does that changes
/// nothing: 2 s and 20 anchors at which the peripheral listens.
pub(crate) fn patience(interval: Duration, latency: u16) -> Duration {
    Duration::from_secs(2) + interval * (20 * (u64::from(latency) + 1))
}

/// One connection of the test; kept when it is gone, until the next one takes its place.
#[derive(Clone, Debug)]
pub struct Link {
    conn: u16,
    peer: Address,
    connected: bool,
    pub(crate) interval: Duration,
    pub(crate) data_octets: u16,
    transport: Transport,
    value_room: ValueRoom,
    times: (u16, Duration),
    /// Identifiers of the channels in the order they opened; zero for one that is closed.
    channels: [u16; CHANNELS_MAX],
    opened: usize,
    pub(crate) sender: Sender,
    pub(crate) meter: Meter,
    orders: [Order; CHANNELS_MAX],
    answering: Option<Answering>,
    started: Option<Instant>,
    pub(crate) intervals: IntervalRequests,
    phy: PhyChange,
}

impl Link {
    pub(crate) fn new(
        conn: u16,
        peer: Address,
        interval: Duration,
        stream: &StreamConfig,
        intervals: &IntervalConfig,
        change_phy: Option<(Duration, Phy)>,
    ) -> Self {
        let mut link = Self {
            conn,
            peer,
            connected: true,
            interval,
            data_octets: DATA_OCTETS_MIN,
            transport: stream.transport,
            value_room: stream.value_room,
            times: (intervals.latency, intervals.supervision_timeout),
            channels: [0; CHANNELS_MAX],
            opened: 0,
            sender: Sender::new(stream),
            meter: Meter::new(stream.warmup),
            orders: [Order::default(); CHANNELS_MAX],
            answering: stream.requests.map(Answering::new),
            started: None,
            intervals: IntervalRequests::new(intervals),
            phy: PhyChange::new(change_phy),
        };
        if stream.transport == Transport::Gatt {
            link.open(ATT_CHANNEL, stream.value_room.at(ATT_MTU_DEFAULT));
        }
        link
    }

    /// Handle of the connection.
    pub fn conn(&self) -> u16 {
        self.conn
    }

    /// The other end.
    pub fn peer(&self) -> Address {
        self.peer
    }

    /// True while it still stands.
    pub fn is_connected(&self) -> bool {
        self.connected
    }

    /// Start of the stream: the first SDU sent or received.
    pub fn started(&self) -> Option<Instant> {
        self.started
    }

    /// Meter of the SDUs that have arrived.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Counts of SDUs that were lost, came twice or late, over all channels.
    pub fn gaps(&self) -> Gaps {
        self.orders.iter().fold(Gaps::default(), |sum, order| sum + order.gaps)
    }

    /// Counts of SDUs that were handed to the host.
    pub fn submissions(&self) -> Submissions {
        self.sender.submissions()
    }

    /// The number of an open channel in the order of opening, which is the same at both ends.
    pub fn lane(&self, channel: u16) -> Option<usize> {
        self.channels.iter().position(|id| *id == channel && channel != 0)
    }

    /// Reason that the stream gives the host no more units, where this end sends, or answers.
    pub fn wait(&self) -> Wait {
        match &self.answering {
            Some(answering) if answering.is_busy() => Wait::Busy,
            _ => self.sender.wait(),
        }
    }

    /// Channels opened so far.
    pub(crate) fn opened(&self) -> usize {
        self.opened
    }

    /// True if no channel is open.
    pub(crate) fn is_closed(&self) -> bool {
        self.channels.iter().all(|id| *id == 0)
    }

    /// Takes a channel whose peer takes `peer_mtu` octets; one beyond [`CHANNELS_MAX`] is left idle.
    pub(crate) fn open(&mut self, channel: u16, peer_mtu: u16) {
        if let Some(place) = self.channels.get_mut(self.opened) {
            *place = channel;
            self.sender.open(self.opened, channel, peer_mtu);
            self.opened += 1;
        }
    }

    pub(crate) fn close(&mut self, channel: u16) {
        if let Some(lane) = self.lane(channel) {
            self.channels[lane] = 0;
            self.sender.close(lane);
        }
    }

    pub(crate) fn mtu_exchanged(&mut self, mtu: u16) {
        if self.transport == Transport::Gatt {
            self.sender.open(0, ATT_CHANNEL, self.value_room.at(mtu));
        }
    }

    pub(crate) fn disconnected(&mut self) {
        self.connected = false;
        self.sender.enable(false);
        self.answering = None;
    }

    #[inline]
    pub(crate) fn sent(&mut self, channel: u16) {
        if let Some(lane) = self.lane(channel) {
            self.sender.sent(lane);
        }
    }

    /// The host had no room for the unit that it was given last.
    pub(crate) fn refused(&mut self, now: Instant, channel: u16) {
        if let Some(lane) = self.lane(channel) {
            self.sender.refused(now, lane);
        }
    }

    #[inline]
    pub(crate) fn received(&mut self, now: Instant, channel: u16, len: u16, head: [u8; 8]) {
        let Some(lane) = self.lane(channel) else { return };
        if self.sender.answered() {
            return;
        }
        if let Some(answering) = &mut self.answering {
            answering.arrived(now, len);
        }
        self.started.get_or_insert(now);
        self.orders[lane].note(len, head);
        self.meter.arrived(now, len);
    }

    /// The next SDU to send.
    #[inline]
    pub(crate) fn send(&mut self, now: Instant) -> Option<Turn> {
        let answer = self.answering.as_mut().and_then(|answering| answering.answer(now));
        if let Some((len, sequence)) = answer {
            return Some(Turn { channel: ATT_CHANNEL, len, sequence });
        }
        let turn = self.sender.next(now)?;
        self.started.get_or_insert(now);
        Some(turn)
    }

    /// A change of the connection to ask for now.
    #[inline]
    pub(crate) fn change_due(&mut self, now: Instant) -> Option<Command> {
        if !self.connected {
            return None;
        }
        if let Some(phy) = self.phy.due(now, self.started) {
            return Some(Command::SetPhy { conn: self.conn, phy });
        }
        let (shortest, interval) = self.intervals.due(now, self.started, self.interval)?;
        let (latency, supervision_timeout) = self.times;
        Some(Command::UpdateInterval { conn: self.conn, shortest, interval, latency, supervision_timeout })
    }

    pub(crate) fn interval_updated(&mut self, now: Instant, status: u8, interval: Duration) {
        self.interval = interval;
        self.intervals.updated(now, status, interval);
    }

    pub(crate) fn phy_updated(&mut self, now: Instant, status: u8) {
        self.phy.updated(now, status, self.interval);
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        if !self.connected {
            return None;
        }
        let changes = self.intervals.deadline(self.started).into_iter().chain(self.phy.deadline(self.started));
        let answers = self.answering.as_ref().and_then(Answering::deadline);
        self.sender.deadline().into_iter().chain(answers).chain(changes).min()
    }
}

impl Turn {
    /// The command that sends it.
    pub(crate) fn command(self, conn: u16) -> Command {
        Command::Send { conn, channel: self.channel, len: self.len }
    }
}
