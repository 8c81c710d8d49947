//! Advertising parameters as the host has set them up.

use alloc::vec::Vec;

use airtime_core::Duration;

use crate::air::Phy;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::extended::{CONNECTABLE, SCANNABLE};
use crate::ll::pdu::AdvertisingType;
use crate::words::Address;

/// Filter policy of an advertiser: the devices whose requests it answers. Core 6.0, Vol 6, Part B, 4.3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Scan requests only from devices of the Filter Accept List.
    pub scan_requests: bool,
    /// Connection requests only from devices of the Filter Accept List.
    pub connection_requests: bool,
}

impl Filter {
    /// From Advertising_Filter_Policy, 0..=3.
    pub const fn from_hci(policy: u8) -> Self {
        Self { scan_requests: policy & 1 != 0, connection_requests: policy & 2 != 0 }
    }
}

/// An event with an auxiliary packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtendedEvent {
    /// Takes connection requests.
    pub connectable: bool,
    /// Takes scan requests; not together with `connectable`.
    pub scannable: bool,
    /// Set for directed advertising, for one device only.
    pub directed: bool,
    /// PHY of the primary channels: 1M or Coded.
    pub primary: Phy,
    /// PHY of the auxiliary packet.
    pub secondary: Phy,
    /// Advertising SID, 0..=15.
    pub sid: u8,
    /// Advertising DID: changes with the data.
    pub did: u16,
    /// Transmit power to tell, dBm.
    pub tx_power: Option<i8>,
    /// The clock is at most 50 ppm off.
    pub clock_50_ppm: bool,
}

impl ExtendedEvent {
    /// AdvMode.
    pub const fn mode(&self) -> u8 {
        (if self.connectable { CONNECTABLE } else { 0 }) | (if self.scannable { SCANNABLE } else { 0 })
    }

    /// AdvDataInfo.
    pub const fn adi(&self) -> u16 {
        self.did & 0x0fff | (self.sid as u16) << 12
    }
}

/// The kinds of advertising events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// ADV_IND.
    Connectable,
    /// ADV_DIRECT_IND without pauses, for a short time.
    HighDutyDirected,
    /// ADV_SCAN_IND.
    Scannable,
    /// ADV_NONCONN_IND.
    NonConnectable,
    /// ADV_DIRECT_IND at the advertising interval.
    LowDutyDirected,
    /// ADV_EXT_IND and AUX_ADV_IND.
    Extended(ExtendedEvent),
}

impl Kind {
    /// From the advertising type of legacy commands.
    pub const fn from_hci(value: u8) -> Option<Self> {
        Some(match value {
            0 => Self::Connectable,
            1 => Self::HighDutyDirected,
            2 => Self::Scannable,
            3 => Self::NonConnectable,
            4 => Self::LowDutyDirected,
            _ => return None,
        })
    }

    /// The PDU of a legacy event.
    pub const fn pdu(&self) -> AdvertisingType {
        match self {
            Self::Connectable => AdvertisingType::AdvInd,
            Self::HighDutyDirected | Self::LowDutyDirected => AdvertisingType::AdvDirectInd,
            Self::Scannable => AdvertisingType::AdvScanInd,
            Self::NonConnectable | Self::Extended(_) => AdvertisingType::AdvNonconnInd,
        }
    }

    /// True if this kind takes connection requests.
    pub const fn is_connectable(&self) -> bool {
        match self {
            Self::Connectable | Self::HighDutyDirected | Self::LowDutyDirected => true,
            Self::Scannable | Self::NonConnectable => false,
            Self::Extended(extended) => extended.connectable,
        }
    }

    /// True if this kind takes scan requests.
    pub const fn is_scannable(&self) -> bool {
        match self {
            Self::Connectable | Self::Scannable => true,
            Self::HighDutyDirected | Self::LowDutyDirected | Self::NonConnectable => false,
            Self::Extended(extended) => extended.scannable,
        }
    }

    /// True if this kind is for one device.
    pub const fn is_directed(&self) -> bool {
        match self {
            Self::HighDutyDirected | Self::LowDutyDirected => true,
            Self::Connectable | Self::Scannable | Self::NonConnectable => false,
            Self::Extended(extended) => extended.directed,
        }
    }

    /// True if advertising data is sent with it.
    pub const fn has_data(&self) -> bool {
        match self {
            Self::Extended(extended) => !extended.scannable,
            _ => !self.is_directed(),
        }
    }
}

/// Parameters of an advertiser as the host has set them up.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The advertising set of extended commands; none is the legacy advertiser.
    pub set: Option<u8>,
    /// The host wants to hear of scan requests.
    pub notify: bool,
    /// Between events, before the random delay.
    pub interval: Duration,
    /// The kind of events.
    pub kind: Kind,
    /// Channels 37, 38, 39 in bits 0, 1, 2.
    pub channels: u8,
    /// Address that is shown.
    pub own: OwnAddress,
    /// The random address, if there is one.
    pub random: Option<Address>,
    /// Peer that directed advertising is for, and whose entry of the resolving list makes private addresses.
    pub peer: DeviceAddress,
    /// Filter policy: the devices whose requests are answered.
    pub filter: Filter,
    /// Advertising data.
    pub data: Vec<u8>,
    /// Scan response data.
    pub response: Vec<u8>,
    /// Announces channel selection algorithm #2.
    pub csa2: bool,
}
