//! Bluetooth LE, from the symbols on the air to the host, as plain state machines.
//!
//! The seam is HCI: [`controller`] speaks H4 bytes upwards and [`medium`] downwards; [`host`] uses
//! nothing but H4 bytes. [`network`] joins controllers, hosts and the medium into a plant that the
//! event loop of `airtime-core` can drive.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod capture;
pub mod controller;
pub mod hci;
pub mod host;
pub mod l2cap;
pub mod ledger;
pub mod ll;
pub mod medium;
pub mod network;
pub mod personality;
#[cfg(feature = "plan")]
pub mod plan;
pub mod trace;
pub mod words;
