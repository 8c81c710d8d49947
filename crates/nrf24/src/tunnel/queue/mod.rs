//! The bounded queue in front of the radio: fair between flows, and never longer than it may be.
//!
//! Deficit round robin (Shreedhar and Varghese, 1995) over 16 buckets that a packet's 5-tuple is hashed into. At the bound
//! the oldest packet of the longest flow goes: who fills the queue pays for it, and what is left is what is fresh.

mod arena;
mod flow;

use airtime_core::Instant;

use self::arena::{Arena, Place};
use self::flow::{Flow, NO_PACKET};
use super::chunk::BODY_MAX;

/// Buckets that flows are hashed into.
const FLOWS: usize = 16;

/// Packets that wait at most: 80 ms of packets of two chunks in a stream.
const PACKETS: usize = 256;

/// Octets that a flow may send per round. *Assumed*; a packet above it waits for several rounds, so that small packets
/// of one flow pass large ones of another.
const QUANTUM: i32 = 300;

/// A packet that waits.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    place: Place,
    overhead: u16,
    expires: Instant,
    next: u16,
}

impl Waiting {
    fn chunks(&self) -> u32 {
        chunks(self.place.len() + usize::from(self.overhead))
    }
}

/// Chunks that so many octets fill.
pub(super) fn chunks(octets: usize) -> u32 {
    octets.div_ceil(BODY_MAX) as u32
}

/// Packet that left the queue by [`Queue::shed`] or [`Queue::take`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// Octets of the packet.
    pub(super) octets: usize,
    /// Instant at which it is too old to be sent.
    pub(super) expires: Instant,
    /// Set if it was the newest of all.
    pub(super) newest: bool,
}

/// The queue.
#[derive(Debug)]
pub(super) struct Queue {
    arena: Arena,
    waiting: [Waiting; PACKETS],
    free: u16,
    newest: u16,
    flows: [Flow; FLOWS],
    turn: usize,
    packets: u32,
    chunks: u32,
}

impl Queue {
    pub(super) fn new() -> Self {
        let nobody = Waiting { place: Place::EMPTY, overhead: 0, expires: Instant::ZERO, next: NO_PACKET };
        let mut waiting = [nobody; PACKETS];
        for (at, waiting) in waiting.iter_mut().enumerate().take(PACKETS - 1) {
            waiting.next = at as u16 + 1;
        }
        Self {
            arena: Arena::new(),
            waiting,
            free: 0,
            newest: NO_PACKET,
            flows: [Flow::EMPTY; FLOWS],
            turn: 0,
            packets: 0,
            chunks: 0,
        }
    }

    /// Packets that wait.
    pub(super) fn packets(&self) -> u32 {
        self.packets
    }

    /// Chunks that they will be.
    pub(super) fn chunks(&self) -> u32 {
        self.chunks
    }

    /// Tells if a packet of this length can be put now.
    pub(super) fn has_room(&self, len: usize) -> bool {
        self.free != NO_PACKET && self.arena.fits(len)
    }

    /// Appends a packet to its flow. There has to be room. `overhead` is what the tunnel adds to it.
    pub(super) fn put(&mut self, packet: &[u8], flow: u32, overhead: u16, expires: Instant) {
        let at = self.free;
        let place = self.arena.put(packet);
        let waiting = &mut self.waiting[usize::from(at)];
        self.free = waiting.next;
        *waiting = Waiting { place, overhead, expires, next: NO_PACKET };
        let chunks = waiting.chunks();
        let flow = &mut self.flows[flow as usize % FLOWS];
        if flow.last != NO_PACKET {
            self.waiting[usize::from(flow.last)].next = at;
        }
        flow.append(at, chunks);
        self.newest = at;
        self.packets += 1;
        self.chunks += chunks;
    }

    /// Takes out the oldest packet of the longest flow; none if the queue is empty.
    pub(super) fn shed(&mut self) -> Option<Left> {
        // The first of the longest: `max_by_key` would be the last.
        let longest = (0..FLOWS).rev().max_by_key(|&flow| self.flows[flow].chunks)?;
        self.remove(longest)
    }

    /// The next packet whose turn it is, copied to `packet`; none if the queue is empty.
    pub(super) fn take(&mut self, packet: &mut [u8]) -> Option<Left> {
        if self.packets == 0 {
            return None;
        }
        loop {
            let flow = &mut self.flows[self.turn];
            if flow.first != NO_PACKET {
                let place = self.waiting[usize::from(flow.first)].place;
                if flow.deficit >= place.len() as i32 {
                    flow.deficit -= place.len() as i32;
                    self.arena.read(place, packet);
                    return self.remove(self.turn);
                }
            }
            self.turn = (self.turn + 1) % FLOWS;
            let flow = &mut self.flows[self.turn];
            // A flow that has nothing saves nothing up.
            flow.deficit = if flow.first == NO_PACKET { 0 } else { flow.deficit + QUANTUM };
        }
    }

    fn remove(&mut self, flow: usize) -> Option<Left> {
        let at = self.flows[flow].first;
        if at == NO_PACKET {
            return None;
        }
        let waiting = self.waiting[usize::from(at)];
        self.flows[flow].remove_first(waiting.next, waiting.chunks());
        self.arena.free(waiting.place);
        self.waiting[usize::from(at)].next = self.free;
        self.free = at;
        self.packets -= 1;
        self.chunks -= waiting.chunks();
        let newest = self.newest == at;
        Some(Left { octets: waiting.place.len(), expires: waiting.expires, newest })
    }
}
