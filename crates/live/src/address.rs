//! Addresses as people write them.

use airtime_ble::host::Address;

/// An address as people write it, the most significant octet first: `C0:00:5E:00:01:00`.
pub fn written(address: Address) -> String {
    address.iter().rev().map(|octet| format!("{octet:02X}")).collect::<Vec<_>>().join(":")
}
