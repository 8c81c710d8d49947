//! The two counters that both sides only ever add to, and that wrap.

/// Count of buffers, modulo 2^12: the co-processor's of those it has loaded, the host's of those it has filled. Their
/// difference is what the host may still send. Source: `ESP_TX_BUFFER_MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credits(u16);

impl Credits {
    const MODULUS: u32 = 0x1000;

    /// A count of `count` buffers.
    pub const fn new(count: u32) -> Self {
        Self((count % Self::MODULUS) as u16)
    }

    /// The count, 0..=4095.
    pub const fn count(self) -> u16 {
        self.0
    }

    /// Counter after so many more `buffers`.
    #[must_use]
    pub const fn plus(self, buffers: u16) -> Self {
        Self::new(self.0 as u32 + buffers as u32)
    }

    /// Difference to `earlier`.
    pub const fn since(self, earlier: Self) -> u16 {
        Self::new(self.0 as u32 + Self::MODULUS - earlier.0 as u32).0
    }
}

/// Count of octets from the co-processor, modulo 2^20: its own of those it has made available, the host's of those it
/// has read. Source: `ESP_RX_BYTE_MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length(u32);

impl Length {
    const MODULUS: u32 = 0x10_0000;

    /// A count of `octets`.
    pub const fn new(octets: u32) -> Self {
        Self(octets % Self::MODULUS)
    }

    /// The count, 0..=1,048,575.
    pub const fn octets(self) -> u32 {
        self.0
    }

    /// Counter after so many more `octets`.
    #[must_use]
    pub const fn plus(self, octets: u32) -> Self {
        Self::new(self.0 + octets % Self::MODULUS)
    }

    /// Difference to `earlier`.
    pub const fn since(self, earlier: Self) -> u32 {
        Self::new(self.0 + Self::MODULUS - earlier.0).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_go_round() {
        let sent = Credits::new(4090);
        assert_eq!(sent.plus(20).count(), 14);
        assert_eq!(sent.plus(20).since(sent), 20);
        let read = Length::new(0xf_fff0);
        assert_eq!(read.plus(0x20).octets(), 0x10);
        assert_eq!(read.plus(1514).since(read), 1514);
    }
}
