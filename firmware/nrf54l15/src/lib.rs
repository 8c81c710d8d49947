//! An nRF54L15 brought up as far as a host needs it: clocks, time, a watchdog, the controller, its address.
#![no_std]

mod address;
mod capacitors;
mod clocks;
mod controller;
mod start;
mod time;
mod watchdog;

pub use address::static_address;
pub use controller::{Buffers, Role};
pub use nrf_sdc::Mem;
pub use start::{Board, start};

use {defmt_rtt as _, panic_probe as _};
