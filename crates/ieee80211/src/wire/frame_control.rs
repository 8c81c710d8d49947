//! The first two octets of every frame. 9.2.4.1.

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameType {
    /// Management.
    Management,
    /// Control.
    Control,
    /// Data.
    Data,
    /// Extension.
    Extension,
}

/// Subtypes by number, of 16 for each type. Table 9-1.
pub mod subtype {
    /// Management: probe request.
    pub const PROBE_REQUEST: u8 = 4;
    /// Management: probe response.
    pub const PROBE_RESPONSE: u8 = 5;
    /// Management: beacon.
    pub const BEACON: u8 = 8;
    /// Management: action.
    pub const ACTION: u8 = 13;
    /// Control: wrapper.
    pub const CONTROL_WRAPPER: u8 = 7;
    /// Control: block acknowledgement request.
    pub const BLOCK_ACK_REQUEST: u8 = 8;
    /// Control: block acknowledgement.
    pub const BLOCK_ACK: u8 = 9;
    /// Control: request to send.
    pub const RTS: u8 = 11;
    /// Control: clear to send.
    pub const CTS: u8 = 12;
    /// Control: acknowledgement.
    pub const ACK: u8 = 13;
    /// Data: data and nothing else.
    pub const DATA: u8 = 0;
    /// Data: no data.
    pub const NULL: u8 = 4;
    /// Data: the bit of QoS data.
    pub const QOS: u8 = 8;
}

/// The field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FrameControl(pub u16);

impl FrameControl {
    /// To the distribution system.
    pub const TO_DS: u16 = 0x0100;
    /// From the distribution system.
    pub const FROM_DS: u16 = 0x0200;
    /// Another fragment follows.
    pub const MORE_FRAGMENTS: u16 = 0x0400;
    /// Sent before.
    pub const RETRY: u16 = 0x0800;
    /// The sender will sleep.
    pub const POWER_MANAGEMENT: u16 = 0x1000;
    /// More is buffered.
    pub const MORE_DATA: u16 = 0x2000;
    /// Encrypted.
    pub const PROTECTED: u16 = 0x4000;
    /// An HT Control field follows the header of QoS data and management frames.
    pub const HTC: u16 = 0x8000;

    /// A field of version 0.
    ///
    /// # Panics
    /// When `subtype` is above 15.
    pub const fn new(kind: FrameType, subtype: u8, flags: u16) -> Self {
        assert!(subtype < 16, "there are 16 subtypes");
        let kind = match kind {
            FrameType::Management => 0,
            FrameType::Control => 1,
            FrameType::Data => 2,
            FrameType::Extension => 3,
        };
        Self(kind << 2 | (subtype as u16) << 4 | flags & 0xff00)
    }

    /// Protocol version; 0 of all frames there are.
    pub const fn version(self) -> u8 {
        (self.0 & 3) as u8
    }

    /// Kind of the frame.
    pub const fn kind(self) -> FrameType {
        match self.0 >> 2 & 3 {
            0 => FrameType::Management,
            1 => FrameType::Control,
            2 => FrameType::Data,
            _ => FrameType::Extension,
        }
    }

    /// A [`subtype`] of its kind.
    pub const fn subtype(self) -> u8 {
        (self.0 >> 4 & 15) as u8
    }

    /// True if all of these flags are set.
    pub const fn has(self, flags: u16) -> bool {
        self.0 & flags == flags
    }

    /// True for QoS data, whose header has a QoS Control field.
    pub const fn is_qos(self) -> bool {
        matches!(self.kind(), FrameType::Data) && self.subtype() & subtype::QOS != 0
    }
}
