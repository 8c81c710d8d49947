//! Bluetooth LE as the laboratory runs it: streams over credit-based channels and GATT, and remote calls over either.
//!
//! - [`BleLink`]: the link as it declares itself
//! - [`station`]: a host and an application as one node above a controller: the lab's own, or TrouBLE
//! - [`run`]: the devices of a scenario on one medium, what looks on, and the figures
//! - [`capture`]: the same as files for Wireshark, btmon and Perfetto
#![warn(missing_docs)]

pub mod capture;
mod facts;
mod foreign;
mod link;
pub mod run;
pub mod station;

pub use link::{BleLink, Point};
