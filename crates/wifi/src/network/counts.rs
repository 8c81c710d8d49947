//! Counts of packets that go in, come out, and were dropped in between. Counted whether or not anybody looks.

use super::observer::End;
use crate::trace::DropPoint;

/// IP packets and their octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets.
    pub packets: u64,
    /// Octets of them, IP headers included.
    pub octets: u64,
}

impl Traffic {
    pub(super) fn add(&mut self, octets: usize) {
        self.packets += 1;
        self.octets += octets as u64;
    }
}

/// Counts since the network was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    taken: [Traffic; 2],
    delivered: [Traffic; 2],
    dropped: [u64; DropPoint::COUNT],
    /// Times that a task of the host stood still because the interface's queue was full.
    pub blocked: u64,
    /// Frames that were overheard and found no receive buffer.
    pub unheard: u64,
}

impl Counts {
    pub(super) fn new() -> Self {
        Self {
            taken: Default::default(),
            delivered: Default::default(),
            dropped: [0; DropPoint::COUNT],
            blocked: 0,
            unheard: 0,
        }
    }

    /// Traffic that the interface of `end` has taken from above: the sender's stack believes to have sent it.
    pub fn taken(&self, end: End) -> Traffic {
        self.taken[end as usize]
    }

    /// Traffic that came out of the interface of `end`.
    pub fn delivered(&self, end: End) -> Traffic {
        self.delivered[end as usize]
    }

    /// Packets dropped here.
    pub fn dropped(&self, at: DropPoint) -> u64 {
        self.dropped[at.index()]
    }

    /// Packets dropped behind an interface that had taken them, anywhere.
    pub fn lost(&self) -> u64 {
        DropPoint::all().filter(|at| !at.refused()).map(|at| self.dropped(at)).sum()
    }

    /// Every count under the name that records give it.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let [host, far] = self.taken;
        let [host_out, far_out] = self.delivered;
        let packets = [
            ("packets.taken.up", host.packets),
            ("packets.taken.down", far.packets),
            ("packets.delivered.up", far_out.packets),
            ("packets.delivered.down", host_out.packets),
            ("blocked", self.blocked),
            ("unheard", self.unheard),
        ];
        packets.into_iter().chain(DropPoint::all().map(|at| (at.name(), self.dropped(at))))
    }

    pub(super) fn take(&mut self, end: End, octets: usize) {
        self.taken[end as usize].add(octets);
    }

    pub(super) fn deliver(&mut self, end: End, octets: usize) {
        self.delivered[end as usize].add(octets);
    }

    pub(super) fn drop(&mut self, at: DropPoint) {
        self.dropped[at.index()] += 1;
    }
}
