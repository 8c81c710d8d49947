//! An nRF54L15 brought up far enough for the test application: clocks, controller, host, log.
//!
//! What the application does comes from a plan that was read when the image was built: [`plan`].
#![no_std]

mod address;
mod capacitors;
mod clocks;
mod controller;
mod data_length;
mod log;
mod no_heap;
mod packets;
pub mod plan;
mod start;
mod time;

pub use address::static_address;
pub use data_length::suggest_data_length;
pub use log::{Figures, Log};
pub use packets::PlanPool;
pub use start::{Board, Role, start};

use {defmt_rtt as _, panic_probe as _};
