//! The table as it is in a flash: rows of 32 octets, and a digest of them. Source: ESP-IDF,
//! components/partition_table/gen_esp32part.py (`to_binary`, `from_binary`) and components/bootloader_support/src/flash_partitions.c.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use md5::{Digest, Md5};

use super::check::{PARTITIONS_MAX, check};
use super::error::{TableError, TableFault};
use super::{Kind, Partition, Table};
use crate::flash::{Storage, StorageError};

/// Place of the table in a flash: `CONFIG_PARTITION_TABLE_OFFSET` by default.
pub const TABLE_AT: u32 = 0x8000;

/// Octets of a table: `ESP_PARTITION_TABLE_MAX_LEN`.
const OCTETS: usize = 0xC00;
/// Octets of a row.
const ROW: usize = 32;
/// First two octets of a row: `ESP_PARTITION_MAGIC`, little endian.
const MAGIC: [u8; 2] = [0xAA, 0x50];
/// First two octets of the row with the digest of those above it: `ESP_PARTITION_MAGIC_MD5`.
const MAGIC_MD5: [u8; 2] = [0xEB, 0xEB];
/// Place of the digest in its row: `ESP_PARTITION_MD5_OFFSET`.
const MD5_AT: usize = 16;
/// Flag of a partition that flash encryption covers: `PART_FLAG_ENCRYPTED`.
const ENCRYPTED: u32 = 1 << 0;
/// Flag of one that may only be read: `PART_FLAG_READONLY`.
const READ_ONLY: u32 = 1 << 1;

/// Reason that a flash has no table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The flash fails.
    Storage(StorageError),
    /// There is nothing that looks like one.
    Nothing,
    /// A row is neither a partition, a digest nor the end.
    Row {
        /// Number of the row, from 1.
        row: u32,
    },
    /// The digest is another than that of the rows.
    Digest,
    /// Its partitions contradict each other; the line is the row.
    Table(TableError),
}

impl From<StorageError> for ReadError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage(error) => write!(f, "{error}"),
            Self::Nothing => write!(f, "there is no partition table at {TABLE_AT:#x}"),
            Self::Row { row } => write!(f, "row {row} of the partition table is damaged"),
            Self::Digest => f.write_str("the partition table is damaged: its digest is another"),
            Self::Table(error) => write!(f, "the partition table of the flash, row {error}"),
        }
    }
}

impl core::error::Error for ReadError {}

impl Table {
    /// Reads the table of a flash, at [`TABLE_AT`]: the one that the bootloader goes by.
    ///
    /// # Errors
    /// When the flash fails, or there is no table, or a damaged one.
    pub fn of_flash<S: Storage + ?Sized>(storage: &mut S) -> Result<Self, ReadError> {
        let mut octets = vec![0; OCTETS];
        storage.read(TABLE_AT, &mut octets)?;
        Self::of_octets(&octets)
    }

    /// Reads a table from its octets in a flash. One without digest is taken, as the bootloader does.
    ///
    /// # Errors
    /// When there is no table, or a damaged one.
    pub fn of_octets(octets: &[u8]) -> Result<Self, ReadError> {
        let mut partitions: Vec<Partition> = Vec::new();
        for (number, row) in octets.chunks_exact(ROW).enumerate() {
            let number = number as u32 + 1;
            if row.starts_with(&MAGIC) {
                partitions.push(partition(row, number)?);
            } else if row.starts_with(&MAGIC_MD5) {
                let above = &octets[..(number as usize - 1) * ROW];
                if Md5::digest(above)[..] != row[MD5_AT..] {
                    return Err(ReadError::Digest);
                }
            } else if row.iter().all(|octet| *octet == 0xFF) {
                break;
            } else {
                return Err(if number == 1 { ReadError::Nothing } else { ReadError::Row { row: number } });
            }
        }
        if partitions.is_empty() {
            return Err(ReadError::Nothing);
        }
        partitions.sort_by_key(|partition| partition.offset);
        check(&partitions).map_err(ReadError::Table)?;
        Ok(Self { partitions })
    }

    /// Octets of the table as `gen_esp32part.py` writes them: rows, their digest, and erased flash up to the end.
    pub fn octets(&self) -> Vec<u8> {
        let mut octets = Vec::with_capacity(OCTETS);
        // As many as a table holds: `check` has seen to it.
        for partition in self.iter().take(PARTITIONS_MAX) {
            octets.extend(MAGIC);
            octets.extend([partition.kind.0, partition.subtype]);
            octets.extend(partition.offset.to_le_bytes());
            octets.extend(partition.size.to_le_bytes());
            let mut name = [0; 16];
            let length = partition.name.len().min(name.len());
            name[..length].copy_from_slice(&partition.name.as_bytes()[..length]);
            octets.extend(name);
            let encrypted = if partition.encrypted { ENCRYPTED } else { 0 };
            octets.extend((encrypted | if partition.read_only { READ_ONLY } else { 0 }).to_le_bytes());
        }
        let digest = Md5::digest(&octets);
        octets.extend(MAGIC_MD5);
        octets.extend([0xFF; MD5_AT - MAGIC_MD5.len()]);
        octets.extend(digest);
        octets.resize(OCTETS, 0xFF);
        octets
    }
}

fn partition(row: &[u8], number: u32) -> Result<Partition, ReadError> {
    let word = |at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
    let (offset, size, flags) = (word(4), word(8), word(28));
    let fault = |fault| ReadError::Table(TableError { line: number, column: 1, fault });
    if size == 0 || offset.checked_add(size).is_none() {
        return Err(fault(TableFault::Size(size)));
    }
    let name = row[12..28].split(|octet| *octet == 0).next().unwrap_or_default();
    let printable = !name.is_empty() && name.iter().all(|octet| octet.is_ascii_graphic() || *octet == b' ');
    let text: String = name.escape_ascii().to_string();
    if !printable {
        return Err(fault(TableFault::Name(text)));
    }
    Ok(Partition {
        name: name.iter().map(|octet| char::from(*octet)).collect(),
        kind: Kind(row[2]),
        subtype: row[3],
        offset,
        size,
        encrypted: flags & ENCRYPTED != 0,
        read_only: flags & READ_ONLY != 0,
        line: number,
        column: 1,
    })
}
