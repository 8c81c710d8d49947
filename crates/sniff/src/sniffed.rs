//! Sniffed packet: one packet of the air with its stamp.

use airtime_ble::air::Phy;
use airtime_core::{Duration, Instant};

/// One link-layer packet as a sniffer heard it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed<'a> {
    /// Start of the first symbol of the preamble.
    pub at: Instant,
    /// Access address that the packet was sent to.
    pub link: u32,
    /// Channel as the link layer numbers it: data 0..=36, advertising 37..=39.
    pub channel: Option<u8>,
    /// PHY and coding.
    pub phy: Phy,
    /// Sender: set for the central, clear for the peripheral; when it is not known it is told from the order of
    /// packets.
    pub from_central: Option<bool>,
    /// Result of the CRC: set if the sniffer got it right; none if it did not look.
    pub crc_ok: Option<bool>,
    /// Place of its MIC.
    pub mic: Mic,
    /// Set if the payload can be read: it was never encrypted, or has been decrypted. A payload that cannot be read is
    /// taken for data of the stream, one K-frame per PDU, and one of 8 octets and MIC for credits.
    pub readable: bool,
    /// Header, payload and MIC, without CRC. The length field counts what is there.
    pub pdu: &'a [u8],
}

/// Place of the MIC of a packet. An empty payload never has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mic {
    /// Not known: told from the encryption procedure, and taken to be at the end of the payload.
    Untold,
    /// There was none on the air.
    None,
    /// At the end of the payload.
    Kept,
    /// It was on the air and has been cut off, as from payloads that were decrypted.
    Cut,
}

/// Quality of the sniffer's stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamps {
    /// Unit the stamps are given in.
    pub resolution: Duration,
    /// Jitter of a stamp besides, each way.
    pub jitter: Duration,
    /// Error of the clock, in parts per million, each way.
    pub ppm: u16,
}

impl Stamps {
    /// The stamps of a virtual run: exact.
    pub const EXACT: Self = Self { resolution: Duration::from_nanos(1), jitter: Duration::ZERO, ppm: 0 };

    /// A common sniffer: µs from a crystal of ±50 ppm, and 1 µs of jitter.
    pub const SNIFFER: Self = Self { resolution: Duration::from_micros(1), jitter: Duration::from_micros(1), ppm: 50 };

    /// The most that the distance of two stamps may be off, drift left out.
    pub(super) const fn distance(self) -> Duration {
        let resolution = if self.resolution.as_nanos() > 1 { self.resolution.as_nanos() } else { 0 };
        Duration::from_nanos(resolution + 2 * self.jitter.as_nanos())
    }
}
