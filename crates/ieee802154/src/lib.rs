//! IEEE 802.15.4 at 2.4 GHz: stations that send to one receiver with unslotted CSMA-CA, and where the air goes.
//!
//! O-QPSK, 250 kbit/s; no beacons. Clause numbers are of IEEE Std 802.15.4-2020.
//!
//! - [`air`]: how long frames and cycles take, closed forms
//! - [`wire`]: frames bit for bit, TAP headers of captures
//! - [`mac`]: one station: CSMA-CA, acknowledgements, duplicates
//! - [`medium`]: who is on the air, what noise does
//! - [`network`]: all of it as one plant, its configuration and its figures
//! - [`trace`]: what it tells
//! - [`ledger`]: where the air went
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod ledger;
pub mod mac;
pub mod medium;
pub mod network;
pub mod trace;
pub mod wire;
