//! The receiving window of a stream: chunks that came before one that is missing.

use super::WINDOW;
use crate::tunnel::chunk::SEQ_MODULUS;
use crate::tunnel::intake::{Entry, Intake};

/// Verdict of the receiver on a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tunnel) enum Accepted {
    /// The next one, and nothing was missing.
    InOrder,
    /// It fills a gap, or shows one.
    Gap,
    /// It came behind a gap that is known.
    Behind,
    /// It was here before, or is from outside the window.
    Old,
    /// There is no room for it.
    NoRoom,
}

/// The receiving window.
#[derive(Debug)]
pub(in crate::tunnel) struct Receiver {
    entries: [Entry; WINDOW as usize],
    /// The chunk that is missing.
    base: u32,
    /// Bit i: chunk `base + 1 + i` is here.
    here: u32,
}

impl Receiver {
    pub(in crate::tunnel) fn new() -> Self {
        Self { entries: [Entry::HOLE; WINDOW as usize], base: 0, here: 0 }
    }

    /// The base, and the bitmap of what is behind it.
    pub(in crate::tunnel) fn state(&self) -> (u16, u32) {
        (self.base as u16, self.here)
    }

    /// Takes a chunk; what is complete from the base on goes to the intake.
    pub(in crate::tunnel) fn accept(&mut self, seq: u8, entry: Entry, intake: &mut Intake) -> Accepted {
        let ahead = u32::from(seq).wrapping_sub(self.base) % SEQ_MODULUS;
        if ahead >= WINDOW || ahead > 0 && self.here & 1 << (ahead - 1) != 0 {
            return Accepted::Old;
        }
        if intake.room() <= WINDOW as usize {
            return Accepted::NoRoom;
        }
        if ahead > 0 {
            let follows = ahead > 1 && self.here & 1 << (ahead - 2) != 0;
            let is_news = !follows && self.here >> (ahead - 1) == 0;
            self.entries[((self.base + ahead) % WINDOW) as usize] = entry;
            self.here |= 1 << (ahead - 1);
            return if is_news { Accepted::Gap } else { Accepted::Behind };
        }
        let was_gap = self.here != 0;
        intake.push(entry);
        self.base = self.base.wrapping_add(1);
        self.release(intake);
        if was_gap { Accepted::Gap } else { Accepted::InOrder }
    }

    /// Chunks before `base` will not come: holes where they are missing. False if that cannot be.
    pub(in crate::tunnel) fn skip_to(&mut self, base: u16, intake: &mut Intake) -> bool {
        let ahead = i32::from(base.wrapping_sub(self.base as u16) as i16);
        if ahead <= 0 {
            return true;
        }
        // The sender is never further ahead than both windows.
        if ahead > 2 * WINDOW as i32 || intake.room() <= 2 * WINDOW as usize {
            return false;
        }
        intake.push(Entry::HOLE);
        self.base = self.base.wrapping_add(1);
        for _ in 1..ahead {
            let is_here = self.here & 1 != 0;
            intake.push(if is_here { self.entries[(self.base % WINDOW) as usize] } else { Entry::HOLE });
            self.base = self.base.wrapping_add(1);
            self.here >>= 1;
        }
        self.release(intake);
        true
    }

    /// Hands over what is complete; bit 0 is the base itself until it is done.
    fn release(&mut self, intake: &mut Intake) {
        while self.here & 1 != 0 {
            intake.push(self.entries[(self.base % WINDOW) as usize]);
            self.here >>= 1;
            self.base = self.base.wrapping_add(1);
        }
        self.here >>= 1;
    }
}
