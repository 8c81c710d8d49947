//! The check of large objects.

use core::fmt;

use crc::{CRC_32_ISO_HDLC, Crc, Digest};

static ALGORITHM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// CRC-32 (ISO-HDLC) of octets that come in pieces.
#[derive(Clone)]
pub struct Crc32(Digest<'static, u32>);

impl Crc32 {
    /// Check of nothing so far.
    pub fn new() -> Self {
        Self(ALGORITHM.digest())
    }

    /// Takes the next octets.
    pub fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    /// The check of all that came; more may follow.
    pub fn value(&self) -> u32 {
        self.0.clone().finalize()
    }
}

impl Default for Crc32 {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Crc32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crc32({:#010x})", self.value())
    }
}
