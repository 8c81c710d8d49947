//! Plans of IP over the nRF24L01+.

mod check;
pub(super) mod params;
mod resolve;
mod scenario;

pub use scenario::{Direction, Mode, Pace, Radio, Scenario, Traffic, Transport, Tunnel};
