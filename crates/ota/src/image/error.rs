//! Errors of an image, each with its place.

use core::fmt;

use super::Chip;

/// Error of an image that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageError {
    /// The octet of the image at which it showed.
    pub at: u32,
    /// Fault that was found.
    pub fault: ImageFault,
}

/// Fault of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageFault {
    /// It begins with 0xFF: erased flash.
    Erased,
    /// It begins with something else than 0xE9.
    Magic(u8),
    /// It claims no segment, or more than 16.
    Segments(u8),
    /// It is for another chip.
    Chip {
        /// Chip that the image is for.
        found: Chip,
        /// Chip that it has to be for.
        wanted: Chip,
    },
    /// A segment's length is no multiple of four, or 16 MB or more.
    SegmentLength {
        /// Number of the segment, from 0.
        segment: u8,
        /// Length of the segment.
        octets: u32,
    },
    /// It does not fit where it is to go.
    TooLong {
        /// Number of octets that there are for it.
        room: u32,
    },
    /// It ends too early.
    Truncated,
    /// The checksum of its segments is wrong.
    Checksum {
        /// Checksum in the image.
        found: u8,
        /// Checksum over its octets.
        computed: u8,
    },
    /// It has no digest: damage would not show.
    NoDigest,
    /// Its SHA-256 is wrong.
    Digest,
    /// Its first segment does not begin with the description of an application.
    NoDescription,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "octet {:#x}: {}", self.at, self.fault)
    }
}

impl fmt::Display for ImageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Erased => f.write_str("0xff, erased flash, where an image begins with 0xe9"),
            Self::Magic(octet) => write!(f, "{octet:#04x}, where an image begins with 0xe9"),
            Self::Segments(count) => write!(f, "{count} segments; an image has 1 to 16"),
            Self::Chip { found, wanted } => {
                let (found, wanted) = (found.name(), wanted.name());
                write!(f, "an image for {found}, where one for {wanted} has to be; build it for that target")
            }
            Self::SegmentLength { segment, octets } => {
                write!(f, "segment {segment} claims {octets} octets; a length is a multiple of 4 below 16 MiB")
            }
            Self::TooLong { room } => write!(f, "the image goes on where only {room} octets have room"),
            Self::Truncated => f.write_str("the image ends before its own length; copy it again"),
            Self::Checksum { found, computed } => {
                write!(f, "the checksum says {found:#04x}, its segments come to {computed:#04x}: the image is damaged")
            }
            Self::NoDigest => {
                f.write_str("the image has no SHA-256 behind it (hash_appended is 0): damage would not show")
            }
            Self::Digest => f.write_str("the SHA-256 does not fit: the image is damaged"),
            Self::NoDescription => {
                f.write_str("no description of an application (magic word 0xabcd5432) in its first segment")
            }
        }
    }
}

impl core::error::Error for ImageError {}
