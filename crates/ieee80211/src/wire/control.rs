//! Control frames: acknowledgements, reservations, block acknowledgements. 9.3.1.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::address::MacAddress;
use super::frame_control::{FrameControl, FrameType, subtype};
use super::header::Sequence;

/// BAR Control and BA Control of the compressed variant without acknowledgement policy: variant 2 in bits 1 to 4. Table 9-28.
const COMPRESSED: u16 = 2 << 1;
/// Bits of the variant.
const VARIANT: u16 = 0x001e;

/// Asks for a block acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAckRequest {
    /// Receiver: the station that is asked.
    pub receiver: MacAddress,
    /// Transmitter: the station that asks.
    pub transmitter: MacAddress,
    /// Traffic identifier, 0..=15.
    pub tid: u8,
    /// The first MPDU that is still wanted.
    pub start: Sequence,
}

/// Says which MPDUs have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAck {
    /// Receiver: the station that asked.
    pub receiver: MacAddress,
    /// Transmitter: the station that answers.
    pub transmitter: MacAddress,
    /// Traffic identifier, 0..=15.
    pub tid: u8,
    /// The MPDU of the lowest bit.
    pub start: Sequence,
    /// Bit n: the MPDU n behind `start` has arrived.
    pub bitmap: u64,
}

/// A control frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control<'a> {
    /// Acknowledgement.
    Ack {
        /// Receiver: the station whose frame has arrived.
        receiver: MacAddress,
    },
    /// Clear to send.
    Cts {
        /// Receiver: the station that may send.
        receiver: MacAddress,
        /// Time reserved, in µs.
        duration_us: u16,
    },
    /// Request to send.
    Rts {
        /// Receiver: the station that is asked.
        receiver: MacAddress,
        /// Transmitter: the station that asks.
        transmitter: MacAddress,
        /// Time reserved, in µs.
        duration_us: u16,
    },
    /// Block acknowledgement request, compressed.
    BlockAckRequest(BlockAckRequest),
    /// Block acknowledgement, compressed.
    BlockAck(BlockAck),
    /// Another, or another variant of these.
    Other {
        /// Frame control field, with its kind.
        control: FrameControl,
        /// Octets behind its kind.
        body: &'a [u8],
    },
}

impl<'a> Control<'a> {
    /// Appends the frame without FCS to `out`: 10 octets of an acknowledgement, 28 of a block acknowledgement.
    pub fn emit(&self, out: &mut Packet) {
        let kind = |subtype| FrameControl::new(FrameType::Control, subtype, 0).0;
        match *self {
            Self::Ack { receiver } => {
                out.put_u16(kind(subtype::ACK));
                out.put_u16(0);
                out.put(&receiver.0);
            }
            Self::Cts { receiver, duration_us } => {
                out.put_u16(kind(subtype::CTS));
                out.put_u16(duration_us);
                out.put(&receiver.0);
            }
            Self::Rts { receiver, transmitter, duration_us } => {
                out.put_u16(kind(subtype::RTS));
                out.put_u16(duration_us);
                out.put(&receiver.0);
                out.put(&transmitter.0);
            }
            Self::BlockAckRequest(BlockAckRequest { receiver, transmitter, tid, start }) => {
                out.put_u16(kind(subtype::BLOCK_ACK_REQUEST));
                block_ack(out, receiver, transmitter, tid, start);
            }
            Self::BlockAck(BlockAck { receiver, transmitter, tid, start, bitmap }) => {
                out.put_u16(kind(subtype::BLOCK_ACK));
                block_ack(out, receiver, transmitter, tid, start);
                out.put_u64(bitmap);
            }
            Self::Other { control, body } => {
                out.put_u16(control.0);
                out.put(body);
            }
        }
    }

    /// Reads what is behind the Frame Control field; none if that is too short.
    pub(super) fn parse(control: FrameControl, body: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(body);
        let other = Self::Other { control, body };
        let flags = control.has(FrameControl::HTC);
        let known = [subtype::ACK, subtype::CTS, subtype::RTS, subtype::BLOCK_ACK_REQUEST, subtype::BLOCK_ACK];
        if flags || !known.contains(&control.subtype()) {
            return Some(other);
        }
        let duration_us = reader.u16()?;
        let receiver = MacAddress(reader.array()?);
        if control.subtype() == subtype::ACK {
            return Some(Self::Ack { receiver });
        }
        if control.subtype() == subtype::CTS {
            return Some(Self::Cts { receiver, duration_us });
        }
        let transmitter = MacAddress(reader.array()?);
        if control.subtype() == subtype::RTS {
            return Some(Self::Rts { receiver, transmitter, duration_us });
        }
        let bits = reader.u16()?;
        if bits & VARIANT != COMPRESSED {
            return Some(other);
        }
        let tid = (bits >> 12) as u8;
        let start = Sequence::of(reader.u16()?);
        if control.subtype() == subtype::BLOCK_ACK_REQUEST {
            return Some(Self::BlockAckRequest(BlockAckRequest { receiver, transmitter, tid, start }));
        }
        // The fragment number tells the length of the bitmap: 0 is 64 bits. 9.3.1.8.2.
        if start.fragment != 0 {
            return Some(other);
        }
        Some(Self::BlockAck(BlockAck { receiver, transmitter, tid, start, bitmap: reader.u64()? }))
    }
}

/// Duration 0, addresses, control and start of a block acknowledgement or a request for one.
fn block_ack(out: &mut Packet, receiver: MacAddress, transmitter: MacAddress, tid: u8, start: Sequence) {
    out.put_u16(0);
    out.put(&receiver.0);
    out.put(&transmitter.0);
    out.put_u16(COMPRESSED | u16::from(tid & 15) << 12);
    out.put_u16(start.bits());
}
