//! Compression of IPv4 headers with UDP or TCP.
//!
//! What all packets of a flow have in common is sent once, with a whole header and the number of a context; the rest is sent
//! as it is. Nothing is sent as a difference to the packet before: a lost packet costs itself only, and a lost context
//! is asked for. (Robust header compression, RFC 5795, saves a few octets more; below one chunk there is nothing to gain.)
//!
//! The first octet tells how a packet travels; that of a plain one is its IP version, 4 or 6:
//!
//! | first octet | then |
//! |---|---|
//! | `0x10 + context` | ID 2, and of UDP: checksum 2 · of TCP: seq 4, ack 4, offset and flags 2, window 2, checksum 2, urgent 2 if URG, options |
//! | `0x20 + context` | a whole packet, which sets the context |
//! | `0x4_`, `0x6_` | a whole packet |

mod compressor;
mod decompressor;
mod fields;

pub(super) use self::compressor::{Compressor, Form};
pub(super) use self::decompressor::Decompressor;

/// Contexts, and so flows at a time.
const CONTEXTS: usize = 16;

/// First octet of a compressed packet, plus its context.
const COMPRESSED: u8 = 0x10;

/// First octet of a packet that sets its context, plus the context.
const SETS_CONTEXT: u8 = 0x20;

/// Octets of the longest compressed header: with urgent pointer and 40 octets of options.
const HEADER_MAX: usize = 1 + 2 + 4 + 4 + 2 + 2 + 2 + 2 + 40;
