//! Reports of the tunnel on packets it lost, kept until somebody asks.

use super::ring::Ring;
use crate::trace::DropPoint;

/// More than one mutation can drop: the window, and what a large packet displaces from the queue.
const REPORTS: usize = 256;

/// Drops and resynchronisations not asked for yet; the newest of each are lost if nobody ever asks.
#[derive(Debug)]
pub(super) struct Reports {
    drops: Ring<(DropPoint, u32), REPORTS>,
    resyncs: Ring<u32, REPORTS>,
}

impl Reports {
    pub(super) fn new() -> Self {
        Self { drops: Ring::new((DropPoint::Queue, 0)), resyncs: Ring::new(0) }
    }

    /// A packet, or what there was of it, is dropped.
    pub(super) fn dropped(&mut self, at: DropPoint, octets: usize) {
        self.drops.push((at, octets as u32));
    }

    /// Reassembly has found its place again after so many octets.
    pub(super) fn resynced(&mut self, octets: u32) {
        self.resyncs.push(octets);
    }

    pub(super) fn next_drop(&mut self) -> Option<(DropPoint, u32)> {
        self.drops.pop()
    }

    pub(super) fn next_resync(&mut self) -> Option<u32> {
        self.resyncs.pop()
    }
}
