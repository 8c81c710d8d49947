//! Parts of a node that are the same whether its radios are real or virtual: what it counts, and what its tunnel begins with.

use std::collections::BTreeMap;
use std::io;

use airtime_nrf24::trace::{DropPoint, Note};

use airtime_system::Crossed;
use airtime_system::random::random;

/// Traffic that crossed the device of one end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets into the tunnel and out of it.
    pub crossed: Crossed,
    /// Packets that this end dropped, by where.
    pub dropped: BTreeMap<DropPoint, u64>,
    /// Number of times that its reassembly lost its place.
    pub resyncs: u64,
}

impl Traffic {
    /// Counts what the end says about itself.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Dropped { at, .. } => *self.dropped.entry(*at).or_default() += 1,
            Note::Resync { .. } => self.resyncs += 1,
            _ => {}
        }
    }
}

/// A number that no earlier start of a node has used: random ones of 64 bits do not meet.
///
/// # Errors
/// When the system has no random source.
pub fn fresh_epoch() -> io::Result<u64> {
    random().map(u64::from_ne_bytes)
}
