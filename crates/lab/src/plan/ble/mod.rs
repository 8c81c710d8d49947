//! Plans of a Bluetooth LE link.

mod check;
mod foreign;
pub(super) mod params;
mod resolve;
mod scenario;

pub use scenario::{ChangeInterval, Coc, Device, Direction, Gatt, Link, Pacing, Program, Scenario, Stack};
