//! The frame control field. 7.2.2.

use super::{Addressing, FrameError};

/// Security enabled.
const SECURITY: u16 = 1 << 3;
/// Frame pending.
const PENDING: u16 = 1 << 4;
/// Acknowledgement requested.
const ACK_REQUEST: u16 = 1 << 5;
/// PAN identifier compressed.
const PAN_COMPRESSION: u16 = 1 << 6;
/// Sequence number suppressed, information elements present: frame version 2 only.
const VERSION_2_ONLY: u16 = 1 << 8 | 1 << 9;

/// Purpose of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameType {
    /// Beacon frame, type 0.
    Beacon,
    /// Data frame, type 1.
    Data,
    /// Acknowledgement frame, type 2.
    Ack,
    /// MAC command frame, type 3.
    Command,
}

/// The first two octets of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameControl {
    /// Purpose of the frame.
    pub frame_type: FrameType,
    /// Flag: an auxiliary security header follows the addresses.
    pub security: bool,
    /// Flag: more waits for the receiver.
    pub pending: bool,
    /// Flag: an acknowledgement is asked for.
    pub ack_request: bool,
    /// Flag: both ends are of one PAN, which is named once.
    pub pan_compression: bool,
    /// Addressing of the destination.
    pub destination: Addressing,
    /// Frame version: 0 (2003) or 1 (2006).
    pub version: u8,
    /// Addressing of the source.
    pub source: Addressing,
}

impl FrameControl {
    /// Control field of an acknowledgement.
    pub const ACK: Self = Self {
        frame_type: FrameType::Ack,
        security: false,
        pending: false,
        ack_request: false,
        pan_compression: false,
        destination: Addressing::None,
        version: 0,
        source: Addressing::None,
    };

    /// The field as a number.
    pub const fn to_bits(self) -> u16 {
        let frame_type = match self.frame_type {
            FrameType::Beacon => 0,
            FrameType::Data => 1,
            FrameType::Ack => 2,
            FrameType::Command => 3,
        };
        frame_type
            | if self.security { SECURITY } else { 0 }
            | if self.pending { PENDING } else { 0 }
            | if self.ack_request { ACK_REQUEST } else { 0 }
            | if self.pan_compression { PAN_COMPRESSION } else { 0 }
            | self.destination.bits() << 10
            | (self.version as u16) << 12
            | self.source.bits() << 14
    }

    /// The field of a number.
    ///
    /// # Errors
    /// When type, version or an addressing mode is one that is not spoken here, or does not exist.
    pub fn from_bits(bits: u16) -> Result<Self, FrameError> {
        let frame_type = match bits & 0b111 {
            0 => FrameType::Beacon,
            1 => FrameType::Data,
            2 => FrameType::Ack,
            3 => FrameType::Command,
            _ => return Err(FrameError::Type),
        };
        let version = (bits >> 12 & 0b11) as u8;
        if version > 1 || bits & VERSION_2_ONLY != 0 {
            return Err(FrameError::Version);
        }
        let addressing = |bits| Addressing::from_bits(bits).ok_or(FrameError::Addressing);
        let control = Self {
            frame_type,
            security: bits & SECURITY != 0,
            pending: bits & PENDING != 0,
            ack_request: bits & ACK_REQUEST != 0,
            pan_compression: bits & PAN_COMPRESSION != 0,
            destination: addressing(bits >> 10)?,
            version,
            source: addressing(bits >> 14)?,
        };
        // One PAN for both needs both. 7.2.2.
        let both = control.destination != Addressing::None && control.source != Addressing::None;
        if control.pan_compression && !both { Err(FrameError::Addressing) } else { Ok(control) }
    }

    /// Octets of PAN identifiers and addresses behind the sequence number. 7.2.
    pub const fn addressing_octets(self) -> usize {
        let source_pan = if self.pan_compression { 0 } else { pan_octets(self.source) };
        pan_octets(self.destination) + self.destination.octets() + source_pan + self.source.octets()
    }
}

/// Octets of the PAN identifier in front of an address.
const fn pan_octets(addressing: Addressing) -> usize {
    match addressing {
        Addressing::None => 0,
        Addressing::Short | Addressing::Extended => 2,
    }
}
