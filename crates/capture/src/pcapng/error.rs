//! Errors of a capture, each with its place.

use core::fmt;

use super::magic::Magic;

/// A fault of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// Octets in front of the block or record that is at fault.
    pub offset: u64,
    /// Fault that was found.
    pub fault: Fault,
}

/// Fault of a block or record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The first four octets begin neither pcapng nor pcap.
    Magic(Magic),
    /// The capture ends in the middle: so many octets are needed, so many are there.
    Truncated {
        /// Octets the block or record has at least.
        needs: usize,
        /// Octets that are left of the capture.
        has: usize,
    },
    /// The byte-order magic of a section is none.
    ByteOrder([u8; 4]),
    /// A version this reader does not know.
    Version(u16, u16),
    /// A block length below the least of its kind, or no multiple of four.
    BlockLength(u32),
    /// A block or packet longer than the reader holds at once.
    TooLong {
        /// Octets it claims to have.
        octets: u32,
        /// Octets it may have.
        limit: u32,
    },
    /// The length behind a block is not the one in front of it.
    Trailer {
        /// Length in front of the block.
        front: u32,
        /// Length behind the block.
        behind: u32,
    },
    /// More interfaces than the reader holds.
    Interfaces,
    /// A packet of an interface that the section has not described.
    UnknownInterface(u32),
    /// A packet that is longer than its block.
    PacketLength(u32),
    /// A simple packet block: it has no time stamp.
    SimplePacket,
    /// An option is longer than its block, or has the wrong length for what it is.
    Option(u16),
    /// A time stamp beyond the years 1677 to 2262.
    Stamp,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at octet {}: {}", self.offset, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic(magic) => magic.fmt(f),
            Self::Truncated { needs, has } => {
                write!(f, "the capture ends in the middle of a block: {has} octets of at least {needs} are left")
            }
            Self::ByteOrder(magic) => {
                write!(f, "{:#010x} is no byte-order magic of a section", u32::from_be_bytes(*magic))
            }
            Self::Version(major, minor) => {
                write!(f, "version {major}.{minor} is not known; expected pcapng 1 or pcap 2")
            }
            Self::BlockLength(octets) => write!(f, "{octets} octets cannot be the length of this block"),
            Self::TooLong { octets, limit } => write!(f, "{octets} octets are more than the {limit} that are read"),
            Self::Trailer { front, behind } => {
                write!(f, "the block is {front} octets long in front and {behind} behind: it is damaged")
            }
            Self::Interfaces => f.write_str("the section describes too many interfaces"),
            Self::UnknownInterface(number) => write!(f, "the section has not described interface {number}"),
            Self::PacketLength(octets) => write!(f, "a packet of {octets} octets does not fit its block"),
            Self::SimplePacket => {
                f.write_str("a simple packet block has no time stamp; capture with enhanced packet blocks")
            }
            Self::Option(code) => write!(f, "option {code} does not fit its block or has the wrong length"),
            Self::Stamp => f.write_str("the time stamp is beyond the years 1677 to 2262"),
        }
    }
}

impl core::error::Error for Error {}
