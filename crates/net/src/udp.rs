//! Sources and sinks of datagrams.

use core::net::Ipv4Addr;

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant, Packet, Pool};

use crate::pace::{Pace, Pacer};
use crate::payload::{STAMP_OCTETS, Stamp};
use crate::tally::Tally;
use crate::watch::{Event, Watch};
use crate::wire::{self, Headers, Route};

/// A flow of datagrams as a plan asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagrams {
    /// The port it goes to, by which it is known at both ends.
    pub flow: u16,
    /// Octets of payload in a datagram: at least [`STAMP_OCTETS`], at most the MTU less 28.
    pub payload: usize,
    /// Bits of payload per second.
    pub rate: Bitrate,
    /// Rule by which it keeps to the rate.
    pub pace: Pace,
    /// Instant at which the first datagram leaves.
    pub start: Instant,
    /// Time for which it sends.
    pub duration: Duration,
}

impl Datagrams {
    /// The rate that keeps a link of `ceiling` busy without a word from it: half as much again.
    ///
    /// A TUN device of a virtual network takes every packet, so a source cannot feel how fast the link is. What is more than the
    /// link can carry is dropped at the bound of its queue; where there is none, it grows by half the ceiling each second of the test.
    pub fn saturating(ceiling: Bitrate) -> Bitrate {
        Bitrate((ceiling.0 + ceiling.0 / 2).max(1))
    }

    /// Bits per second of the IP packets when `rate` bits of payload are sent: with the 28 octets of the headers.
    pub fn at_ip_level(rate: Bitrate, payload: usize) -> Bitrate {
        let packet = payload + wire::IPV4_OCTETS + wire::UDP_OCTETS;
        Bitrate((u128::from(rate.0) * packet as u128 / payload.max(1) as u128) as u64)
    }
}

/// The sending end of a flow.
#[derive(Clone, Debug)]
pub struct Source {
    config: Datagrams,
    headers: Headers,
    pacer: Pacer,
}

impl Source {
    /// A source at `from`.
    ///
    /// # Panics
    /// When the payload has no room for a stamp.
    pub fn new(from: Ipv4Addr, to: Ipv4Addr, config: Datagrams) -> Self {
        assert!(config.payload >= STAMP_OCTETS, "a datagram of a test has at least {STAMP_OCTETS} octets");
        let pacer = Pacer::new(config.pace, config.rate, config.payload, config.start, config.duration);
        let headers = Headers::new(Route { from, to }, [config.flow; 2], config.payload);
        Self { config, headers, pacer }
    }

    /// The next datagram that is due.
    pub fn poll(&mut self, now: Instant, pool: &Pool, watch: &mut impl Watch) -> Option<Packet> {
        let Datagrams { flow, payload, .. } = self.config;
        let sequence = self.pacer.sent();
        if !self.pacer.take(now) {
            return None;
        }
        watch.event(now, Event::Sent { flow, sequence, octets: payload });
        let stamp = Stamp { sequence, sent_at: now };
        Some(self.headers.datagram(pool, stamp))
    }

    /// Instant at which the next datagram leaves.
    pub fn deadline(&self) -> Option<Instant> {
        self.pacer.deadline()
    }

    /// Configuration: its flow, rate and duration.
    pub fn config(&self) -> &Datagrams {
        &self.config
    }

    /// Datagrams sent so far.
    pub fn sent(&self) -> u64 {
        self.pacer.sent()
    }

    /// Instant at which it stops for good: datagrams that arrive afterwards lay in a queue. The *test overrun* of the
    /// published nRF24 report is the time from here to the last arrival at the [`Sink`], since iperf3 waits for its
    /// last datagrams.
    pub fn end(&self) -> Instant {
        self.pacer.end()
    }
}

/// The receiving end of a flow.
#[derive(Clone, Debug)]
pub struct Sink {
    flow: u16,
    tally: Tally,
    octets: u64,
    damaged: u64,
    last_arrival: Option<Instant>,
}

impl Sink {
    /// A sink of everything that comes to port `flow`.
    pub fn new(flow: u16) -> Self {
        Self { flow, tally: Tally::default(), octets: 0, damaged: 0, last_arrival: None }
    }

    /// A datagram of the flow came in, with `octets` of payload; no `stamp` says that they are not what was sent.
    pub fn take(&mut self, now: Instant, stamp: Option<Stamp>, octets: usize, watch: &mut impl Watch) {
        let flow = self.flow;
        // A stamp from the future is none that was sent.
        let Some(stamp) = stamp.filter(|stamp| stamp.sent_at <= now) else {
            self.damaged += 1;
            watch.event(now, Event::Damaged { flow, octets });
            return;
        };
        let Stamp { sequence, sent_at } = stamp;
        let before = self.tally.arrived;
        let order = self.tally.note(sequence);
        if self.tally.arrived > before {
            self.octets += octets as u64;
            self.last_arrival = Some(now);
        }
        watch.event(now, Event::Arrived { flow, sequence, octets, sent_at, delay: now - sent_at, order });
    }

    /// Port that it listens on.
    pub fn flow(&self) -> u16 {
        self.flow
    }

    /// Tally of datagrams that arrived, were lost, came late and twice.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Octets of payload that arrived, repetitions excluded.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Datagrams whose octets are not what was sent.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Instant at which the last datagram that was no repetition arrived.
    pub fn last_arrival(&self) -> Option<Instant> {
        self.last_arrival
    }
}
