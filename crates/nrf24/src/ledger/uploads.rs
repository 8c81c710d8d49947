//! Composition of the payloads that were written to one chip.

use crate::trace::Upload;

/// Uploads remembered: a FIFO holds three, and nothing that is reported about one comes later than that.
const KEPT: u32 = 16;

/// The last uploads of one chip, in the order of FIFO writes, numbered from 0 as the chip numbers them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uploads {
    kept: [Upload; KEPT as usize],
    written: u32,
}

impl Uploads {
    /// One more was written.
    pub fn push(&mut self, upload: Upload) {
        self.kept[(self.written % KEPT) as usize] = upload;
        self.written = self.written.wrapping_add(1);
    }

    /// Number of payloads written.
    pub fn written(&self) -> u32 {
        self.written
    }

    /// Composition of upload `number`; none when nobody said.
    pub fn of(&self, number: u32) -> Option<Upload> {
        let age = self.written.wrapping_sub(number);
        (1..=KEPT).contains(&age).then(|| self.kept[(number % KEPT) as usize])
    }
}
