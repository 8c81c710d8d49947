//! Boards by name, through BlueZ's daemon: it scans, connects, and reads the characteristic that publishes a PSM. The channel itself is the
//! kernel's ([`super::l2cap`]); streams of values and frames of remote calls go through the daemon.
//!
//! Names of objects and properties are those of BlueZ's `doc/org.bluez.Adapter.rst`, `…Device.rst` and `…GattCharacteristic.rst`.

mod bus;
mod calls;
mod error;
mod finder;
#[cfg(test)]
mod tests;
mod values;

pub use bus::{Arguments, Bus, BusError, Call, Change, SystemBus, Value, Written};
pub use calls::Calls;
pub use error::BluezError;
pub use finder::{Board, Characteristic, Finder, Part, Wanted};
pub use values::{Values, Way};
