//! The throughput test application as a board runs it: its packets, its log, both of its ends.
//!
//! What it does comes from a plan that was read when the image was built: [`plan`]. A board hands over a controller and an address.
#![no_std]

mod ends;
mod log;
mod packets;
pub mod plan;
mod settings;

pub use ends::{CentralController, PeripheralController, central, peripheral};
pub use settings::{Line, NoLine};
