//! HCI: H4 framing, opcodes, status codes and events.
//!
//! Core 6.0, Vol 4, Part A (H4 indicators) and Part E (commands, events, ACL data).

pub mod commands;
pub mod event;
pub mod heard;
pub mod markdown;
pub mod opcode;
pub mod status;

use airtime_core::bytes::Reader;
use airtime_core::{Packet, Pool};

pub use opcode::Opcode;
pub use status::Status;

/// H4 indicator of a command. Core 6.0, Vol 4, Part A, 2.
pub const COMMAND: u8 = 0x01;
/// H4 indicator of ACL data.
pub const ACL_DATA: u8 = 0x02;
/// H4 indicator of an event.
pub const EVENT: u8 = 0x04;

/// Octets in front of ACL data: H4 indicator, handle with flags, length.
pub const ACL_HEADER_OCTETS: usize = 5;

/// Packet boundary flag of a first fragment from host to controller. Core 6.0, Vol 4, Part E, 5.4.2.
pub const PB_FIRST_NON_FLUSHABLE: u16 = 0b00;
/// Packet boundary flag of a continuing fragment.
pub const PB_CONTINUING: u16 = 0b01;
/// Packet boundary flag of a first fragment from controller to host.
pub const PB_FIRST_FLUSHABLE: u16 = 0b10;

/// A complete H4 packet, its lengths proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum H4<'a> {
    /// A command and its parameters.
    Command {
        /// Opcode of the command.
        opcode: Opcode,
        /// Parameters of the command.
        params: &'a [u8],
    },
    /// ACL data.
    Acl(Acl<'a>),
    /// An event and its parameters.
    Event {
        /// Event code.
        code: u8,
        /// Parameters of the event.
        params: &'a [u8],
    },
}

/// One HCI ACL data packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acl<'a> {
    /// Connection handle, 0..=0x0EFF.
    pub handle: u16,
    /// Packet boundary flag.
    pub boundary: u16,
    /// The data.
    pub data: &'a [u8],
}

/// Reason that bytes are no H4 packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The indicator is none of command, ACL data, event.
    Indicator(u8),
    /// The length field and the length disagree.
    Length,
}

impl<'a> H4<'a> {
    /// Reads one packet that fills `bytes` exactly.
    ///
    /// # Errors
    /// [`Malformed`] for an unknown indicator or lengths that disagree.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(bytes);
        let indicator = r.u8().ok_or(Malformed::Length)?;
        let packet = match indicator {
            COMMAND => Self::parse_command(&mut r),
            ACL_DATA => Self::parse_acl(&mut r),
            EVENT => Self::parse_event(&mut r),
            other => return Err(Malformed::Indicator(other)),
        };
        packet.filter(|_| r.is_empty()).ok_or(Malformed::Length)
    }

    fn parse_command(r: &mut Reader<'a>) -> Option<Self> {
        let opcode = Opcode(r.u16()?);
        let len = r.u8()?;
        Some(Self::Command { opcode, params: r.take(len.into())? })
    }

    fn parse_acl(r: &mut Reader<'a>) -> Option<Self> {
        let word = r.u16()?;
        let len = r.u16()?;
        let data = r.take(len.into())?;
        Some(Self::Acl(Acl { handle: word & 0x0fff, boundary: word >> 12 & 0b11, data }))
    }

    fn parse_event(r: &mut Reader<'a>) -> Option<Self> {
        let code = r.u8()?;
        let len = r.u8()?;
        Some(Self::Event { code, params: r.take(len.into())? })
    }
}

/// Starts an H4 command; append the parameters, then [`finish_command`].
pub fn command(pool: &Pool, opcode: Opcode) -> Packet {
    let mut packet = pool.packet();
    packet.put_u8(COMMAND);
    packet.put_u16(opcode.0);
    packet.put_u8(0);
    packet
}

/// Writes the parameter length into a packet begun by [`command`].
pub fn finish_command(mut packet: Packet) -> Packet {
    packet[3] = u8::try_from(packet.len() - 4).expect("command parameters fit 255 octets");
    packet
}

/// Starts an H4 ACL packet; append the data, then [`finish_acl`].
pub fn acl(pool: &Pool, handle: u16, boundary: u16) -> Packet {
    let mut packet = pool.packet();
    packet.put_u8(ACL_DATA);
    packet.put_u16(handle | boundary << 12);
    packet.put_u16(0);
    packet
}

/// Writes the data length into a packet begun by [`acl`].
pub fn finish_acl(mut packet: Packet) -> Packet {
    let len = u16::try_from(packet.len() - ACL_HEADER_OCTETS).expect("ACL data fits 65535 octets");
    packet[3..5].copy_from_slice(&len.to_le_bytes());
    packet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let pool = Pool::new();
        let reset = finish_command(command(&pool, opcode::RESET));
        assert_eq!(&*reset, &[0x01, 0x03, 0x0c, 0x00]);
        assert_eq!(H4::parse(&reset), Ok(H4::Command { opcode: opcode::RESET, params: &[] }));

        let mut data = acl(&pool, 0x40, PB_CONTINUING);
        data.put(&[7, 8, 9]);
        let data = finish_acl(data);
        assert_eq!(&*data, &[0x02, 0x40, 0x10, 0x03, 0x00, 7, 8, 9]);
        assert_eq!(H4::parse(&data), Ok(H4::Acl(Acl { handle: 0x40, boundary: PB_CONTINUING, data: &[7, 8, 9] })));
    }

    #[test]
    fn wrong_lengths_are_refused() {
        assert_eq!(H4::parse(&[]), Err(Malformed::Length));
        assert_eq!(H4::parse(&[9]), Err(Malformed::Indicator(9)));
        assert_eq!(H4::parse(&[1, 3, 0x0c]), Err(Malformed::Length));
        assert_eq!(H4::parse(&[1, 3, 0x0c, 0, 0]), Err(Malformed::Length));
        assert_eq!(H4::parse(&[2, 0, 0, 2, 0, 1]), Err(Malformed::Length));
    }
}
