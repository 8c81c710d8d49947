//! Plans of IP over the nRF24L01+.

mod check;
pub(super) mod params;
mod resolve;
mod scenario;

pub use crate::plan::traffic::{Direction, Pace, Traffic, Transport};
pub use scenario::{Mode, Radio, Scenario, Tunnel};
