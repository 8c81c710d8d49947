//! Reports of a scanner.

use alloc::vec::Vec;

use crate::air::Phy;
use crate::ll::address::DeviceAddress;
use crate::ll::extended::{CONNECTABLE, Extended, SCANNABLE};
use crate::ll::identity::Sender;
use crate::ll::pdu::AdvertisingType;

/// Event type bits of extended reports. Core 6.0, Vol 4, Part E, 7.7.65.13.
pub mod event_type {
    #![allow(missing_docs)]
    pub const CONNECTABLE: u16 = 1 << 0;
    pub const SCANNABLE: u16 = 1 << 1;
    pub const DIRECTED: u16 = 1 << 2;
    pub const SCAN_RESPONSE: u16 = 1 << 3;
    pub const LEGACY: u16 = 1 << 4;
}

use event_type::{CONNECTABLE as CONN, DIRECTED, LEGACY, SCAN_RESPONSE, SCANNABLE as SCAN};

/// A report for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Bits of [`event_type`].
    pub event_type: u16,
    /// Advertiser.
    pub sender: Sender,
    /// Target of a directed packet.
    pub target: Option<DeviceAddress>,
    /// Set if the target is known to be us.
    pub for_us: bool,
    /// PHY of the primary channels.
    pub primary: Phy,
    /// PHY of the auxiliary packet, if there was one.
    pub secondary: Option<Phy>,
    /// AdvDataInfo, if there was one: DID in the lower twelve bits, SID in the upper four.
    pub adi: Option<u16>,
    /// Transmit power, if it was told.
    pub tx_power: Option<i8>,
    /// Advertising or scan response data.
    pub data: Vec<u8>,
}

impl Report {
    /// The event type of legacy reports. Core 6.0, Vol 4, Part E, 7.7.65.2.
    pub fn legacy_type(&self) -> u8 {
        match self.event_type & !LEGACY {
            kind if kind & SCAN_RESPONSE != 0 => 4,
            kind if kind & DIRECTED != 0 => 1,
            kind if kind & CONN != 0 => 0,
            kind if kind & SCAN != 0 => 2,
            _ => 3,
        }
    }
}

/// The event type of a legacy PDU; a scan response has that of the packet it answers as well.
pub(super) fn of_legacy(kind: AdvertisingType, answers: u16) -> Option<u16> {
    Some(match kind {
        AdvertisingType::AdvInd => LEGACY | CONN | SCAN,
        AdvertisingType::AdvDirectInd => LEGACY | CONN | DIRECTED,
        AdvertisingType::AdvScanInd => LEGACY | SCAN,
        AdvertisingType::AdvNonconnInd => LEGACY,
        AdvertisingType::ScanRsp => answers | SCAN_RESPONSE,
        AdvertisingType::ScanReq | AdvertisingType::ConnectInd => return None,
    })
}

/// The event type of an AUX_ADV_IND.
pub(super) fn of_extended(pdu: &Extended<'_>) -> u16 {
    let bit = |set, bit| if set { bit } else { 0 };
    bit(pdu.mode & CONNECTABLE != 0, CONN) | bit(pdu.mode & SCANNABLE != 0, SCAN) | bit(pdu.target.is_some(), DIRECTED)
}
