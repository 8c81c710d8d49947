//! Octets read as scripts for the codecs of the bus: what the fuzz targets run, and what ordinary tests run with random scripts
//! and with the corpora of `fuzz/corpus`.
//!
//! A script is read to its end and never refused. Each octet keeps its meaning when others change, which is what lets a fuzzer
//! learn.

mod frame;
mod raw;
mod rpc;

pub use frame::frame;
pub use raw::raw;
pub use rpc::rpc;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 12_000;

/// A script that is being read.
struct Script<'a>(std::slice::Iter<'a, u8>);

impl<'a> Script<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self(bytes[..bytes.len().min(OCTETS_MAX)].iter())
    }

    fn is_over(&self) -> bool {
        self.0.len() == 0
    }

    fn octet(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.octet(), self.octet()])
    }

    /// Up to `most` octets, as many as the next two say.
    fn octets(&mut self, most: usize) -> &'a [u8] {
        let len = (usize::from(self.u16()) % (most + 1)).min(self.0.len());
        let (octets, rest) = self.0.as_slice().split_at(len);
        self.0 = rest.iter();
        octets
    }
}
