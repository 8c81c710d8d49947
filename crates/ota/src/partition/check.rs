//! Rules between the partitions of a table.

use alloc::format;
use alloc::string::{String, ToString};

use super::error::{TableError, TableFault};
use super::{Kind, OTADATA, Partition, SECTOR, TABLE_AT};

/// Lowest offset of the first partition: the table has a sector.
pub const FIRST: u32 = TABLE_AT + SECTOR;

/// 3 kB of entries of 32 octets, one of them for the digest.
pub const PARTITIONS_MAX: usize = 95;

/// Applications are mapped in pages of 64 kB, data is erased in sectors.
pub fn alignment(kind: Kind) -> u32 {
    if kind == Kind::APP { 0x10000 } else { SECTOR }
}

/// Checks every partition against its type and those above it.
pub fn check(partitions: &[Partition]) -> Result<(), TableError> {
    let mut end = FIRST;
    let mut last = String::from("the partition table");
    for (position, partition) in partitions.iter().enumerate() {
        let fault = |fault| TableError { line: partition.line, column: partition.column, fault };
        let above = &partitions[..position];
        if partition.offset < end {
            return Err(fault(TableFault::Overlap { offset: partition.offset, other: last, end }));
        }
        let multiple = alignment(partition.kind);
        if !partition.offset.is_multiple_of(multiple) {
            return Err(fault(TableFault::Alignment { offset: partition.offset, multiple }));
        }
        if above.iter().any(|other| other.name == partition.name) {
            return Err(fault(TableFault::Twice(partition.name.to_string())));
        }
        let otadata = |partition: &Partition| partition.kind == Kind::DATA && partition.subtype == OTADATA;
        if otadata(partition) && above.iter().any(otadata) {
            return Err(fault(TableFault::SecondOtadata));
        }
        if otadata(partition) && partition.size != 2 * SECTOR {
            return Err(fault(TableFault::OtadataSize(partition.size)));
        }
        (end, last) = (partition.end(), format!("`{}`", partition.name));
    }
    Ok(())
}
