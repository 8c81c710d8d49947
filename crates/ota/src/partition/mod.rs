//! Partition tables of ESP-IDF: which part of a flash is what; as text, and as a flash has them.

mod binary;
mod check;
mod csv;
mod error;

use alloc::string::String;
use alloc::vec::Vec;

pub use binary::{ReadError, TABLE_AT};
pub use error::{TableError, TableFault};

/// The published table of the host: its own firmware, and `slave_fw` for the co-processor's.
pub const HOST: &str = include_str!("../../partitions/esp32p4.csv");

/// A table of the co-processor with two slots. The sizes of the slots are *assumed*.
pub const COPROCESSOR: &str = include_str!("../../partitions/esp32c6.csv");

/// Label of the host's partition for the co-processor's firmware.
pub const SLAVE_FW: &str = "slave_fw";

/// Octets that are erased together.
pub const SECTOR: u32 = 0x1000;

/// Kind of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(pub u8);

impl Kind {
    /// An application.
    pub const APP: Self = Self(0);
    /// Data.
    pub const DATA: Self = Self(1);
}

/// Sub-type of data partitions: which slot of the co-processor boots.
pub const OTADATA: u8 = 0;
/// Sub-type of the first of 16 slots for applications.
pub const OTA_0: u8 = 0x10;

/// One partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its name, up to 16 octets.
    pub name: String,
    /// Kind of the partition.
    pub kind: Kind,
    /// Subtype within its kind.
    pub subtype: u8,
    /// Its first octet.
    pub offset: u32,
    /// Its length in octets.
    pub size: u32,
    /// Set if flash encryption covers it.
    pub encrypted: bool,
    /// Set if it may only be read.
    pub read_only: bool,
    /// Line of the table it stands on, from 1.
    pub line: u32,
    /// Column of its offset (of its name where the table leaves the offset out), from 1.
    pub column: u32,
}

impl Partition {
    /// The octet behind its last one.
    pub fn end(&self) -> u32 {
        // A table that overflows is refused when it is read.
        self.offset.saturating_add(self.size)
    }
}

/// A table whose partitions are in order, aligned, apart from one another and named once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    partitions: Vec<Partition>,
}

impl Table {
    /// Reads a table from text as `gen_esp32part.py` of ESP-IDF takes it, without negative sizes and environment variables.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and column.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let partitions = csv::read(text)?;
        check::check(&partitions)?;
        Ok(Self { partitions })
    }

    /// Its partitions by offset.
    pub fn iter(&self) -> impl Iterator<Item = &Partition> {
        self.partitions.iter()
    }

    /// The partition of this name.
    pub fn find(&self, name: &str) -> Option<&Partition> {
        self.iter().find(|partition| partition.name == name)
    }

    /// The first partition of this kind and sub-type.
    pub fn find_kind(&self, kind: Kind, subtype: u8) -> Option<&Partition> {
        self.iter().find(|partition| partition.kind == kind && partition.subtype == subtype)
    }

    /// Octets of flash that the table needs.
    pub fn flash(&self) -> u32 {
        self.iter().map(Partition::end).max().unwrap_or(0)
    }
}
