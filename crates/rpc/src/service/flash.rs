//! Memory behind the test service.

/// Memory that the test service reads and writes. Addresses count from 0.
pub trait Flash {
    /// Octets it has.
    fn len(&self) -> u32;

    /// True if it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `into` from `address` on; the caller has checked the range.
    fn read(&mut self, address: u32, into: &mut [u8]);

    /// Writes `octets` at `address`; the caller has checked the range.
    fn write(&mut self, address: u32, octets: &[u8]);
}

/// The octet at `address` of a flash with the documented content: the exclusive or of the four octets of the address, multiplied by
/// 167. Neighbours differ, and so do pages, so that octets of another place are noticed.
pub const fn pattern(address: u32) -> u8 {
    let [a, b, c, d] = address.to_le_bytes();
    (a ^ b ^ c ^ d).wrapping_mul(167).wrapping_add(b)
}

/// Octets in memory, with the documented content ([`pattern`]) until they are written.
#[derive(Clone, Debug)]
pub struct RamFlash<const OCTETS: usize> {
    octets: [u8; OCTETS],
}

impl<const OCTETS: usize> RamFlash<OCTETS> {
    /// Flash with the documented content.
    pub fn new() -> Self {
        let mut octets = [0; OCTETS];
        for (address, octet) in (0..).zip(&mut octets) {
            *octet = pattern(address);
        }
        Self { octets }
    }

    /// Octets that it holds.
    pub fn octets(&self) -> &[u8; OCTETS] {
        &self.octets
    }
}

impl<const OCTETS: usize> Default for RamFlash<OCTETS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const OCTETS: usize> Flash for RamFlash<OCTETS> {
    fn len(&self) -> u32 {
        u32::try_from(OCTETS).unwrap_or(u32::MAX)
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        into.copy_from_slice(&self.octets[address as usize..][..into.len()]);
    }

    fn write(&mut self, address: u32, octets: &[u8]) {
        self.octets[address as usize..][..octets.len()].copy_from_slice(octets);
    }
}

/// Octets that are read and never written, such as a region that a board sets aside for its clients. What is written to it is
/// taken and forgotten.
///
/// Nothing but those octets can be read, whatever the caller has missed: addresses count from their beginning, and reading
/// beyond their end panics.
#[derive(Clone, Copy, Debug)]
pub struct RomFlash<'a> {
    octets: &'a [u8],
}

impl<'a> RomFlash<'a> {
    /// The memory that has `octets` and no others.
    pub const fn new(octets: &'a [u8]) -> Self {
        Self { octets }
    }
}

impl Flash for RomFlash<'_> {
    fn len(&self) -> u32 {
        u32::try_from(self.octets.len()).unwrap_or(u32::MAX)
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        into.copy_from_slice(&self.octets[address as usize..][..into.len()]);
    }

    fn write(&mut self, _address: u32, _octets: &[u8]) {}
}

/// A flash of any length that takes no memory: it reads as [`pattern`], and compares what is written with that.
#[derive(Clone, Copy, Debug)]
pub struct PatternFlash {
    len: u32,
    written: u64,
    differing: u64,
}

impl PatternFlash {
    /// A flash of `len` octets.
    pub const fn new(len: u32) -> Self {
        Self { len, written: 0, differing: 0 }
    }

    /// Octets that were written.
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// Number of those that were not the octets of their address.
    pub const fn differing(&self) -> u64 {
        self.differing
    }
}

impl Flash for PatternFlash {
    fn len(&self) -> u32 {
        self.len
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        for (address, octet) in (address..).zip(into) {
            *octet = pattern(address);
        }
    }

    fn write(&mut self, address: u32, octets: &[u8]) {
        self.written += octets.len() as u64;
        self.differing +=
            (address..).zip(octets).filter(|(address, octet)| pattern(*address) != **octet).count() as u64;
    }
}
