//! The host: datagrams, echoes and streams at one address.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::{Instant, Packet, Pool};

use super::connection::Connection;
use super::{Config, Counters};
use crate::ping::{Ping, Pinger};
use crate::segment::{self, Head, flags};
use crate::tcp;
use crate::udp::{Datagrams, Sink, Source};
use crate::waits::Waits;
use crate::watch::{Event, Watch};
use crate::wire::{self, Carried, Route};

/// The first of the ports connections come from (`net.ipv4.ip_local_port_range`).
const FIRST_PORT: u16 = 32_768;

/// A stream to be: who reads or writes it, until it is open.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Reader { flow: u16 },
    Writer { to: Ipv4Addr, config: tcp::Stream },
}

/// A host without IO: IP packets in, IP packets out. Contract of a node: one mutation ([`wake`](Self::wake) or
/// [`packet`](Self::packet)), then [`poll`](Self::poll) to none, then [`deadline`](Self::deadline).
#[derive(Debug)]
pub struct Host<W> {
    pool: Pool,
    local: Ipv4Addr,
    config: Config,
    watch: W,
    counters: Counters,
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    pinger: Option<Pinger>,
    reply: Option<Packet>,
    waiting: Vec<Waiting>,
    connections: Vec<Connection>,
    ident: u16,
}

impl<W: Watch> Host<W> {
    /// A host with the address `local`, on which nothing happens yet.
    pub fn new(pool: Pool, local: Ipv4Addr, config: Config, watch: W) -> Self {
        Self {
            pool,
            local,
            config,
            watch,
            counters: Counters::default(),
            sources: Vec::new(),
            sinks: Vec::new(),
            pinger: None,
            reply: None,
            waiting: Vec::new(),
            connections: Vec::new(),
            ident: 0,
        }
    }

    /// Sends a flow of datagrams to `to`.
    ///
    /// # Panics
    /// When the payload has no room for a stamp or the rate is zero.
    pub fn send_datagrams(&mut self, to: Ipv4Addr, config: Datagrams) {
        self.sources.push(Source::new(self.local, to, config));
    }

    /// Takes the datagrams that come to port `flow`.
    pub fn take_datagrams(&mut self, flow: u16) {
        self.sinks.push(Sink::new(flow));
    }

    /// Writes a stream to `to`; its `window` is the send buffer.
    ///
    /// # Panics
    /// When a write is empty.
    pub fn write_stream(&mut self, to: Ipv4Addr, config: tcp::Stream) {
        assert!(config.write > 0, "a write has octets");
        self.waiting.push(Waiting::Writer { to, config });
    }

    /// Reads the stream that comes to port `flow`, at once whatever comes.
    pub fn read_stream(&mut self, flow: u16) {
        self.waiting.push(Waiting::Reader { flow });
    }

    /// Sends echo requests to `to`; a second call replaces the first.
    ///
    /// # Panics
    /// When the payload has no room for a stamp, or the interval is empty.
    pub fn ping(&mut self, to: Ipv4Addr, config: Ping) {
        self.pinger = Some(Pinger::new(self.local, to, config));
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        let due = |waiting: &Waiting| matches!(waiting, Waiting::Writer { config, .. } if config.start <= now);
        while let Some(at) = self.waiting.iter().position(due) {
            let Waiting::Writer { to, config } = self.waiting.remove(at) else { return };
            let local = (self.local, FIRST_PORT + self.connections.len() as u16 % 0x6000);
            let connection = Connection::connect(self.config, local, (to, config.flow), config);
            self.connections.push(connection);
        }
        for connection in &mut self.connections {
            if connection.deadline().is_some_and(|due| due <= now) {
                connection.wake(now, &mut self.counters, &mut self.watch);
            }
        }
    }

    /// An IP packet has come in. Says whether [`poll`](Self::poll) or [`deadline`](Self::deadline) may answer otherwise than
    /// before: a datagram that somebody takes is only counted.
    pub fn packet(&mut self, now: Instant, packet: &[u8]) -> bool {
        let octets = packet.len();
        match wire::read(packet).filter(|(route, _)| route.to == self.local) {
            Some((route, Carried::Segment(tcp))) => match segment::parse(route, tcp) {
                Some((head, payload)) => self.segment(now, route, &head, payload),
                None => self.watch.event(now, Event::Foreign { octets }),
            },
            Some((_, Carried::Datagram { port, payload, stamp })) => {
                match self.sinks.iter_mut().find(|sink| sink.flow() == port) {
                    Some(sink) => sink.take(now, stamp, payload.len(), &mut self.watch),
                    None => self.watch.event(now, Event::Foreign { octets }),
                }
                return false;
            }
            Some((route, Carried::Echo { reply: false, ident, number, payload })) => {
                let back = Route { from: self.local, to: route.from };
                let copy = |octets: &mut [u8]| octets.copy_from_slice(payload);
                self.reply = Some(wire::echo(&self.pool, back, true, ident, number, payload.len(), copy));
            }
            Some((_, Carried::Echo { reply: true, ident, payload, .. })) => match &mut self.pinger {
                Some(pinger) => pinger.take(now, ident, payload, &mut self.watch),
                None => self.watch.event(now, Event::Foreign { octets }),
            },
            _ => self.watch.event(now, Event::Foreign { octets }),
        }
        true
    }

    fn segment(&mut self, now: Instant, route: Route, head: &Head, payload: &[u8]) {
        let remote = (route.from, head.from_port);
        if let Some(connection) = self.connections.iter_mut().find(|c| c.is_of(head.to_port, remote)) {
            connection.input(now, head, payload, &mut self.counters, &mut self.watch);
            return;
        }
        let listens = |waiting: &Waiting| matches!(waiting, Waiting::Reader { flow } if *flow == head.to_port);
        let syn = head.has(flags::SYN) && !head.has(flags::ACK);
        match self.waiting.iter().position(listens).filter(|_| syn) {
            Some(at) => {
                self.waiting.remove(at);
                self.connections.push(Connection::accept(self.config, (self.local, head.to_port), remote, head));
            }
            None => self.watch.event(now, Event::Foreign { octets: segment::TCP_OCTETS + payload.len() }),
        }
    }

    /// The next IP packet for the path; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<Packet> {
        let packet = self.next(now)?;
        self.counters.packets += 1;
        Some(packet)
    }

    fn next(&mut self, now: Instant) -> Option<Packet> {
        let Self { pool, watch, sources, pinger, reply, connections, counters, ident, .. } = self;
        if let Some(reply) = reply.take() {
            return Some(reply);
        }
        if let Some(packet) = pinger.as_mut().and_then(|pinger| pinger.poll(now, pool)) {
            return Some(packet);
        }
        if let Some(packet) = sources.iter_mut().find_map(|source| source.poll(now, pool, watch)) {
            return Some(packet);
        }
        connections.iter_mut().find_map(|connection| {
            let (head, offset, len) = connection.poll(now, counters)?;
            *ident = ident.wrapping_add(1);
            Some(segment::emit(pool, connection.route(), *ident, &head, offset, len))
        })
    }

    /// Instant at which it next wants to be woken.
    // It is asked for among nodes that answer with a field: what takes longer is not to be their burden.
    #[inline(never)]
    pub fn deadline(&self) -> Option<Instant> {
        let starts = self.waiting.iter().filter_map(|waiting| match waiting {
            Waiting::Writer { config, .. } => Some(config.start),
            Waiting::Reader { .. } => None,
        });
        let sources = self.sources.iter().filter_map(Source::deadline);
        let pinger = self.pinger.as_ref().and_then(Pinger::deadline);
        let connections = self.connections.iter().filter_map(Connection::deadline);
        starts.chain(sources).chain(pinger).chain(connections).min()
    }

    /// Counters of all that it has done and met.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The largest congestion window of its streams, in octets.
    pub fn cwnd(&self) -> Option<u32> {
        self.connections.iter().filter_map(Connection::cwnd).max()
    }

    /// Reason that it sends nothing now. Of several streams, that of the one that was opened first and has something to say.
    pub fn waits(&self) -> Waits {
        let mut streams = self.connections.iter().map(Connection::waits);
        streams.find(|waits| *waits != Waits::App).unwrap_or(Waits::App)
    }

    /// Address of this host.
    pub fn local(&self) -> Ipv4Addr {
        self.local
    }

    /// Watcher of this host.
    pub fn watch(&self) -> &W {
        &self.watch
    }

    /// The flows of datagrams it sends, in the order of their addition.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The flows of datagrams it takes, in the order of their addition.
    pub fn sinks(&self) -> &[Sink] {
        &self.sinks
    }

    /// Its echo requests.
    pub fn pinger(&self) -> Option<&Pinger> {
        self.pinger.as_ref()
    }
}
