//! Addresses. 9.2.4.3.

use core::fmt;

/// An address of a station, or of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// Broadcast address: all stations.
    pub const BROADCAST: Self = Self([0xff; 6]);

    /// True for the address of a group: frames to it are not acknowledged.
    pub const fn is_group(self) -> bool {
        self.0[0] & 1 != 0
    }

    /// The locally administered address that ends in `last`.
    pub const fn local(last: u8) -> Self {
        Self([2, 0, 0, 0, 0, last])
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl fmt::Debug for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
