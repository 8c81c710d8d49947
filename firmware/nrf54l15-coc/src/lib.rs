//! The test application on a board: its packets, its log, its start.
//!
//! What the application does comes from a plan that was read when the image was built: [`plan`].
#![no_std]

mod log;
mod packets;
pub mod plan;
mod start;

pub use log::{Figures, Log};
pub use packets::PlanPool;
pub use start::start;
