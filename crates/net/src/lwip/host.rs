//! One host: the stack, which one task at a time runs, and the applications above it.
//!
//! The stack is one server: with core locking whoever holds its mutex, without it the thread that has its mailbox. A packet leaves
//! when its making begins, and the time of making it keeps the stack from the next.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::{Duration, Instant, Packet, Pool};

use super::datagrams::{Datagram, DatagramSink, Sender};
use super::pcb::{FAST_TICK, Out, Pcb};
use super::streams::Stream;
use super::{Config, Counters, Outcome, TcpSender, TcpSink, UdpSender, Waits};
use crate::segment::{self, Head, flags};
use crate::watch::{Event, Watch};
use crate::wire::{self, Carried, Route};

/// Origin of the packet that the interface was offered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Stream(usize, Out),
    Datagram(usize),
    Echo,
}

/// One host with lwIP and its applications: a node without IO. IP packets in, IP packets out.
#[derive(Debug)]
pub struct Host<W> {
    pub(super) pool: Pool,
    pub(super) local: Ipv4Addr,
    pub(super) config: Config,
    pub(super) watch: W,
    pub(super) counters: Counters,
    pub(super) senders: Vec<Sender>,
    pub(super) sinks: Vec<DatagramSink>,
    pub(super) streams: Vec<Stream>,
    /// Octets that calls took.
    pub(super) accepted: u64,
    mailbox: VecDeque<Packet>,
    echo: Option<Packet>,
    /// Until when the stack is busy.
    pub(super) stack_free: Instant,
    blocked: bool,
    pub(super) offered: Option<Origin>,
    /// The next tick of the fast timer; none while no stream is open.
    tick: Option<Instant>,
    /// Fast ticks and slow ticks so far.
    fast_ticks: u32,
    ticks: u32,
    ident: u16,
    /// Instant at which it was last told or asked something.
    pub(super) last: Instant,
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
            senders: Vec::new(),
            sinks: Vec::new(),
            streams: Vec::new(),
            accepted: 0,
            mailbox: VecDeque::new(),
            echo: None,
            stack_free: Instant::ZERO,
            blocked: false,
            offered: None,
            tick: None,
            fast_ticks: 0,
            ticks: 0,
            ident: 0,
            last: Instant::ZERO,
        }
    }

    /// Sends datagrams to `to`.
    ///
    /// # Panics
    /// When the payload has no room for a stamp or the rate is zero.
    pub fn send_datagrams(&mut self, to: Ipv4Addr, config: UdpSender) {
        self.senders.push(Sender::new(Route { from: self.local, to }, config));
    }

    /// Takes the datagrams that come to port `flow`.
    pub fn take_datagrams(&mut self, flow: u16) {
        self.sinks.push(DatagramSink::new(flow));
    }

    /// Writes a stream to `to`.
    ///
    /// # Panics
    /// When a write is empty.
    pub fn write_stream(&mut self, to: Ipv4Addr, config: TcpSender) {
        let nth = self.streams.len() as u16;
        self.streams.push(Stream::writer((to, config.flow), nth, config));
    }

    /// Reads the stream that comes to a port.
    ///
    /// # Panics
    /// When a call takes nothing.
    pub fn read_stream(&mut self, config: TcpSink) {
        self.streams.push(Stream::reader(config));
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        self.last = now;
    }

    /// An IP packet has come in.
    pub fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.last = now;
        let idle = !self.blocked && self.offered.is_none() && self.stack_free <= now;
        if idle && self.mailbox.is_empty() && !self.has_output() {
            self.input(now, packet);
        } else if self.mailbox.len() < usize::from(self.config.tcpip_mbox) {
            self.mailbox.push_back(self.pool.copy(packet));
        } else {
            self.counters.drops_tcpip_mbox += 1;
            // What is lost of a stream is sent again.
            if packet.get(9) == Some(&wire::UDP) {
                let octets = packet.len().saturating_sub(wire::IPV4_OCTETS + wire::UDP_OCTETS);
                self.watch.event(now, Event::Dropped { octets });
            }
        }
    }

    /// The next IP packet for the interface; drained to none. Each is answered with [`outcome`](Self::outcome) before the
    /// next is asked for; after [`Outcome::Blocked`] nothing is asked for until [`room`](Self::room).
    pub fn poll(&mut self, now: Instant) -> Option<Packet> {
        self.last = now;
        while !self.blocked && self.offered.is_none() && self.stack_free <= now {
            if let Some(echo) = self.echo.take() {
                self.offered = Some(Origin::Echo);
                return Some(echo);
            }
            if let Some(at) = self.streams.iter().position(Stream::has_output) {
                if let Some(packet) = self.segment(now, at) {
                    return Some(packet);
                }
            } else if self.tick.is_some_and(|tick| tick <= now) {
                self.tick(now);
            } else if let Some(packet) = self.mailbox.pop_front() {
                self.input(now, &packet);
            } else if let Some(packet) = self.datagram_call(now) {
                return Some(packet);
            } else if !self.stream_call(now) && !self.read_datagram(now) {
                return None;
            }
        }
        None
    }

    /// Takes the outcome of the packet polled last.
    pub fn outcome(&mut self, now: Instant, outcome: Outcome) {
        self.last = now;
        let Some(origin) = self.offered.take() else { return };
        self.blocked = outcome == Outcome::Blocked;
        let taken = outcome != Outcome::Refused;
        self.counters.refused += u64::from(!taken);
        match origin {
            Origin::Stream(at, out) => self.streams[at].outcome(now, out, taken, &mut self.counters),
            Origin::Datagram(at) => self.datagram_outcome(now, at, taken),
            Origin::Echo => self.counters.packets += u64::from(taken),
        }
    }

    /// The packet that was blocked is in the queue now.
    pub fn room(&mut self, now: Instant) {
        self.last = now;
        if core::mem::take(&mut self.blocked) {
            self.stack_free = self.stack_free.max(now);
            // Their calls return now, or wait for the mutex until now.
            self.senders.iter_mut().for_each(|sender| sender.not_before(now));
        }
    }

    /// Instant at which it next wants to be woken.
    // It is asked for among nodes that answer with a field: what takes longer is not to be their burden.
    #[inline(never)]
    pub fn deadline(&self) -> Option<Instant> {
        if self.blocked || self.offered.is_some() {
            return None;
        }
        let quiet = self.streams.iter().filter_map(Stream::quiet_at).filter(|at| *at > self.last);
        if self.has_output() || !self.mailbox.is_empty() {
            return quiet.chain([self.stack_free]).min();
        }
        let senders = self.senders.iter().filter_map(Sender::deadline);
        let sinks = self.sinks.iter().filter_map(DatagramSink::deadline);
        let streams = self.streams.iter().filter_map(|stream| stream.deadline());
        let work = self.tick.into_iter().chain(senders).chain(sinks).chain(streams).min();
        work.map(|at| at.max(self.stack_free)).into_iter().chain(quiet).min()
    }

    /// Reason that it sends nothing now. Of several streams, that of the one that was added first and has something to
    /// say.
    pub fn waits(&self) -> Waits {
        if self.blocked || self.offered.is_some() {
            return Waits::Nothing;
        }
        if self.has_output() || !self.mailbox.is_empty() {
            return if self.stack_free > self.last { Waits::Cpu } else { Waits::Nothing };
        }
        let senders = self.senders.iter().map(|sender| sender.waits(self.last));
        let streams = self.streams.iter().map(|stream| stream.waits(self.last));
        senders.chain(streams).find(|waits| *waits != Waits::App).unwrap_or(Waits::App)
    }

    /// The largest congestion window of its streams, in octets.
    pub fn cwnd(&self) -> Option<u32> {
        self.open().map(|pcb| pcb.cwnd).max()
    }

    /// The slow-start threshold of the stream with the largest congestion window, in octets.
    pub fn ssthresh(&self) -> Option<u32> {
        self.open().max_by_key(|pcb| pcb.cwnd).map(|pcb| pcb.ssthresh)
    }

    /// Octets of all streams that are on their way.
    pub fn flight(&self) -> Option<u32> {
        self.open().map(Pcb::flight).reduce(|a, b| a + b)
    }

    fn open(&self) -> impl Iterator<Item = &Pcb> {
        self.streams.iter().filter_map(Stream::pcb).filter(|pcb| !pcb.is_over())
    }

    /// Counters of all that it has done and met.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Octets of payload that calls of its senders have taken.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Until when a sender's task holds its core.
    pub fn busy_until(&self) -> Instant {
        let senders = self.senders.iter().map(Sender::busy_until);
        let streams = self.streams.iter().map(Stream::busy_until);
        senders.chain(streams).max().unwrap_or(Instant::ZERO)
    }

    /// Tasks above its senders hold their core until then: no call before.
    pub fn core_taken(&mut self, now: Instant, until: Instant) {
        self.last = now;
        self.senders.iter_mut().for_each(|sender| sender.not_before(until));
        self.streams.iter_mut().filter(|stream| stream.is_writer()).for_each(|stream| stream.not_before(until));
    }

    /// Address of this host.
    pub fn local(&self) -> Ipv4Addr {
        self.local
    }

    /// Watcher of this host.
    pub fn watch(&self) -> &W {
        &self.watch
    }

    fn has_output(&self) -> bool {
        self.echo.is_some() || self.streams.iter().any(Stream::has_output)
    }

    /// The stack is busy for `cost` more.
    pub(super) fn charge(&mut self, now: Instant, cost: Duration) {
        self.stack_free = self.stack_free.max(now) + cost;
        if self.config.shared_core {
            let free = self.stack_free;
            self.senders.iter_mut().for_each(|sender| sender.not_before(free));
            self.streams.iter_mut().for_each(|stream| stream.not_before(free));
        }
    }

    /// Instant at which a task is free again whose call takes `cost` apart from the work of the stack.
    pub(super) fn after_call(&mut self, now: Instant, cost: Duration) -> Instant {
        let posts = if self.config.core_locking { Duration::ZERO } else { self.config.costs.switch * 2 };
        let free = now + self.config.costs.call + cost + posts;
        if self.config.shared_core {
            self.stack_free = self.stack_free.max(free);
        }
        free
    }

    /// The next segment of the stream `at`, offered to the interface.
    fn segment(&mut self, now: Instant, at: usize) -> Option<Packet> {
        let pcb = self.streams[at].pcb_mut()?;
        let (out, head, offset, len) = pcb.next(self.ticks)?;
        let route = Route { from: pcb.local.0, to: pcb.remote.0 };
        self.ident = self.ident.wrapping_add(1);
        let packet = segment::emit(&self.pool, route, self.ident, &head, offset, len);
        self.offered = Some(Origin::Stream(at, out));
        self.charge(now, self.config.costs.segment);
        Some(packet)
    }

    /// The stack takes a packet.
    fn input(&mut self, now: Instant, packet: &[u8]) {
        self.charge(now, self.config.costs.input);
        let octets = packet.len();
        match wire::read(packet).filter(|(route, _)| route.to == self.local) {
            Some((route, Carried::Segment(tcp))) => match segment::parse(route, tcp) {
                Some((head, payload)) => self.segment_input(now, route, &head, payload),
                None => self.watch.event(now, Event::Foreign { octets }),
            },
            Some((_, Carried::Datagram { port, payload, stamp })) => {
                match self.sinks.iter().position(|sink| sink.flow() == port) {
                    Some(at) => self.datagram_input(now, at, Datagram { stamp, octets: payload.len() }),
                    None => self.watch.event(now, Event::Foreign { octets }),
                }
            }
            Some((route, Carried::Echo { reply: false, ident, number, payload })) => {
                let back = Route { from: self.local, to: route.from };
                let copy = |octets: &mut [u8]| octets.copy_from_slice(payload);
                self.echo = Some(wire::echo(&self.pool, back, true, ident, number, payload.len(), copy));
            }
            _ => self.watch.event(now, Event::Foreign { octets }),
        }
    }

    fn segment_input(&mut self, now: Instant, route: Route, head: &Head, payload: &[u8]) {
        let remote = (route.from, head.from_port);
        if let Some(at) = self.streams.iter().position(|stream| stream.is_of(head.to_port, remote)) {
            self.stream_input(now, at, head, payload, self.ticks);
            return;
        }
        let syn = head.has(flags::SYN) && !head.has(flags::ACK);
        let free = |stream: &Stream| stream.listens_on(head.to_port);
        match self.streams.iter().position(free).filter(|_| syn) {
            Some(at) => {
                self.start_timers(now);
                self.streams[at].accept(self.config, (self.local, head.to_port), remote, head);
            }
            None => self.watch.event(now, Event::Foreign { octets: segment::TCP_OCTETS + payload.len() }),
        }
    }

    /// `tcp_timer_needed`: the timers run while there is a stream.
    pub(super) fn start_timers(&mut self, now: Instant) {
        self.tick.get_or_insert(now + FAST_TICK);
    }

    /// `tcp_tmr`: the fast timer, and every second time, from the first, the slow one.
    fn tick(&mut self, now: Instant) {
        for stream in &mut self.streams {
            if let Some(pcb) = stream.pcb_mut() {
                pcb.fast_timer(&mut self.counters);
            }
        }
        self.fast_ticks = self.fast_ticks.wrapping_add(1);
        if self.fast_ticks % 2 == 1 {
            self.ticks = self.ticks.wrapping_add(1);
            for at in 0..self.streams.len() {
                let Some(pcb) = self.streams[at].pcb_mut() else { continue };
                if pcb.slow_timer(self.ticks, &mut self.counters) {
                    self.write_more(now, at);
                }
            }
        }
        // The timer is set anew when it has run (src/core/timeouts.c, `tcpip_tcp_timer`).
        let open = self.streams.iter().any(|stream| stream.pcb().is_some_and(|pcb| !pcb.is_over()));
        self.tick = open.then_some(now + FAST_TICK);
    }
}
