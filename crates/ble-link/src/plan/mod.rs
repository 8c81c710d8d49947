//! Plans of a Bluetooth LE link: keys, what holds between them, and the scenario they come to.

mod bus;
mod channels;
mod check;
mod coc;
mod device;
mod gatt;
mod host;
mod length;
mod link;
mod pacing;
mod personality;
mod program;
mod resolve;
pub mod rpc;
mod scenario;
mod steps;
mod subrate;
mod upload;

pub use bus::{BusKeys, HciBus};
pub use channels::Channels;
pub use coc::Coc;
pub use device::{Advertiser, Device, Image, Initiator, Stack};
pub use gatt::{Gatt, Method};
pub use host::{Acl, Host, PeerHost};
pub use link::{
    Asker, Carrier, Change, ChangeInterval, ChangePhy, Connection, Direction, INTERVAL_GRID, INTERVAL_MIN,
    Interference, Intervals, LengthBy,
};
pub use pacing::Pacing;
pub use personality::Personality;
pub use program::{CLOCK, Firmware, Program};
pub use rpc::{Rpc, Transport};
pub use scenario::{Scenario, TABLES};
pub use subrate::Subrate;
pub use upload::Upload;
