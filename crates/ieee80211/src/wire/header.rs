//! The header of management and data frames. 9.2.3, 9.2.4.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::address::MacAddress;
use super::frame_control::{FrameControl, FrameType};

/// Sequence Control: which MSDU, and which piece of it. 9.2.4.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Sequence {
    /// Number of the MSDU, 0..=4095.
    pub number: u16,
    /// Number of the fragment, 0..=15.
    pub fragment: u8,
}

impl Sequence {
    /// Number and fragment, of which 12 and 4 bits count.
    pub const fn new(number: u16, fragment: u8) -> Self {
        Self { number: number & 0xfff, fragment: fragment & 15 }
    }

    /// The field.
    pub const fn bits(self) -> u16 {
        self.number << 4 | self.fragment as u16
    }

    /// From the field.
    pub const fn of(bits: u16) -> Self {
        Self { number: bits >> 4, fragment: (bits & 15) as u8 }
    }
}

/// A header with three or four addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Kind and flags.
    pub control: FrameControl,
    /// Microseconds for which the channel is taken behind this frame, or an association identifier.
    pub duration_us: u16,
    /// Receiver on this hop.
    pub receiver: MacAddress,
    /// Transmitter on this hop.
    pub transmitter: MacAddress,
    /// Third address: BSSID of management, source or destination of data.
    pub third: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Fourth address, where both directions of the distribution system are set.
    pub fourth: Option<MacAddress>,
    /// QoS Control, of QoS data.
    pub qos: Option<u16>,
    /// HT Control, where the flag for it is set.
    pub ht_control: Option<u32>,
}

impl Header {
    /// Octets of a header with three addresses and nothing else.
    pub const OCTETS: usize = 24;
    /// Octets of that with QoS Control.
    pub const QOS_OCTETS: usize = 26;

    /// Reads the header of a management or data frame.
    pub(super) fn parse(control: FrameControl, reader: &mut Reader<'_>) -> Option<Self> {
        let duration_us = reader.u16()?;
        let [receiver, transmitter, third] = [reader.array()?, reader.array()?, reader.array()?].map(MacAddress);
        let sequence = Sequence::of(reader.u16()?);
        let data = control.kind() == FrameType::Data;
        let four = data && control.has(FrameControl::TO_DS | FrameControl::FROM_DS);
        let fourth = if four { Some(MacAddress(reader.array()?)) } else { None };
        let qos = if control.is_qos() { Some(reader.u16()?) } else { None };
        let htc = control.has(FrameControl::HTC) && (control.is_qos() || control.kind() == FrameType::Management);
        let ht_control = if htc { Some(reader.u32()?) } else { None };
        Some(Self { control, duration_us, receiver, transmitter, third, sequence, fourth, qos, ht_control })
    }

    /// Appends the header to `out`.
    pub fn emit(&self, out: &mut Packet) {
        let mut octets = [0; Self::OCTETS];
        octets[..2].copy_from_slice(&self.control.0.to_le_bytes());
        octets[2..4].copy_from_slice(&self.duration_us.to_le_bytes());
        octets[4..10].copy_from_slice(&self.receiver.0);
        octets[10..16].copy_from_slice(&self.transmitter.0);
        octets[16..22].copy_from_slice(&self.third.0);
        octets[22..].copy_from_slice(&self.sequence.bits().to_le_bytes());
        out.put(&octets);
        if let Some(fourth) = self.fourth {
            out.put(&fourth.0);
        }
        if let Some(qos) = self.qos {
            out.put_u16(qos);
        }
        if let Some(ht_control) = self.ht_control {
            out.put_u32(ht_control);
        }
    }

    /// Traffic identifier of QoS data, 0..=15.
    pub fn tid(&self) -> Option<u8> {
        self.qos.map(|qos| (qos & 15) as u8)
    }
}
