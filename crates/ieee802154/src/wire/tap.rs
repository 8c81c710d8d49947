//! The header of captures in front of a frame (link type 283): IEEE 802.15.4 TAP 1.1, J. Ko, Exegin Technologies,
//! <https://github.com/jkcko/ieee802.15.4-tap>.
//!
//! A header of four octets, then fields of type, length and value, each padded to four octets; all of it little endian. Some writers count
//! the padding as part of the value: octets behind a value are passed over.

use alloc::vec::Vec;

use airtime_core::Instant;
use airtime_core::bytes::Reader;

/// Link type of frames with TAP in front, in pcap and pcapng.
pub const LINK_TYPE: u16 = 283;

/// Link type of frames with nothing in front and their check behind.
pub const LINK_TYPE_WITH_FCS: u16 = 195;

/// Link type of frames with nothing in front and without their check.
pub const LINK_TYPE_WITHOUT_FCS: u16 = 230;

/// The one version.
const VERSION: u8 = 0;

/// Octets of the header, and of type and length of a field.
const HEAD: usize = 4;

/// Types of fields.
mod kind {
    pub const FCS_TYPE: u16 = 0;
    pub const RSS: u16 = 1;
    pub const BIT_RATE: u16 = 2;
    pub const CHANNEL: u16 = 3;
    pub const SOF: u16 = 5;
    pub const EOF: u16 = 6;
    pub const LQI: u16 = 10;
}

/// Check behind a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FcsType {
    /// No frame check sequence in the record.
    #[default]
    None,
    /// CRC of 16 bits.
    Crc16,
    /// CRC of 32 bits.
    Crc32,
}

/// Channel number and page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Number, 11..=26 with page 0 at 2.4 GHz.
    pub number: u16,
    /// Channel page, 0 at 2.4 GHz.
    pub page: u8,
}

/// Knowledge of a frame besides its octets.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Tap {
    /// Check behind the frame.
    pub fcs: FcsType,
    /// Received signal strength in dBm.
    pub rss_dbm: Option<f32>,
    /// Rate in bit/s.
    pub bit_rate: Option<u32>,
    /// Channel and page, if they were recorded.
    pub channel: Option<Channel>,
    /// Start of the frame.
    pub start: Option<Instant>,
    /// End of the frame.
    pub end: Option<Instant>,
    /// Link quality, 0..=255.
    pub lqi: Option<u8>,
}

/// Octets are no TAP header of version 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTap;

impl core::fmt::Display for NoTap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no IEEE 802.15.4 TAP header of version 0 with fields that fit its length")
    }
}

impl core::error::Error for NoTap {}

impl Tap {
    /// Appends the header to `out`; the frame follows it.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let start = out.len();
        // The length is known at the end.
        out.extend_from_slice(&[VERSION, 0, 0, 0]);
        field(out, kind::FCS_TYPE, &[self.fcs as u8]);
        if let Some(rss_dbm) = self.rss_dbm {
            field(out, kind::RSS, &rss_dbm.to_le_bytes());
        }
        if let Some(bit_rate) = self.bit_rate {
            field(out, kind::BIT_RATE, &bit_rate.to_le_bytes());
        }
        if let Some(Channel { number, page }) = self.channel {
            let [low, high] = number.to_le_bytes();
            field(out, kind::CHANNEL, &[low, high, page]);
        }
        for (kind, at) in [(kind::SOF, self.start), (kind::EOF, self.end)] {
            if let Some(at) = at {
                field(out, kind, &at.as_nanos().to_le_bytes());
            }
        }
        if let Some(lqi) = self.lqi {
            field(out, kind::LQI, &[lqi]);
        }
        let octets = (out.len() - start) as u16;
        out[start + 2..start + 4].copy_from_slice(&octets.to_le_bytes());
    }

    /// The header in front of `octets`, and the frame behind it. Fields of other types are passed over.
    ///
    /// # Errors
    /// When version or lengths are none of a TAP header.
    pub fn parse(octets: &[u8]) -> Result<(Self, &[u8]), NoTap> {
        let mut reader = Reader::new(octets);
        let [version, _, low, high] = reader.array().ok_or(NoTap)?;
        let octets = usize::from(u16::from_le_bytes([low, high]));
        if version != VERSION || octets < HEAD || !octets.is_multiple_of(4) {
            return Err(NoTap);
        }
        let mut fields = Reader::new(reader.take(octets - HEAD).ok_or(NoTap)?);
        let mut tap = Self::default();
        while !fields.is_empty() {
            let (kind, octets) = fields.u16().zip(fields.u16()).ok_or(NoTap)?;
            let padded = fields.take(usize::from(octets).next_multiple_of(4)).ok_or(NoTap)?;
            tap.take(kind, &padded[..usize::from(octets)]).ok_or(NoTap)?;
        }
        Ok((tap, reader.rest()))
    }

    /// Takes over one field; none when its value is shorter than its type, or does not exist.
    fn take(&mut self, kind: u16, value: &[u8]) -> Option<()> {
        let mut value = Reader::new(value);
        match kind {
            kind::FCS_TYPE => {
                self.fcs = [FcsType::None, FcsType::Crc16, FcsType::Crc32].get(usize::from(value.u8()?)).copied()?;
            }
            kind::RSS => self.rss_dbm = Some(f32::from_le_bytes(value.array()?)),
            kind::BIT_RATE => self.bit_rate = Some(value.u32()?),
            kind::CHANNEL => self.channel = Some(Channel { number: value.u16()?, page: value.u8()? }),
            kind::SOF => self.start = Some(Instant::from_nanos(value.u64()?)),
            kind::EOF => self.end = Some(Instant::from_nanos(value.u64()?)),
            kind::LQI => self.lqi = Some(value.u8()?),
            _ => {}
        }
        Some(())
    }
}

fn field(out: &mut Vec<u8>, kind: u16, value: &[u8]) {
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&(value.len() as u16).to_le_bytes());
    out.extend_from_slice(value);
    // Counted from the field: what stands in front of the header is none of its business.
    out.resize(out.len() + value.len().next_multiple_of(4) - value.len(), 0);
}
