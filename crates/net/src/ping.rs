//! Echo requests at a steady beat, and their replies.

use core::net::Ipv4Addr;

use airtime_core::{Duration, Instant, Packet, Pool};

use crate::payload::{STAMP_OCTETS, Stamp};
use crate::tally::{Order, Tally};
use crate::watch::{Event, Watch};
use crate::wire::{self, Route};

/// Echo requests as a plan asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Octets behind the ICMP header, at least [`STAMP_OCTETS`]; ping(8) sends 56.
    pub payload: usize,
    /// Time between two requests.
    pub interval: Duration,
    /// Instant at which the first request leaves.
    pub start: Instant,
    /// Time for which requests are sent.
    pub duration: Duration,
}

/// The identifier of our requests: any will do between two hosts with one pinger each.
const IDENT: u16 = 0x6174;

/// The asking end.
#[derive(Clone, Debug)]
pub struct Pinger {
    config: Ping,
    route: Route,
    sent: u64,
    replies: Tally,
}

impl Pinger {
    /// A pinger at `from`.
    ///
    /// # Panics
    /// When the payload has no room for a stamp, or the interval is empty.
    pub fn new(from: Ipv4Addr, to: Ipv4Addr, config: Ping) -> Self {
        assert!(config.payload >= STAMP_OCTETS, "an echo request of a test has at least {STAMP_OCTETS} octets");
        assert!(!config.interval.is_zero(), "requests are apart");
        Self { config, route: Route { from, to }, sent: 0, replies: Tally::default() }
    }

    /// The next request that is due.
    pub fn poll(&mut self, now: Instant, pool: &Pool) -> Option<Packet> {
        self.deadline().filter(|due| *due <= now)?;
        let stamp = Stamp { sequence: self.sent, sent_at: now };
        self.sent += 1;
        let number = stamp.sequence as u16;
        let fill = |octets: &mut [u8]| stamp.fill(octets);
        Some(wire::echo(pool, self.route, false, IDENT, number, self.config.payload, fill))
    }

    /// A reply came back.
    pub fn take(&mut self, now: Instant, ident: u16, payload: &[u8], watch: &mut impl Watch) {
        let ours =
            Stamp::read(payload).filter(|stamp| ident == IDENT && stamp.sequence < self.sent && stamp.sent_at <= now);
        let Some(Stamp { sequence, sent_at }) = ours else {
            watch.event(now, Event::Foreign { octets: payload.len() });
            return;
        };
        if self.replies.note(sequence) != Order::Again {
            watch.event(now, Event::Echo { sequence, sent_at, round_trip: now - sent_at });
        }
    }

    /// Instant at which the next request leaves.
    pub fn deadline(&self) -> Option<Instant> {
        let next = self.config.interval * self.sent;
        (next < self.config.duration).then(|| self.config.start + next)
    }

    /// Requests sent so far.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Requests that were answered.
    pub fn answered(&self) -> u64 {
        self.replies.arrived
    }
}
