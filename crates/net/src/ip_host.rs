//! One host: an IP address and everything that talks there.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::{Instant, Packet, Pool, random};

use crate::ping::{Ping, Pinger};
use crate::tcp::{Reader, Stack, Stream, Writer};
use crate::udp::{Datagrams, Sink, Source};
use crate::watch::{Event, Watch};
use crate::wire::{self, Carried, Route};

/// One end of a tunnel, above its TUN device.
///
/// It answers echo requests by itself; datagrams and streams need a sink. Contract of a node: one mutation
/// ([`wake`](Self::wake) or [`packet`](Self::packet)), then [`poll`](Self::poll) to none, then [`deadline`](Self::deadline).
pub struct IpHost<W> {
    pool: Pool,
    local: Ipv4Addr,
    watch: W,
    sources: Vec<Source>,
    sinks: Vec<Sink>,
    pinger: Option<Pinger>,
    /// The answer to the packet that came last.
    reply: Option<Packet>,
    stack: Box<Stack>,
}

impl<W: Watch> IpHost<W> {
    /// A host with the address `local` behind a TUN device of `mtu` octets, at which nothing happens yet.
    pub fn new(pool: Pool, local: Ipv4Addr, mtu: usize, seed: u64, watch: W) -> Self {
        // The name is the address: two ends of a run draw apart.
        let seed = random::stream(seed, &format!("net/{local}")).bits();
        let stack = Box::new(Stack::new(pool.clone(), local, mtu, seed));
        Self { pool, local, watch, sources: Vec::new(), sinks: Vec::new(), pinger: None, reply: None, stack }
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

    /// Writes a stream to `to`.
    ///
    /// # Panics
    /// When a write is empty.
    pub fn write_stream(&mut self, to: Ipv4Addr, config: Stream) {
        self.stack.write(to, config);
    }

    /// Reads the stream that comes to port `flow`, with a receive buffer of `window` octets.
    pub fn read_stream(&mut self, flow: u16, window: usize) {
        self.stack.read(flow, window);
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
        if self.stack.deadline().is_some_and(|due| due <= now) {
            self.stack.run(now, &mut self.watch);
        }
    }

    /// An IP packet came out of the tunnel.
    pub fn packet(&mut self, now: Instant, packet: &[u8]) {
        let octets = packet.len();
        match wire::read(packet).filter(|(route, _)| route.to == self.local) {
            Some((_, Carried::Segment(_))) => self.stack.packet(now, packet, &mut self.watch),
            Some((_, Carried::Datagram { port, payload, stamp })) => {
                match self.sinks.iter_mut().find(|sink| sink.flow() == port) {
                    Some(sink) => sink.take(now, stamp, payload.len(), &mut self.watch),
                    None => self.watch.event(now, Event::Foreign { octets }),
                }
            }
            Some((route, Carried::Echo { reply: false, ident, number, payload })) => {
                let back = Route { from: self.local, to: route.from };
                let copy = |octets: &mut [u8]| octets.copy_from_slice(payload);
                self.reply = Some(wire::echo(&self.pool, back, true, ident, number, payload.len(), copy));
            }
            Some((_, Carried::Echo { reply: true, ident, payload, .. })) if self.pinger.is_some() => {
                let pinger = self.pinger.as_mut().expect("asked above");
                pinger.take(now, ident, payload, &mut self.watch);
            }
            _ => self.watch.event(now, Event::Foreign { octets }),
        }
    }

    /// The next IP packet for the tunnel; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<Packet> {
        let Self { pool, watch, sources, pinger, reply, stack, .. } = self;
        reply
            .take()
            .or_else(|| pinger.as_mut()?.poll(now, pool))
            .or_else(|| sources.iter_mut().find_map(|source| source.poll(now, pool, watch)))
            .or_else(|| stack.poll(now, watch))
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        let sources = self.sources.iter().filter_map(Source::deadline);
        let pinger = self.pinger.as_ref().and_then(Pinger::deadline);
        sources.chain(pinger).chain(self.stack.deadline()).min()
    }

    /// Address of this end.
    pub fn local(&self) -> Ipv4Addr {
        self.local
    }

    /// Watcher of this end.
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

    /// The streams it writes, in the order of their addition.
    pub fn writers(&self) -> impl Iterator<Item = &Writer> {
        self.stack.writers()
    }

    /// The streams it reads, in the order of their addition.
    pub fn readers(&self) -> impl Iterator<Item = &Reader> {
        self.stack.readers()
    }
}
