//! Applications that send and take datagrams.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use super::host::{Host, Origin};
use super::{OnError, UdpSender, Waits};
use crate::pace::{Pace, Pacer};
use crate::payload::{STAMP_OCTETS, Stamp};
use crate::udp::Sink;
use crate::watch::{Event, Watch};
use crate::wire::{Headers, Route};

/// Least time that a call takes, *assumed*: without it a program without costs that spins would stand still in time.
const LEAST_CALL: Duration = Duration::from_micros(1);

/// A program that sends.
#[derive(Debug)]
pub(super) struct Sender {
    config: UdpSender,
    headers: Headers,
    pacer: Option<Pacer>,
    /// Datagrams that calls took, which is the number of the next.
    accepted: u64,
    free: Instant,
    /// Set if the last call failed.
    failed: bool,
}

impl Sender {
    pub fn new(route: Route, config: UdpSender) -> Self {
        assert!(config.payload >= STAMP_OCTETS, "a datagram of a test has at least {STAMP_OCTETS} octets");
        let pacer =
            config.rate.map(|rate| Pacer::new(Pace::Constant, rate, config.payload, config.start, config.duration));
        let headers = Headers::new(route, [config.flow; 2], config.payload);
        Self { config, headers, pacer, accepted: 0, free: config.start, failed: false }
    }

    pub fn deadline(&self) -> Option<Instant> {
        let due = match &self.pacer {
            Some(pacer) => pacer.deadline()?,
            None => self.free,
        };
        let due = due.max(self.free);
        (due < self.config.start + self.config.duration).then_some(due)
    }

    pub fn waits(&self, now: Instant) -> Waits {
        match self.deadline() {
            None => Waits::App,
            Some(_) if self.free <= now || now < self.config.start => Waits::App,
            // Its CPU is free before its program wants to send.
            Some(due) if due > self.free => Waits::App,
            Some(_) if self.failed => Waits::Refused,
            Some(_) => Waits::Cpu,
        }
    }

    pub fn busy_until(&self) -> Instant {
        self.free
    }

    pub fn not_before(&mut self, free: Instant) {
        self.free = self.free.max(free);
    }
}

/// A program that takes.
#[derive(Debug)]
pub(super) struct DatagramSink {
    sink: Sink,
    mailbox: VecDeque<Datagram>,
    free: Instant,
}

/// Datagram in a mailbox, as its reader sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Datagram {
    /// Stamp of the datagram, if its octets are those that were sent.
    pub stamp: Option<Stamp>,
    /// Octets of payload.
    pub octets: usize,
}

impl DatagramSink {
    pub fn new(flow: u16) -> Self {
        Self { sink: Sink::new(flow), mailbox: VecDeque::new(), free: Instant::ZERO }
    }

    pub fn flow(&self) -> u16 {
        self.sink.flow()
    }

    pub fn deadline(&self) -> Option<Instant> {
        (!self.mailbox.is_empty()).then_some(self.free)
    }
}

impl<W: Watch> Host<W> {
    /// A sender whose turn it is calls `sendto`.
    pub(super) fn datagram_call(&mut self, now: Instant) -> Option<Packet> {
        let at = self.senders.iter().position(|sender| sender.deadline().is_some_and(|due| due <= now))?;
        let costs = self.config.costs;
        let sender = &mut self.senders[at];
        if let Some(pacer) = &mut sender.pacer {
            pacer.take(now);
        }
        let payload = sender.config.payload;
        let stamp = Stamp { sequence: sender.accepted, sent_at: now };
        let packet = sender.headers.datagram(&self.pool, stamp);
        self.counters.calls += 1;
        self.charge(now, costs.segment);
        let free = self.after_call(now, costs.copy(payload) + costs.segment);
        self.senders[at].free = free.max(now + LEAST_CALL);
        self.offered = Some(Origin::Datagram(at));
        Some(packet)
    }

    /// Takes the interface's answer to it.
    pub(super) fn datagram_outcome(&mut self, now: Instant, at: usize, taken: bool) {
        let switch = self.config.costs.switch;
        let sender = &mut self.senders[at];
        sender.failed = !taken;
        if taken {
            let (flow, sequence, octets) = (sender.config.flow, sender.accepted, sender.config.payload);
            sender.accepted += 1;
            self.accepted += octets as u64;
            self.counters.packets += 1;
            self.watch.event(now, Event::Sent { flow, sequence, octets });
            return;
        }
        self.counters.call_errors += 1;
        sender.free += match sender.config.on_error {
            OnError::Spin => Duration::ZERO,
            OnError::Yield => switch * 2,
            OnError::Sleep(time) => time,
        };
    }

    /// A datagram for the sink `at` has come in.
    pub(super) fn datagram_input(&mut self, now: Instant, at: usize, datagram: Datagram) {
        let sink = &mut self.sinks[at];
        if sink.mailbox.is_empty() && sink.free <= now {
            self.take_datagram(now, at, datagram);
        } else if sink.mailbox.len() < usize::from(self.config.udp_recvmbox) {
            sink.mailbox.push_back(datagram);
        } else {
            self.counters.drops_udp_recvmbox += 1;
            self.watch.event(now, Event::Dropped { octets: datagram.octets });
        }
    }

    /// A sink whose turn it is calls `recvfrom`; says whether one did.
    pub(super) fn read_datagram(&mut self, now: Instant) -> bool {
        let due = |sink: &DatagramSink| sink.deadline().is_some_and(|due| due <= now);
        let Some(at) = self.sinks.iter().position(due) else { return false };
        if let Some(datagram) = self.sinks[at].mailbox.pop_front() {
            self.take_datagram(now, at, datagram);
        }
        true
    }

    fn take_datagram(&mut self, now: Instant, at: usize, datagram: Datagram) {
        let costs = self.config.costs;
        let sink = &mut self.sinks[at];
        sink.sink.take(now, datagram.stamp, datagram.octets, &mut self.watch);
        sink.free = now + costs.switch + costs.call + costs.copy(datagram.octets);
    }
}
