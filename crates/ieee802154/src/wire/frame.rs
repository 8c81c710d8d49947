//! Frames: data with header, security and check, and acknowledgements. 7.2, 7.3.

use core::fmt;

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::{Address, AuxiliaryHeader, FrameControl, FrameType, fcs, mic};
use crate::air::PSDU_MAX;

/// Octets of frame control and sequence number. 7.2.
const FIXED: usize = 3;

/// Reason why octets are no frame that is spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// More octets than a PHY carries.
    Long,
    /// Fewer octets than the header says.
    Short,
    /// The check is wrong.
    Fcs,
    /// A reserved type of frame.
    Type,
    /// A frame version, or a field of one, that is not spoken here.
    Version,
    /// A reserved addressing mode, or one PAN for two addresses of which one is missing.
    Addressing,
    /// Security without a level, or a MIC that is wrong.
    Security,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Long => "a frame has 127 octets at most",
            Self::Short => "the frame ends before its header does",
            Self::Fcs => "the frame check sequence is wrong",
            Self::Type => "the type of the frame is reserved; beacons, data, acknowledgements and commands are known",
            Self::Version => "the frame is of version 2 or later; 0 (2003) and 1 (2006) are known",
            Self::Addressing => "the addressing mode is reserved, or compressed without both addresses",
            Self::Security => "the security level is none, or the MIC is wrong",
        })
    }
}

impl core::error::Error for FrameError {}

/// Everything in front of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Frame control field, two octets.
    pub control: FrameControl,
    /// Sequence number (DSN).
    pub sequence: u8,
    /// PAN of the destination; none without its address.
    pub destination_pan: Option<u16>,
    /// Address of the destination.
    pub destination: Address,
    /// PAN of the source, named or the same; none without its address.
    pub source_pan: Option<u16>,
    /// Address of the source.
    pub source: Address,
    /// Auxiliary security header.
    pub auxiliary: Option<AuxiliaryHeader>,
}

impl Header {
    /// Octets on the air.
    pub fn octets(&self) -> usize {
        let auxiliary = self.auxiliary.map_or(0, |auxiliary| auxiliary.security.header_octets());
        FIXED + self.control.addressing_octets() + auxiliary
    }

    /// The header that `octets` begin with, a frame without its check, and what follows it: payload, and MIC of a frame with security.
    ///
    /// # Errors
    /// When they end before the header does, or are no frame of version 0 or 1.
    pub fn parse(octets: &[u8]) -> Result<(Self, &[u8]), FrameError> {
        let mut reader = Reader::new(octets);
        let header = Self::read(&mut reader)?;
        Ok((header, reader.rest()))
    }

    fn put(&self, out: &mut Packet) {
        out.put_u16(self.control.to_bits());
        out.put_u8(self.sequence);
        if let Some(pan) = self.destination_pan {
            out.put_u16(pan);
        }
        self.destination.put(out);
        if let Some(pan) = self.source_pan.filter(|_| !self.control.pan_compression) {
            out.put_u16(pan);
        }
        self.source.put(out);
        if let Some(auxiliary) = &self.auxiliary {
            auxiliary.put(out);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, FrameError> {
        Self::read_fields(reader)?.ok_or(FrameError::Short)
    }

    /// The header; none when there are too few octets for it.
    fn read_fields(reader: &mut Reader<'_>) -> Result<Option<Self>, FrameError> {
        let (Some(bits), Some(sequence)) = (reader.u16(), reader.u8()) else { return Ok(None) };
        let control = FrameControl::from_bits(bits)?;
        let Some((destination_pan, destination)) = end(control.destination, None, reader) else { return Ok(None) };
        let same = destination_pan.filter(|_| control.pan_compression);
        let Some((source_pan, source)) = end(control.source, same, reader) else { return Ok(None) };
        let auxiliary = if control.security { Some(AuxiliaryHeader::read(reader)?) } else { None };
        Ok(Some(Self { control, sequence, destination_pan, destination, source_pan, source, auxiliary }))
    }
}

/// PAN and address of one end; the PAN is `known`, or in front of the address.
fn end(addressing: super::Addressing, known: Option<u16>, reader: &mut Reader<'_>) -> Option<(Option<u16>, Address)> {
    let pan = match (addressing, known) {
        (super::Addressing::None, _) => None,
        (_, Some(pan)) => Some(pan),
        _ => Some(reader.u16()?),
    };
    Some((pan, Address::read(addressing, reader)?))
}

/// A frame as its receiver reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Everything in front of the payload.
    pub header: Header,
    /// The payload, without MIC and check.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The frame in `psdu`, which ends with the check.
    ///
    /// # Errors
    /// When the check is wrong, or the octets are no frame of version 0 or 1.
    pub fn parse(psdu: &'a [u8]) -> Result<Self, FrameError> {
        if psdu.len() > PSDU_MAX {
            return Err(FrameError::Long);
        }
        let octets = fcs::check(psdu).ok_or(FrameError::Fcs)?;
        let mut reader = Reader::new(octets);
        let header = Header::read(&mut reader)?;
        let rest = reader.rest();
        let Some(auxiliary) = header.auxiliary else { return Ok(Self { header, payload: rest }) };
        let at = rest.len().checked_sub(auxiliary.security.level.mic_octets()).ok_or(FrameError::Short)?;
        let (payload, code) = rest.split_at(at);
        let signed = &octets[..octets.len() - code.len()];
        if mic(signed)[..code.len()] != *code {
            return Err(FrameError::Security);
        }
        Ok(Self { header, payload })
    }

    /// Sequence number that it acknowledges, if it is an acknowledgement.
    pub fn acknowledges(&self) -> Option<u8> {
        (self.header.control.frame_type == FrameType::Ack).then_some(self.header.sequence)
    }
}

/// Writes a frame with its MIC and its check into `out`, which is empty.
pub fn compose(header: &Header, payload: &[u8], out: &mut Packet) {
    header.put(out);
    out.put(payload);
    if let Some(auxiliary) = header.auxiliary {
        let code = mic(out);
        out.put(&code[..auxiliary.security.level.mic_octets()]);
    }
    fcs::append(out);
}

/// Writes the acknowledgement of `sequence` into `out`, which is empty. 7.3.3.
pub fn ack(sequence: u8, out: &mut Packet) {
    out.put_u16(FrameControl::ACK.to_bits());
    out.put_u8(sequence);
    fcs::append(out);
}
