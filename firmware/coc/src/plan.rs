//! Plan that this image was built to, as `build.rs` read it.

use airtime_app::{CentralConfig, DataLengthStep, Direction, IntervalConfig, Name, Pacing};
use airtime_app::{PeripheralConfig, Phy, StreamConfig, Transport};
use airtime_core::Duration;
use airtime_trouble::{Grant, Terms};

include!(concat!(env!("OUT_DIR"), "/plan.rs"));

/// Device at one end: the room of its controller and host.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// Outgoing packets per link in the controller: `acl.count`.
    pub acl_packets: u8,
    /// Incoming packets per link in the controller: the personality's `rx_buffers`.
    pub rx_packets: u8,
    /// Largest K-frame payload it takes: `coc.mps`.
    pub mps: u16,
    /// Largest SDU it takes: `coc.mtu`, within [`PACKET_OCTETS`].
    pub mtu: u16,
    /// Credits it gives when a channel opens: `coc.credits`; TrouBLE's own where nobody sends to it.
    pub credits: Option<u16>,
    /// Rule by which it gives more.
    pub grant: Grant,
}

impl Device {
    /// The terms of its stream.
    pub const fn terms(&self) -> Terms {
        Terms {
            transport: TRANSPORT,
            psm: PSM,
            mtu: Some(self.mtu),
            mps: Some(self.mps),
            initial_credits: self.credits,
            grant: self.grant,
        }
    }
}
