//! Orders to the task that asks the system, and its reports.

use airtime_ble::host::Address;

use super::error::NativeError;
use crate::ble::system::{Part, Written};

/// Order to the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Tell of everybody who advertises.
    Scan,
    /// Connect to the device that was heard with this identifier, and have its part ready; a PSM that is known is not read.
    Connect {
        /// Identifier of the device.
        id: String,
        /// Part of it that is wanted.
        part: Part,
        /// PSM of its channel, where it is known.
        psm: Option<u16>,
    },
    /// Tell of the values that come from now on.
    Subscribe,
    /// Read the value.
    Read,
    /// Write a value.
    Write(Vec<u8>, Written),
    /// End the connection.
    HangUp,
}

/// Report of the task.
#[derive(Debug)]
pub enum Report {
    /// The adapter is on.
    Up,
    /// A device advertises.
    Heard(Heard),
    /// The device is connected, with this ATT MTU, and its part is ready.
    Connected(u16),
    /// Order that was carried out, with the octets of a value that was read.
    Done(usize),
    /// A value has come.
    Value(Vec<u8>),
    /// The device has gone.
    Gone,
    /// Order that cannot be carried out.
    Failed(NativeError),
}

/// Device that advertises, as the system tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Identifier: the system's own, which on macOS is another one on each machine.
    pub id: String,
    /// Name that it has told; control characters are replaced.
    pub name: Option<String>,
    /// Strength of the last report, in dBm.
    pub rssi_dbm: Option<i8>,
    /// Set if it takes connections.
    pub connectable: bool,
}

impl Heard {
    /// Six octets that tell it from others on this machine: its address where the identifier ends in one, as on Windows, else the begin of
    /// the identifier, for macOS tells no addresses.
    pub fn address(&self) -> Address {
        let end = self.id.len().saturating_sub("00:00:00:00:00:00".len());
        let tail = self.id.get(end..).unwrap_or_default();
        let is_address = tail.split(':').count() == 6 && tail.split(':').all(|octet| octet.len() == 2);
        let text = if is_address { tail } else { self.id.as_str() };
        let mut digits = text.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8);
        let mut address = [0; 6];
        for octet in address.iter_mut().rev() {
            *octet = digits.next().unwrap_or_default() << 4 | digits.next().unwrap_or_default();
        }
        address
    }
}
