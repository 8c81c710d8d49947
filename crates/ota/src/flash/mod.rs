//! Flash as firmware sees it, and a NOR flash that loses its power in the middle of what it does.

mod nor;

use core::fmt;

use airtime_core::Duration;

pub use nor::Nor;

/// Octets that are programmed together at most.
pub const PAGE: u32 = 256;
/// Octets that are erased together at best.
pub const BLOCK: u32 = 0x1_0000;

/// Storage: the operations of firmware on a flash, or on a partition of one.
pub trait Storage {
    /// Size in octets.
    fn octets(&self) -> u32;

    /// Reads from octet `at` on.
    ///
    /// # Errors
    /// When that is not all in it, or its power is lost.
    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), StorageError>;

    /// Programs `octets` from `at` on: bits can only be cleared.
    ///
    /// # Errors
    /// When that is not all in it, or its power is lost; a part may be programmed then.
    fn program(&mut self, at: u32, octets: &[u8]) -> Result<(), StorageError>;

    /// Erases whole sectors: all bits set.
    ///
    /// # Errors
    /// When that is not all in it, not whole sectors, or its power is lost; a part may be erased then, and a sector half.
    fn erase(&mut self, at: u32, octets: u32) -> Result<(), StorageError>;
}

/// Reason that a flash does not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StorageError {
    /// It has no such octets.
    Range,
    /// Alignment: only whole sectors can be erased.
    Alignment,
    /// Its power is lost.
    PowerLost,
    /// The chip reports a failure.
    Failed,
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Range => "the flash has no such octets",
            Self::Alignment => "only whole sectors can be erased",
            Self::PowerLost => "the flash has no power",
            Self::Failed => "the flash reports a failure",
        })
    }
}

impl core::error::Error for StorageError {}

/// Durations of the operations of a NOR flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// To program a page.
    pub page: Duration,
    /// To erase a sector of 4 kB.
    pub sector: Duration,
    /// To erase a block of 64 kB.
    pub block: Duration,
}

impl Timing {
    /// *Assumed* to be those of a usual 4 MB part: W25Q32JV data sheet, AC electrical characteristics, typical values.
    pub const TYPICAL: Self =
        Self { page: Duration::from_micros(400), sector: Duration::from_millis(45), block: Duration::from_millis(150) };

    /// To read `octets`: 80 MHz and four lines, without the command.
    pub fn read(&self, octets: u32) -> Duration {
        Duration::from_nanos(25) * u64::from(octets)
    }

    /// To program `octets` from the beginning of a page on.
    pub fn program(&self, octets: u32) -> Duration {
        self.page * u64::from(octets.div_ceil(PAGE))
    }

    /// To erase `octets`, as many of them in blocks as there are whole ones.
    pub fn erase(&self, octets: u32) -> Duration {
        self.block * u64::from(octets / BLOCK)
            + self.sector * u64::from((octets % BLOCK).div_ceil(super::partition::SECTOR))
    }
}
