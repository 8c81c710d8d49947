//! L2CAP on the wire: what hosts, the ledger and captures read alike. Core 6.0, Vol 3, Part A.

pub mod signal;

/// Octets of the basic header in front of every PDU: length and channel. Core 6.0, Vol 3, Part A, 3.1.
pub const BASIC_HEADER_OCTETS: usize = 4;

/// Octets of the SDU length in the first K-frame of an SDU. Core 6.0, Vol 3, Part A, 3.4.3.
pub const SDU_LENGTH_OCTETS: usize = 2;

/// Channel of ATT. Core 6.0, Vol 3, Part A, 2.1.
pub const ATT_CHANNEL: u16 = 0x0004;

/// Channel of LE signalling. Core 6.0, Vol 3, Part A, 2.1.
pub const SIGNALLING_CHANNEL: u16 = 0x0005;

/// Channel of the Security Manager. Core 6.0, Vol 3, Part A, 2.1.
pub const SECURITY_CHANNEL: u16 = 0x0006;

/// Channels that are allocated when they are opened: the credit-based ones. Core 6.0, Vol 3, Part A, 2.1.
pub const DYNAMIC_CHANNELS: core::ops::RangeInclusive<u16> = 0x0040..=0x007f;
