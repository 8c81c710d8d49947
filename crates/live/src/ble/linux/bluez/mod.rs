//! Boards by name, through BlueZ's daemon: it scans, connects, and reads the characteristic that publishes a PSM. The channel itself is the
//! kernel's ([`super::l2cap`]); streams of values and frames of remote calls go through the daemon.
//!
//! Names of objects and properties are those of BlueZ's `doc/org.bluez.Adapter.rst`, `…Device.rst` and `…GattCharacteristic.rst`.

mod bus;
mod error;
mod finder;
mod host;
mod objects;
mod peripheral;
mod served;
#[cfg(test)]
mod tests;

pub use bus::{Arguments, Bus, BusError, Call, Change, SystemBus, Value};
pub use error::BluezError;
pub use finder::{Board, Characteristic, Finder};
pub use host::Bluez;
pub use objects::{Called, Happening, Objects, Offer, Typed};
pub use peripheral::{Peripheral, PeripheralConfig};
pub use served::ServedBus;
