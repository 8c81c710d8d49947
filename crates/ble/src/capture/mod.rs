//! Packets of the LE air as captures hold them.
//!
//! - [`Frame`]: link type 256, `LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR`, which is also what is written
//! - [`Nordic`]: link type 272, `LINKTYPE_NORDIC_BLE`, of nRF Sniffer
//! - [`Bare`]: link type 251, `LINKTYPE_BLUETOOTH_LE_LL`, without anything in front
//!
//! <https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html> and its neighbours.

mod bare;
pub mod channel;
pub mod crc;
mod flags;
mod frame;
mod links;
mod nordic;

pub use bare::Bare;
pub use frame::{Auxiliary, Error, Frame, Kind};
pub use links::Links;
pub use nordic::{Clock, Nordic, NordicError};

/// The link type in captures.
pub const LINK_TYPE: u16 = 256;
/// Link type of packets without a pseudo-header.
pub const LINK_TYPE_BARE: u16 = 251;
/// Link type of nRF Sniffer.
pub const LINK_TYPE_NORDIC: u16 = 272;
/// Link type that nRF Sniffer used before it had its own (`LINKTYPE_USER10`; SnifferAPI 1 and 2, `Pcap.py`).
pub const LINK_TYPE_NORDIC_USER: u16 = 157;

/// Tells if `packet` is one of the LE air as captures of this link type hold it.
pub fn is_le(link_type: u16, packet: &[u8]) -> bool {
    match link_type {
        LINK_TYPE => Frame::parse(packet).is_ok(),
        LINK_TYPE_NORDIC | LINK_TYPE_NORDIC_USER => matches!(Nordic::parse(packet), Ok(Some(_))),
        LINK_TYPE_BARE => Bare::parse(packet).is_some(),
        _ => false,
    }
}
