//! Settings made by the host, before any of them is at work.

use alloc::vec::Vec;

use airtime_core::Duration;

use super::sets::Set;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::advertising;
use crate::ll::hopping::ALL_CHANNELS;
use crate::ll::length::Offer;
use crate::ll::procedure::supported_phys;
use crate::ll::scanning::{self, Setup, Windows};
use crate::personality;

/// Scan interval and window after a reset. Core 6.0, Vol 4, Part E, 7.8.10.
const SCAN_WINDOWS: Windows = Windows { interval: Duration::from_millis(10), window: Duration::from_millis(10) };

/// The two generations of commands that advertise, scan and initiate: a host uses one of them until it resets the
/// controller. Core 6.0, Vol 4, Part E, 3.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// Commands of Core 4.0.
    Legacy,
    /// Commands with advertising sets.
    Extended,
}

/// Settings with the values of Core 6.0, Vol 4, Part E, 7.8 after a reset.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// Interval, kind, channels of advertising; data and response ride along.
    pub advertising: advertising::Parameters,
    /// The advertising sets of extended commands.
    pub sets: Vec<Set>,
    /// Legacy or extended commands, whichever came first.
    pub generation: Option<Generation>,
    /// Scanning parameters.
    pub scan: Setup,
    /// ACL packets the host takes while flow control is on.
    pub host_packets: u16,
    /// LE_Supported_Host, as the host has written it.
    pub le_host: u8,
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
            advertising: advertising::Parameters {
                interval: Duration::from_micros(1_280_000),
                set: None,
                notify: false,
                kind: advertising::Kind::Connectable,
                channels: 0b111,
                own: OwnAddress::Public,
                random: None,
                peer: DeviceAddress::public([0; 6]),
                filter: advertising::Filter::default(),
                data: Vec::new(),
                response: Vec::new(),
                csa2: personality.csa2,
            },
            sets: Vec::new(),
            generation: None,
            scan: Setup::legacy(SCAN_WINDOWS, false, OwnAddress::Public, scanning::Filter::default()),
            host_packets: 0,
            le_host: 0,
            channel_map: ALL_CHANNELS,
            offer: Offer::of(octets, octets, personality.phy_coded),
            phys: (all, all),
        }
    }
}
