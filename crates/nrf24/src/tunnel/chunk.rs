//! The chunk header: one octet, `seq:6 | first:1 | last:1`.
//!
//! A chunk that is not the last of its packet fills its frame. A shorter frame without the last bit is therefore none, and
//! its six bits say which kind of control frame it is.

use crate::air::PAYLOAD_MAX;

/// Octets of a packet in one chunk.
pub(super) const BODY_MAX: usize = PAYLOAD_MAX - 1;

/// Sequence numbers are counted modulo this.
pub(super) const SEQ_MODULUS: u32 = 64;

/// Kind of a frame, by its length and first octet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// A piece of a packet.
    Chunk(Header),
    /// Control of this kind, and what follows the header.
    Control(u8, &'a [u8]),
}

/// The header of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Sequence number, modulo 64.
    pub(super) seq: u8,
    /// Set if its packet begins here.
    pub(super) first: bool,
    /// Set if its packet ends here.
    pub(super) last: bool,
}

impl Header {
    /// The header as it travels.
    pub(super) const fn octet(self) -> u8 {
        self.seq % SEQ_MODULUS as u8 * 4 + self.first as u8 * 2 + self.last as u8
    }

    /// The header that is this octet.
    pub(super) const fn of(octet: u8) -> Self {
        Self { seq: octet >> 2, first: octet & 2 != 0, last: octet & 1 != 0 }
    }
}

impl<'a> Frame<'a> {
    /// Tells what a payload is; none if it is nothing that a tunnel sends.
    pub(super) fn read(payload: &'a [u8]) -> Option<Self> {
        let (&octet, rest) = payload.split_first()?;
        let header = Header::of(octet);
        match (header.last, rest.len()) {
            (_, BODY_MAX) | (true, 1..BODY_MAX) => Some(Self::Chunk(header)),
            (false, 0..BODY_MAX) if !header.first => Some(Self::Control(header.seq, rest)),
            _ => None,
        }
    }
}

/// The header octet of a control frame of this kind.
pub(super) const fn control_octet(kind: u8) -> u8 {
    Header { seq: kind, first: false, last: false }.octet()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_octet_is_one_header() {
        for octet in 0..=u8::MAX {
            assert_eq!(Header::of(octet).octet(), octet);
        }
    }

    #[test]
    fn length_and_last_bit_tell_chunks_from_control() {
        let full = [0b0000_1100; 32];
        assert_eq!(Frame::read(&full), Some(Frame::Chunk(Header { seq: 3, first: false, last: false })));
        assert_eq!(Frame::read(&full[..31]), Some(Frame::Control(3, &full[1..31])));
        assert_eq!(Frame::read(&[0b0000_1101, 9]), Some(Frame::Chunk(Header { seq: 3, first: false, last: true })));
        assert_eq!(Frame::read(&[0b0000_1101]), None, "a last chunk without octets");
        assert_eq!(Frame::read(&[0b0000_1110, 9]), None, "a first chunk that is neither full nor last");
        assert_eq!(Frame::read(&[]), None);
        assert_eq!(Frame::read(&[1; 33]), None);
    }
}
