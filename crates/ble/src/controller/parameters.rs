//! What the host has told the controller, before any of it is at work.

use alloc::vec::Vec;

use airtime_core::Duration;

use crate::host::Address;
use crate::ll::advertising;
use crate::ll::hopping::ALL_CHANNELS;
use crate::ll::length::Offer;
use crate::ll::pdu::AdvertisingType;
use crate::ll::procedure::supported_phys;
use crate::ll::scanning::Windows;
use crate::personality;

/// Settings with the values of Core 6.0, Vol 4, Part E, 7.8 after a reset.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// Random address, if one was set.
    pub random_address: Option<Address>,
    /// Interval, kind, channels of advertising; data and response ride along.
    pub advertising: advertising::Parameters,
    /// Whether advertising uses the random address.
    pub advertise_random: bool,
    /// Scan windows.
    pub scan: Windows,
    /// Whether scan requests are sent.
    pub scan_active: bool,
    /// Channels the host has not classified as bad.
    pub channel_map: u64,
    /// Data length offered on new connections: what is received, and what is sent once asked.
    pub offer: Offer,
    /// PHYs preferred on new connections: to send and to receive on.
    pub phys: (u8, u8),
}

impl HostSettings {
    /// The settings after a reset.
    pub fn new(personality: &personality::Controller) -> Self {
        let octets = personality.data_octets;
        let all = supported_phys(personality);
        Self {
            random_address: None,
            advertising: advertising::Parameters {
                interval: Duration::from_micros(1_280_000),
                kind: AdvertisingType::AdvInd,
                channels: 0b111,
                address: [0; 6],
                data: Vec::new(),
                response: Vec::new(),
                csa2: personality.csa2,
            },
            advertise_random: false,
            scan: Windows { interval: Duration::from_millis(10), window: Duration::from_millis(10) },
            scan_active: false,
            channel_map: ALL_CHANNELS,
            offer: Offer::of(octets, octets, personality.phy_coded),
            phys: (all, all),
        }
    }
}
