//! Record of one connection, from the air between its ends.

use airtime_ble::air::{MIC_OCTETS, Phy};
use airtime_ble::controller::Controller;
use airtime_ble::hci::Status;
use airtime_ble::host::{Role, Starved};
use airtime_ble::ledger::l2cap::{Kind, Parsers};
use airtime_ble::ledger::{Account, Books, Counts, Direction};
use airtime_ble::ll::pdu::{DataHeader, LLID_CONTROL};
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::ledger::Ledger;
use airtime_core::{Duration, Instant};

/// One connection. Pairs are: central, or central to peripheral; peripheral, or peripheral to central.
#[derive(Clone, Debug)]
pub struct LinkRecord {
    /// Access address of the connection.
    pub access_address: u32,
    /// Instant at which it was made.
    pub opened: Instant,
    /// Instant at which its last end had gone.
    pub closed: Option<Instant>,
    /// Ends of the connection.
    pub ends: [Option<LinkEnd>; 2],
    /// Terms that were negotiated, as far as they were seen.
    pub terms: Option<Terms>,
    /// Streams that were carried.
    pub streams: [Stream; 2],
    /// Books of its air.
    pub books: Books,
    /// Ledger and counts as they were when payload last arrived: what came after that is no part of a stream.
    streamed: Option<(Ledger<Account>, Counts)>,
    parsers: Parsers,
}

/// One end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    /// Index of the device.
    pub device: usize,
    /// Manner in which it went, once it has.
    pub gone: Option<Gone>,
}

/// Manner in which an end of a connection went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// Its controller has ended the connection and said why.
    Closed(Status),
    /// Its controller has lost power, or was reset.
    Silent,
}

/// Terms that were negotiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Connection interval, a span of time.
    pub interval: Duration,
    /// Peripheral latency, in events.
    pub latency: u16,
    /// Supervision timeout, a span of time.
    pub timeout: Duration,
    /// PHY of each direction.
    pub phy: [Phy; 2],
    /// LL payload octets of each direction.
    pub octets: [u16; 2],
    /// Set if it is encrypted.
    pub encrypted: bool,
}

/// Payload of one direction: octets of SDUs and values, each counted when it first arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// Octets of payload that have arrived.
    pub octets: u64,
    /// Start of the first packet with payload, and end of the last one.
    pub during: Option<(Instant, Instant)>,
}

impl Stream {
    /// Payload per second from the first packet to the last, in 10³ bit/s.
    pub fn goodput_kbps(&self) -> f64 {
        let time = self.during.map_or(Duration::ZERO, |(first, last)| last - first);
        if time.is_zero() { 0.0 } else { (self.octets as f64 * 8e7 / time.as_nanos() as f64).round() / 10.0 }
    }
}

const fn side(role: Role) -> usize {
    match role {
        Role::Central => 0,
        Role::Peripheral => 1,
    }
}

impl LinkRecord {
    /// A connection that was made just now.
    pub fn new(access_address: u32, opened: Instant) -> Self {
        Self {
            access_address,
            opened,
            closed: None,
            ends: [None, None],
            terms: None,
            streams: [Stream::default(); 2],
            // The first data says which way the stream goes.
            books: Books::new(access_address, opened, Direction::P2c),
            streamed: None,
            parsers: Parsers::default(),
        }
    }

    /// `device` is the end with this role.
    pub fn joined(&mut self, device: usize, role: Role) {
        self.ends[side(role)] = Some(LinkEnd { device, gone: None });
    }

    /// An end says why it is over.
    pub fn ended(&mut self, now: Instant, trace: &Trace, role: Role, reason: Status) {
        self.books.trace(now, trace, None);
        self.leave(now, side(role), Gone::Closed(reason));
    }

    /// The controller of `device` has forgotten everything.
    pub fn silenced(&mut self, now: Instant, device: usize) {
        for side in 0..2 {
            if self.ends[side].is_some_and(|end| end.device == device && end.gone.is_none()) {
                self.leave(now, side, Gone::Silent);
            }
        }
        if self.closed.is_some() {
            // Nobody is left to say that it is over.
            let trace = Trace::ConnectionClosed {
                link: self.access_address,
                role: Role::Central,
                reason: Status::CONNECTION_TIMEOUT,
            };
            self.books.trace(now, &trace, None);
        }
    }

    fn leave(&mut self, now: Instant, side: usize, how: Gone) {
        if let Some(end) = &mut self.ends[side] {
            end.gone = Some(how);
        }
        if self.ends.iter().flatten().all(|end| end.gone.is_some()) {
            self.closed = Some(now);
        }
    }

    /// A side says something of an event.
    pub fn trace(&mut self, now: Instant, trace: &Trace, starved: Option<Starved>) {
        self.books.trace(now, trace, starved);
    }

    /// A packet has ended; says how many octets of payload it has brought.
    pub fn transmission(&mut self, sent: &Transmission, verdict: Verdict) -> u64 {
        let payload = match sent.place {
            Place::Event { from_central, .. } if verdict == Verdict::New => self.payload(sent, !from_central),
            _ => 0,
        };
        self.books.transmission(sent, verdict);
        if payload > 0 {
            self.streamed = Some((self.books.ledger().clone(), *self.books.counts()));
        }
        payload as u64
    }

    /// Ledger and counts up to the last payload, or to now where there was none.
    pub fn until_last_payload(&self) -> (&Ledger<Account>, &Counts) {
        self.streamed.as_ref().map_or((self.books.ledger(), self.books.counts()), |(ledger, counts)| (ledger, counts))
    }

    /// Time since the last payload, up to the end of the connection or to `now`.
    pub fn silence(&self, now: Instant) -> Duration {
        let last = self.streams.iter().filter_map(|stream| stream.during).map(|(_, last)| last).max();
        last.map_or(Duration::ZERO, |last| self.closed.unwrap_or(now).saturating_since(last))
    }

    fn payload(&mut self, sent: &Transmission, from_peripheral: bool) -> usize {
        let from = usize::from(from_peripheral);
        let Some((header, payload)) = DataHeader::parse(&sent.packet) else { return 0 };
        if payload.is_empty() || header.llid == LLID_CONTROL {
            return 0;
        }
        let mic = if sent.encrypted { MIC_OCTETS as usize } else { 0 };
        let clear = &payload[..payload.len().saturating_sub(mic)];
        let Kind::Data { payload, .. } = self.parsers.fragment(from, header.llid, clear) else { return 0 };
        if self.streams.iter().all(|stream| stream.during.is_none()) {
            self.books.stream_started(sent.start);
        }
        let stream = &mut self.streams[from];
        stream.octets += payload as u64;
        let first = stream.during.map_or(sent.start, |(first, _)| first);
        let begins = stream.during.replace((first, sent.end)).is_none();
        if begins {
            self.books.set_direction(match self.streams.map(|stream| stream.during.is_some()) {
                [true, true] => Direction::Both,
                [true, false] => Direction::C2p,
                _ => Direction::P2c,
            });
        }
        payload
    }

    /// Looks at what the controller of an end has agreed on.
    pub fn look(&mut self, controller: &Controller) {
        let Some(connection) = controller.link(self.access_address) else { return };
        let towards = side(connection.role);
        let mut terms = Terms {
            interval: connection.timing.interval,
            latency: connection.timing.latency,
            timeout: connection.timing.timeout,
            phy: [connection.tx_phy, connection.rx_phy],
            octets: [connection.effective.max_tx_octets, connection.effective.max_rx_octets],
            encrypted: connection.encryption.tx && connection.encryption.rx,
        };
        if towards == 1 {
            terms.phy.reverse();
            terms.octets.reverse();
        }
        self.terms = Some(terms);
    }
}
