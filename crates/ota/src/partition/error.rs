//! Errors of a partition table, each with its place.

use alloc::string::String;
use core::fmt;

/// The first thing that is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// Fault that was found.
    pub fault: TableFault,
}

/// Fault of a partition table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFault {
    /// A field that has to be there is not: its name.
    Missing(&'static str),
    /// More fields than a line has.
    Extra(String),
    /// A name longer than 16 octets, or not printable ASCII.
    Name(String),
    /// Neither a number nor a known type.
    Type(String),
    /// Neither a number nor a sub-type that the type knows.
    SubType(String),
    /// Not a number of octets: decimal, `0x…`, with K or M behind it.
    Number(String),
    /// A flag that does not exist.
    Flag(String),
    /// An offset that is not a multiple of what its type needs.
    Alignment {
        /// The offset.
        offset: u32,
        /// Alignment: the value has to be a multiple of this.
        multiple: u32,
    },
    /// It begins before the end of the partition above it, or of the table itself.
    Overlap {
        /// The offset.
        offset: u32,
        /// Label of the partition that ends behind it.
        other: String,
        /// End of the other partition.
        end: u32,
    },
    /// It ends beyond 4 GiB, or has no octet.
    Size(u32),
    /// Another partition has this name.
    Twice(String),
    /// A second `otadata`.
    SecondOtadata,
    /// `otadata` has two sectors, 0x2000 octets; this one has another size.
    OtadataSize(u32),
    /// More partitions than a table of 3 kB holds.
    TooMany,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.fault)
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => {
                write!(f, "the {field} is missing; a line is Name, Type, SubType, Offset, Size, Flags")
            }
            Self::Extra(text) => {
                write!(f, "`{text}` is one field too many; a line is Name, Type, SubType, Offset, Size, Flags")
            }
            Self::Name(name) => write!(f, "the name `{name}` is not 1 to 16 printable ASCII characters"),
            Self::Type(text) => write!(f, "there is no type `{text}`; allowed here: app, data, or a number up to 0xfe"),
            Self::SubType(text) => write!(
                f,
                "there is no sub-type `{text}`; allowed here: factory, test, ota_0 to ota_15 (app), ota, phy, nvs, coredump, \
                 nvs_keys, efuse, undefined, esphttpd, fat, spiffs, littlefs (data), or a number up to 0xfe"
            ),
            Self::Number(text) => write!(f, "`{text}` is no number of octets such as 4096, 0x1000, 4K or 1M"),
            Self::Flag(text) => {
                write!(f, "there is no flag `{text}`; allowed here: encrypted, readonly, with a colon between them")
            }
            Self::Alignment { offset, multiple } => {
                write!(f, "the offset {offset:#x} is not a multiple of {multiple:#x}")
            }
            Self::Overlap { offset, other, end } => {
                write!(
                    f,
                    "it begins at {offset:#x} and {other} ends at {end:#x}: they overlap; begin at {end:#x} or later"
                )
            }
            Self::Size(size) => write!(f, "a size of {size:#x} octets has no room in the flash"),
            Self::Twice(name) => write!(f, "another partition is called `{name}`"),
            Self::SecondOtadata => {
                f.write_str("this is the second partition of type data and sub-type ota; there can be one")
            }
            Self::OtadataSize(size) => write!(f, "a partition of sub-type ota has 0x2000 octets, not {size:#x}"),
            Self::TooMany => f.write_str("a partition table has room for 95 partitions"),
        }
    }
}

impl core::error::Error for TableError {}
