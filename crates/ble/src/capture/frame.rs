//! One packet with its pseudo-header.
//!
//! The pseudo-header is ten octets: RF channel, signal and noise power, access address offenses, reference access
//! address, flags. Behind it come access address, coding indicator on LE Coded, PDU and CRC, without preamble.

use alloc::vec::Vec;
use core::fmt;

use airtime_core::bytes::Reader;

use super::channel;
use super::flags::{self, bits, verdict};
use crate::air::{HEADER_OCTETS, MIC_OCTETS, Phy};

/// Kind of PDU that a packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Primary advertising, or data whose direction is not known.
    Unspecified,
    /// Auxiliary advertising.
    Auxiliary(Auxiliary),
    /// Data of a connection.
    Data {
        /// Set if the central sent it.
        from_central: bool,
    },
    /// Isochronous or reserved: the code 4..=7.
    Other(u8),
}

/// Kind of an auxiliary advertising PDU; [`AdvInd`](Self::AdvInd) also stands for requests and responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auxiliary {
    /// AUX_ADV_IND.
    AdvInd,
    /// AUX_CHAIN_IND.
    ChainInd,
    /// AUX_SYNC_IND.
    SyncInd,
    /// AUX_SCAN_RSP.
    ScanRsp,
}

impl Auxiliary {
    const ALL: [Self; 4] = [Self::AdvInd, Self::ChainInd, Self::SyncInd, Self::ScanRsp];
}

/// A packet of the air as a capture holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Channel index 0..=39.
    pub channel: u8,
    /// PHY and coding.
    pub phy: Phy,
    /// Kind of PDU.
    pub kind: Kind,
    /// Access address as it was received.
    pub access_address: u32,
    /// Bits of it that were wrong, where that is known.
    pub offenses: Option<u8>,
    /// Power of the signal in dBm, where it is known.
    pub signal_dbm: Option<i8>,
    /// Power of the noise in dBm, where it is known.
    pub noise_dbm: Option<i8>,
    /// Header and payload. Of a [`decrypted`](Self::decrypted) PDU the MIC is cut off and the length field says so.
    pub pdu: &'a [u8],
    /// The three octets behind the PDU.
    pub crc: [u8; 3],
    /// Result of the CRC: set if it was right; none where it was not checked.
    pub crc_valid: Option<bool>,
    /// Set if the PDU was encrypted on the air and is shown in the clear.
    pub decrypted: bool,
    /// Result of the MIC: set if it was right; none where it was not checked.
    pub mic_valid: Option<bool>,
}

/// Reason that bytes are no such packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Fewer octets than pseudo-header, access address, PDU header and CRC need.
    Short(usize),
    /// The RF channel is beyond 39.
    Channel(u8),
    /// The PDU is still whitened.
    Whitened,
    /// The PHY is the reserved one.
    Phy,
    /// The coding indicator is neither 0 nor 1.
    Coding(u8),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(has) => write!(f, "{has} octets are too few for an LE packet with its pseudo-header"),
            Self::Channel(rf) => write!(f, "RF channel {rf} does not exist; the last one is 39"),
            Self::Whitened => f.write_str("the packet is still whitened; capture it de-whitened"),
            Self::Phy => f.write_str("PHY 3 is reserved; expected 0 (1M), 1 (2M) or 2 (coded)"),
            Self::Coding(ci) => write!(f, "coding indicator {ci} is reserved; expected 0 (S=8) or 1 (S=2)"),
        }
    }
}

impl core::error::Error for Error {}

/// Coding indicators. Core 6.0, Vol 6, Part B, 2.2.3.
const CODING_S8: u8 = 0b00;
const CODING_S2: u8 = 0b01;

impl<'a> Frame<'a> {
    /// Reads a packet with its pseudo-header.
    ///
    /// # Errors
    /// [`Error`] when it is too short or a field has a reserved value.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let short = Error::Short(bytes.len());
        let mut r = Reader::new(bytes);
        let [rf, signal, noise, offenses] = r.array().ok_or(short)?;
        let _reference = r.u32().ok_or(short)?;
        let flags = r.u16().ok_or(short)?;
        if flags & flags::DEWHITENED == 0 {
            return Err(Error::Whitened);
        }
        let access_address = r.u32().ok_or(short)?;
        let phy = match flags >> flags::PHY_SHIFT {
            0 => Phy::Le1M,
            1 => Phy::Le2M,
            2 => match r.u8().ok_or(short)? & 0b11 {
                CODING_S8 => Phy::LeCodedS8,
                CODING_S2 => Phy::LeCodedS2,
                other => return Err(Error::Coding(other)),
            },
            _ => return Err(Error::Phy),
        };
        let (pdu, crc) = r.rest().split_last_chunk::<3>().ok_or(short)?;
        if pdu.len() < HEADER_OCTETS as usize {
            return Err(short);
        }
        let kind = Kind::of(flags);
        let has_mic_flags = !matches!(kind, Kind::Auxiliary(_));
        Ok(Self {
            channel: channel::index(rf).ok_or(Error::Channel(rf))?,
            phy,
            kind,
            access_address,
            offenses: (flags & flags::OFFENSES_VALID != 0).then_some(offenses),
            signal_dbm: (flags & flags::SIGNAL_VALID != 0).then_some(signal as i8),
            noise_dbm: (flags & flags::NOISE_VALID != 0).then_some(noise as i8),
            pdu,
            crc: *crc,
            crc_valid: verdict(flags, flags::CRC_CHECKED, flags::CRC_VALID),
            decrypted: flags & flags::DECRYPTED != 0,
            mic_valid: if has_mic_flags { verdict(flags, flags::MIC_CHECKED, flags::MIC_VALID) } else { None },
        })
    }

    /// Appends the packet with its pseudo-header to `out`.
    ///
    /// # Panics
    /// On a channel beyond 39.
    pub fn emit(&self, out: &mut Vec<u8>) {
        let rf = channel::rf(self.channel).expect("channel indices end at 39");
        let (signal, noise) = (self.signal_dbm.unwrap_or(0), self.noise_dbm.unwrap_or(0));
        out.extend_from_slice(&[rf, signal as u8, noise as u8, self.offenses.unwrap_or(0)]);
        out.extend_from_slice(&self.access_address.to_le_bytes());
        out.extend_from_slice(&self.flags().to_le_bytes());
        out.extend_from_slice(&self.access_address.to_le_bytes());
        match self.phy {
            Phy::Le1M | Phy::Le2M => {}
            Phy::LeCodedS2 => out.push(CODING_S2),
            Phy::LeCodedS8 => out.push(CODING_S8),
        }
        out.extend_from_slice(self.pdu);
        out.extend_from_slice(&self.crc);
    }

    /// Octets of payload on the air: of a decrypted PDU, which is not empty, the MIC is counted again.
    pub fn air_octets(&self) -> usize {
        let payload = self.pdu.len() - HEADER_OCTETS as usize;
        if self.decrypted && payload > 0 { payload + MIC_OCTETS as usize } else { payload }
    }

    fn flags(&self) -> u16 {
        let phy = match self.phy {
            Phy::Le1M => 0,
            Phy::Le2M => 1,
            Phy::LeCodedS2 | Phy::LeCodedS8 => 2,
        };
        let given = |is: bool, bit: u16| if is { bit } else { 0 };
        flags::DEWHITENED
            | flags::REFERENCE_VALID
            | given(self.offenses.is_some(), flags::OFFENSES_VALID)
            | given(self.signal_dbm.is_some(), flags::SIGNAL_VALID)
            | given(self.noise_dbm.is_some(), flags::NOISE_VALID)
            | given(self.decrypted, flags::DECRYPTED)
            | bits(self.crc_valid, flags::CRC_CHECKED, flags::CRC_VALID)
            | phy << flags::PHY_SHIFT
            | match self.kind {
                Kind::Auxiliary(auxiliary) => 1 << flags::KIND_SHIFT | (auxiliary as u16) << flags::AUXILIARY_SHIFT,
                kind => kind.code() << flags::KIND_SHIFT | bits(self.mic_valid, flags::MIC_CHECKED, flags::MIC_VALID),
            }
    }
}

impl Kind {
    const fn code(self) -> u16 {
        match self {
            Self::Unspecified => 0,
            Self::Auxiliary(_) => 1,
            Self::Data { from_central: true } => 2,
            Self::Data { from_central: false } => 3,
            Self::Other(code) => code as u16 & 0b111,
        }
    }

    fn of(flags: u16) -> Self {
        match flags >> flags::KIND_SHIFT & 0b111 {
            0 => Self::Unspecified,
            1 => Self::Auxiliary(Auxiliary::ALL[usize::from(flags >> flags::AUXILIARY_SHIFT & 0b11)]),
            2 => Self::Data { from_central: true },
            3 => Self::Data { from_central: false },
            other => Self::Other(other as u8),
        }
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
