//! The device address.

use airtime_app::Address;
use embassy_nrf::pac;

/// The static random address the factory gave the chip: the same after every reset, another for every
/// chip. Core 6.0, Vol 6, Part B, 1.3.2.1: its two most significant bits are ones.
pub fn static_address() -> Address {
    let [a, b, c, d] = pac::FICR.deviceaddr(0).read().to_le_bytes();
    let [e, f, ..] = pac::FICR.deviceaddr(1).read().to_le_bytes();
    [a, b, c, d, e, f | 0b1100_0000]
}
