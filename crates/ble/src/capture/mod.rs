//! Packets of the LE air as captures hold them: link type 256, `LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR`.
//!
//! <https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html>

pub mod channel;
pub mod crc;
mod flags;
mod frame;
mod links;

pub use frame::{Auxiliary, Error, Frame, Kind};
pub use links::Links;

/// The link type in captures.
pub const LINK_TYPE: u16 = 256;
