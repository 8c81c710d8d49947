//! 802.11 frames as they are on the air, and what a receiver says about them (radiotap). IEEE Std 802.11-2020, Clause 9.
//!
//! - [`Frame`]: any frame, read · [`Header`], [`FrameControl`], [`Sequence`]: what nearly all of them begin with
//! - [`Data`], [`Null`], [`Beacon`], [`ProbeRequest`], [`Action`], [`Control`]: frames, made
//! - [`llc`]: MSDU and Ethernet II · [`amsdu`]: several MSDUs in a frame · [`espnow`]: Espressif's action frames · [`fcs`]: the check · [`radiotap`]: what a capture says in front of a frame

mod address;
pub mod amsdu;
mod channel;
mod control;
mod data;
mod element;
pub mod espnow;
pub mod fcs;
mod frame;
mod frame_control;
mod header;
pub mod llc;
mod management;
pub mod radiotap;

pub use address::MacAddress;
pub use channel::{Band, Channel};
pub use control::{BlockAck, BlockAckRequest, Control};
pub use data::{CCMP_OCTETS, Data, Direction, Null};
pub use element::{Element, Elements};
pub use frame::{Frame, FrameError};
pub use frame_control::{FrameControl, FrameType, subtype};
pub use header::{Header, Sequence};
pub use management::{Action, Beacon, Management, ProbeRequest, Ssid, Tim};
pub use radiotap::Radiotap;

/// Report of a receiver on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxInfo {
    /// Signal at the antenna in dBm.
    pub rssi_dbm: i8,
    /// Primary channel, 1..=14 or 36...
    pub channel: u8,
    /// Transmission parameters of the frame.
    pub phy: crate::air::Phy,
    /// Set if it came within an A-MPDU.
    pub aggregated: bool,
}
