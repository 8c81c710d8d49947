//! Octets read as scripts for the stack of an ESP32 host: what the fuzz target runs, and what ordinary tests run with random
//! scripts and with the corpus of `fuzz/corpus`.
//!
//! A script is read to its end and never refused. Each octet keeps its meaning when others change, which is what lets a fuzzer
//! learn.

mod lwip;

pub use lwip::lwip;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 8_000;

/// A script that is being read.
struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self(&bytes[..bytes.len().min(OCTETS_MAX)])
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn octet(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.octet(), self.octet()])
    }

    /// Up to `most` octets, as many as the next two say.
    fn octets(&mut self, most: usize) -> &'a [u8] {
        let len = (usize::from(self.u16()) % (most + 1)).min(self.0.len());
        let (octets, rest) = self.0.split_at(len);
        self.0 = rest;
        octets
    }
}
