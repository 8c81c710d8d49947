//! Wi-Fi through an ESP-hosted co-processor: what a host MCU sends through SDIO, a second chip and the air, and where
//! the time of the air goes.
//!
//! The seam is the bus: esp-hosted frames with their header of 12 octets over the registers of an SDIO slave. Everything
//! above it (`hosted::host`) runs on a microcontroller too; everything below it is a sans-IO node.
//!
//! - [`air`]: how long a PPDU and a cycle take, closed forms · [`wire`]: 802.11 frames and radiotap; both a crate of their own
//! - [`mac`]: one station: queue, backoff, A-MPDU, Block Ack, rate · [`cell`]: stations that share a channel
//! - [`hosted`]: the bus: frames, SDIO, RPC, both sides, raw frames; a crate of its own
//! - [`ota`]: new firmware for the co-processor
//! - [`network`]: all of it as one plant · [`personality`]: chips as data · [`trace`]: what it tells · [`ledger`]: where the
//!   air went · [`words`]: those of several rooms
//! - `capture` (feature `capture`): frames for Wireshark, time lines for Perfetto
//! - `plan` (feature `plan`): the keys of a plan, and the scenario they come to · `run`: a run of it, and its figures
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

#[cfg(feature = "capture")]
pub mod capture;
pub mod cell;
mod last;
pub mod ledger;
pub mod mac;
pub mod network;
pub mod ota;
pub mod personality;
#[cfg(feature = "plan")]
pub mod plan;
#[cfg(feature = "plan")]
pub mod run;
pub mod trace;
pub mod words;

pub use airtime_esp_hosted as hosted;
pub use airtime_ieee80211::{air, wire};
