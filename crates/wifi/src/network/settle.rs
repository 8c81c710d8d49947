//! A step of the plant: what one part has to say is carried to the next, until none has anything left to say.

use airtime_core::{Instant, Packet, Touched};

use super::chain::ChainOutput;
use super::cpu::Received;
use super::netif::Netif;
use super::{AP, Control, End, InterfaceUser, Network, Observer, Outcome, STATION, node};
use crate::cell::{CellOutput, Refused as CellRefused, StationId};
use crate::hosted::host::Refused;
use crate::trace::{DropPoint, TxFailure};
use crate::wire::RxInfo;

/// Parts that were moved and may have something to say, a bit for each node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dirty(u8);

impl Dirty {
    /// Every part.
    pub(super) const ALL: Self = Self((1 << node::COUNT) - 1);

    fn any(self) -> bool {
        self.0 != 0
    }

    fn note(&mut self, node: usize) {
        self.0 |= 1 << node;
    }

    /// Takes out one part: the one nearest to the host's application first.
    fn take(&mut self) -> Option<usize> {
        let node = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (node < node::COUNT).then_some(node)
    }
}

// What is carried from one part is a function of its own: joined into one loop they would all pay, at every step, for the
// registers and the stack of the largest.
impl<A: InterfaceUser, F: InterfaceUser, O: Observer, C: Control> Network<A, F, O, C> {
    /// Carries everything between the parts until none of them has anything to say.
    pub(super) fn settle(&mut self, now: Instant, mut dirty: Dirty, touched: &mut Touched) {
        while let Some(node) = dirty.take() {
            self.carry(node, now, false, &mut dirty, touched);
        }
        if self.looks {
            self.look(now);
        }
    }

    /// Carries what `node` has to say, and what comes of it; if it is `due` it is woken first.
    #[inline(always)]
    pub(super) fn settle_node(&mut self, node: usize, now: Instant, due: bool, touched: &mut Touched) {
        let mut dirty = Dirty::default();
        self.carry(node, now, due, &mut dirty, touched);
        // Mostly it moves nothing else.
        if dirty.any() {
            self.settle(now, dirty, touched);
        } else if self.looks {
            self.look(now);
        }
    }

    /// Carries what `node` has to say to the others; if it is `due` it is woken first.
    // No call of its own, since it is nothing but the choice of one.
    #[inline(always)]
    fn carry(&mut self, node: usize, now: Instant, due: bool, dirty: &mut Dirty, touched: &mut Touched) {
        touched.note(node);
        match node {
            node::ABOVE => {
                if due {
                    self.above.wake(now);
                }
                self.pump(now, dirty);
            }
            // The chain and the access point do what is due whenever they are carried from.
            node::CHAIN => self.carry_chain(now, dirty, touched),
            node::CELL => {
                if due {
                    self.cell.wake(now);
                }
                self.carry_cell(now, dirty);
            }
            node::ACCESS_POINT => self.carry_access_point(now, dirty, touched),
            node::FAR => {
                if due {
                    self.far.wake(now);
                }
                self.pump_far(now, dirty);
            }
            _ => {
                if due {
                    self.control.wake(now);
                }
                self.act(now, dirty);
            }
        }
    }

    /// Takes an IP packet from above the host.
    pub(super) fn send(&mut self, now: Instant, packet: Packet, dirty: &mut Dirty) -> Outcome {
        let octets = packet.len();
        let seen = if self.looks { Some(packet.duplicate()) } else { None };
        let frame = self.netifs[0].frame(packet);
        match self.transmit(now, frame, false, dirty) {
            Ok(()) => {
                self.taken(now, End::Host, octets, seen.as_deref());
                Outcome::Taken
            }
            Err(Refused::Full(frame)) => {
                self.taken(now, End::Host, octets, seen.as_deref());
                self.counts.blocked += 1;
                self.blocked = Some(frame);
                Outcome::Blocked
            }
            // The host's side says so itself.
            Err(Refused::Throttled(_)) => Outcome::Refused,
            Err(_) => {
                self.drop(now, DropPoint::NotUp, octets);
                Outcome::Refused
            }
        }
    }

    fn transmit(&mut self, now: Instant, frame: Packet, waited: bool, dirty: &mut Dirty) -> Result<(), Refused> {
        match &mut self.chain {
            Some(chain) => {
                let result = chain.transmit(now, frame, waited);
                if chain.has_moved() {
                    dirty.note(node::CHAIN);
                }
                result
            }
            None => {
                dirty.note(node::CELL);
                self.cell.offer(now, STATION, AP, frame).map_err(|CellRefused::Full(frame)| Refused::Full(frame))
            }
        }
    }

    /// The task that stood still goes on, if there is room for what it holds.
    fn room(&mut self, now: Instant, dirty: &mut Dirty) {
        let Some(frame) = self.blocked.take() else { return };
        match self.transmit(now, frame, true, dirty) {
            Err(Refused::Full(frame)) => return self.blocked = Some(frame),
            Err(refused) => {
                let octets = refused.into_frame().len();
                self.drop(now, DropPoint::HostQueue, octets);
            }
            Ok(()) => {}
        }
        self.above.room(now);
        dirty.note(node::ABOVE);
    }

    /// Takes an IP packet from the far end.
    pub(super) fn send_far(&mut self, now: Instant, packet: Packet, dirty: &mut Dirty) -> Outcome {
        self.taken(now, End::Far, packet.len(), self.looks.then_some(&*packet));
        let frame = self.netifs[1].frame(packet);
        if let Err(frame) = self.ap.down.send(now, frame) {
            self.drop(now, DropPoint::PathQueue, frame.len());
        }
        dirty.note(node::ACCESS_POINT);
        Outcome::Taken
    }

    /// Sends what is above the host has to send.
    #[inline(never)]
    fn pump(&mut self, now: Instant, dirty: &mut Dirty) {
        while self.blocked.is_none() {
            let Some(packet) = self.above.poll(now) else { break };
            let outcome = self.send(now, packet, dirty);
            self.above.outcome(now, outcome);
        }
    }

    #[inline(never)]
    fn pump_far(&mut self, now: Instant, dirty: &mut Dirty) {
        while let Some(packet) = self.far.poll(now) {
            let outcome = self.send_far(now, packet, dirty);
            self.far.outcome(now, outcome);
        }
    }

    /// The interface of `end` has taken a packet; `seen` is it, if somebody looks.
    fn taken(&mut self, now: Instant, end: End, octets: usize, seen: Option<&[u8]>) {
        self.counts.take(end, octets);
        if let Some(packet) = seen {
            self.observer.packet(now, end, true, packet);
        }
    }

    pub(super) fn drop(&mut self, now: Instant, at: DropPoint, octets: usize) {
        self.counts.drop(at);
        if self.looks {
            self.observer.dropped(now, at, octets as u32);
        }
    }

    /// An Ethernet frame has reached the interface of `end`.
    fn deliver(&mut self, now: Instant, end: End, frame: &[u8], dirty: &mut Dirty) {
        let Some(packet) = Netif::packet(frame) else { return self.drop(now, DropPoint::NotIp, frame.len()) };
        self.counts.deliver(end, packet.len());
        if self.looks {
            self.observer.packet(now, end, false, packet);
        }
        let (moved, node) = match end {
            End::Host => (self.above.packet(now, packet), node::ABOVE),
            End::Far => (self.far.packet(now, packet), node::FAR),
        };
        if moved {
            dirty.note(node);
        }
    }

    /// Hands what reaches for the chips what it has for them.
    #[inline(never)]
    fn act(&mut self, now: Instant, dirty: &mut Dirty) {
        let Some(chain) = &mut self.chain else { return };
        if self.control.act(now, &mut chain.host, &mut chain.coprocessor) {
            chain.moved();
            dirty.note(node::CHAIN);
        }
    }

    /// Carries what the chain has to say.
    #[inline(never)]
    fn carry_chain(&mut self, now: Instant, dirty: &mut Dirty, touched: &mut Touched) {
        loop {
            let Some(chain) = &mut self.chain else { return };
            let shared = chain.costs().shared_core;
            let core = if shared { self.above.holds_core().unwrap_or(now) } else { now };
            let before = if shared { chain.core() } else { None };
            let output = chain.run(now, core, &mut self.cell);
            let after = if shared { chain.core() } else { None };
            if let Some(until) = after.filter(|until| before.is_none_or(|before| before < *until)) {
                self.above.core_taken(now, until);
                dirty.note(node::ABOVE);
            }
            match output {
                None => break,
                Some(ChainOutput::Frame(frame)) => self.deliver(now, End::Host, &frame, dirty),
                Some(ChainOutput::Room) => self.room(now, dirty),
                Some(ChainOutput::Dropped(at, octets)) => self.drop(now, at, octets as usize),
                Some(ChainOutput::Host(output)) => self.control.host_said(now, *output),
                Some(ChainOutput::Coprocessor(output)) => self.control.coprocessor_said(now, *output),
            }
        }
        // A cell that was only given something has nothing to say yet.
        if self.chain.as_mut().is_some_and(super::Chain::has_offered) {
            touched.note(node::CELL);
        }
        if C::ACTS {
            dirty.note(node::CONTROL);
        }
    }

    /// Carries what the cell has to say.
    #[inline(never)]
    fn carry_cell(&mut self, now: Instant, dirty: &mut Dirty) {
        while let Some(output) = self.cell.poll(now) {
            match output {
                CellOutput::Delivered { to: AP, msdu, .. } => {
                    dirty.note(node::ACCESS_POINT);
                    if let Err(frame) = self.ap.up.send(now, msdu) {
                        self.drop(now, DropPoint::PathQueue, frame.len());
                    }
                }
                CellOutput::Delivered { to: STATION, msdu, .. } => self.received(now, msdu, dirty),
                CellOutput::Done { station, failure, buffers } => self.done(now, station, failure, buffers, dirty),
                CellOutput::OnAir(on_air) => self.observer.on_air(&on_air),
                CellOutput::Heard { station, frame, info } => self.heard(now, station, frame, info, dirty),
                CellOutput::Delivered { .. } => {}
            }
        }
    }

    /// An MSDU has come to the station by air.
    fn received(&mut self, now: Instant, msdu: Packet, dirty: &mut Dirty) {
        match &mut self.chain {
            Some(chain) => {
                let octets = msdu.len();
                dirty.note(node::CHAIN);
                if chain.receive(Received::Frame(msdu)).is_err() {
                    self.drop(now, DropPoint::WifiRx, octets);
                }
            }
            None => self.deliver(now, End::Host, &msdu, dirty),
        }
    }

    /// A promiscuous station has heard a frame. What the co-processor has no receive buffer for is not heard.
    fn heard(&mut self, now: Instant, station: StationId, frame: Packet, info: RxInfo, dirty: &mut Dirty) {
        if self.looks {
            self.observer.heard(now, station, &frame, &info);
        }
        if let Some(chain) = self.chain.as_mut().filter(|_| station == STATION) {
            self.counts.unheard += u64::from(chain.receive(Received::Heard(frame, info)).is_err());
            dirty.note(node::CHAIN);
        }
    }

    /// Transmit buffers are free.
    fn done(&mut self, now: Instant, station: StationId, failure: Option<TxFailure>, buffers: u32, dirty: &mut Dirty) {
        match station {
            STATION if self.chain.is_none() => self.room(now, dirty),
            AP => dirty.note(node::ACCESS_POINT),
            STATION => {}
            _ => return,
        }
        let at = match failure {
            // What was not heard of has arrived: nothing was dropped.
            None | Some(TxFailure::Unheard) => return,
            Some(TxFailure::Retries) => DropPoint::AirRetries,
            Some(TxFailure::Lifetime) => DropPoint::AirLifetime,
        };
        for _ in 0..buffers {
            self.drop(now, at, 0);
        }
    }

    /// Carries what has come over the wired hop.
    #[inline(never)]
    fn carry_access_point(&mut self, now: Instant, dirty: &mut Dirty, touched: &mut Touched) {
        while let Some(frame) = self.ap.up.arrived(now) {
            self.deliver(now, End::Far, &frame, dirty);
        }
        while let Some(frame) = self.ap.down.arrived(now) {
            if let Err(frame) = self.ap.enqueue(frame) {
                self.drop(now, DropPoint::ApQueue, frame.len());
            }
        }
        if self.ap.offer(now, &mut self.cell) {
            touched.note(node::CELL);
        }
    }
}
