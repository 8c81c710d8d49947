//! Plans of a Bluetooth LE link.

mod check;
mod foreign;
pub(super) mod params;
mod resolve;
pub mod rpc;
mod scenario;

pub use rpc::{RpcScenario, RpcScript, Transport};
pub use scenario::{ChangeInterval, Coc, Device, Direction, Gatt, Link, PACING, Pacing, Program, Scenario, Stack};
