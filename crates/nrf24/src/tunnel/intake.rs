//! The bounded ring between radio and reassembly: chunks in order, and where some are missing.

use super::chunk::{BODY_MAX, Header};
use super::ring::Ring;

/// Chunks that wait at most: two windows and what was there before.
const ENTRIES: usize = 128;

/// A chunk, or a hole in their sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Octets of the body; 0 for a hole.
    len: u8,
    /// Header octet and body.
    frame: [u8; BODY_MAX + 1],
}

impl Entry {
    /// Some chunks are missing here.
    pub(super) const HOLE: Self = Self { len: 0, frame: [0; BODY_MAX + 1] };

    /// The chunk in this frame, which has been read before.
    pub(super) fn of(frame: &[u8]) -> Self {
        let mut entry = Self::HOLE;
        entry.len = frame.len() as u8 - 1;
        entry.frame[..frame.len()].copy_from_slice(frame);
        entry
    }

    /// Header and body; none for a hole.
    pub(super) fn chunk(&self) -> Option<(Header, &[u8])> {
        let body = self.frame.get(1..usize::from(self.len) + 1)?;
        (!body.is_empty()).then(|| (Header::of(self.frame[0]), body))
    }

    fn is_hole(&self) -> bool {
        self.len == 0
    }
}

/// The ring.
#[derive(Debug)]
pub(super) struct Intake {
    entries: Ring<Entry, ENTRIES>,
}

impl Intake {
    pub(super) fn new() -> Self {
        Self { entries: Ring::new(Entry::HOLE) }
    }

    /// Number of further entries that it takes.
    pub(super) fn room(&self) -> usize {
        self.entries.room()
    }

    /// Appends an entry; false if there is no room. Several holes in a row are one.
    pub(super) fn push(&mut self, entry: Entry) -> bool {
        if entry.is_hole() && self.entries.newest_mut().is_some_and(|newest| newest.is_hole()) {
            return true;
        }
        self.entries.push(entry)
    }

    /// Takes the oldest entry.
    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.entries.pop()
    }
}
