//! Lengths of the frames that a datagram goes in: the arithmetic of fragments.

use super::{FIRST_OCTETS, NEXT_OCTETS, UNCOMPRESSED};

/// Way in which datagrams of one length are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    payload: u16,
    compressed: u8,
    mesh: u8,
    /// UDP payload of the first frame, and of every other one but the last, which has the rest.
    first: u16,
    next: u16,
}

/// One frame of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Octets of UDP payload in front of those in this frame.
    pub at: u16,
    /// Octets of UDP payload in this frame.
    pub payload: u8,
    /// Octets in front of them: mesh header, fragment header, and in the first frame the compressed headers of IPv6 and UDP.
    pub headers: u8,
    /// Flag: the datagram does not fit one frame.
    pub fragmented: bool,
}

impl Piece {
    /// Offset in the uncompressed datagram, in units of eight octets. RFC 4944, 5.3.
    pub const fn offset(self) -> u8 {
        if self.at == 0 { 0 } else { ((UNCOMPRESSED + self.at) / 8) as u8 }
    }
}

impl Cut {
    /// Datagrams of `payload` octets of UDP in frames with `room` for payload of the MAC, `compressed` of which the headers take in the
    /// first one, and a mesh header of `mesh` in each. None when eight octets, the unit of offsets, do not fit beside the headers.
    pub const fn new(payload: u16, room: u8, compressed: u8, mesh: u8) -> Option<Self> {
        let room = room.saturating_sub(mesh);
        if payload + compressed as u16 <= room as u16 {
            return Some(Self { payload, compressed, mesh, first: payload, next: 8 });
        }
        // The uncompressed headers are whole units themselves, so what is in front of the next offset is so, too.
        let first = room.saturating_sub(FIRST_OCTETS + compressed) & !7;
        let next = room.saturating_sub(NEXT_OCTETS) & !7;
        if first == 0 || next == 0 {
            return None;
        }
        Some(Self { payload, compressed, mesh, first: first as u16, next: next as u16 })
    }

    /// Octets of UDP payload of a datagram.
    pub const fn payload(&self) -> u16 {
        self.payload
    }

    /// Frames of a datagram.
    pub const fn frames(&self) -> u16 {
        1 + self.payload.saturating_sub(self.first).div_ceil(self.next)
    }

    /// Frame `index` of a datagram, from 0.
    pub const fn piece(&self, index: u16) -> Piece {
        let fragmented = self.payload > self.first;
        if index == 0 {
            let header = if fragmented { FIRST_OCTETS } else { 0 };
            let headers = self.mesh + header + self.compressed;
            return Piece { at: 0, payload: self.first as u8, headers, fragmented };
        }
        let at = self.first + (index - 1) * self.next;
        let rest = self.payload.saturating_sub(at);
        let payload = if rest < self.next { rest } else { self.next };
        Piece { at, payload: payload as u8, headers: self.mesh + NEXT_OCTETS, fragmented }
    }

    /// Every frame of a datagram, in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        (0..self.frames()).map(move |index| self.piece(index))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn fragments_begin_at_multiples_of_eight() {
        // Thread's frames have room for 106 octets; 100 of them behind a mesh header with hops beyond 14.
        for (room, mesh, compressed, payload, expected) in [
            (106, 0, 25, 1_232, [72, 96, 96, 8].as_slice()),
            (106, 0, 25, 81, &[81]),
            (106, 0, 25, 82, &[72, 10]),
            (106, 6, 41, 1_128, &[48, 88, 88, 24]),
        ] {
            let cut = Cut::new(payload, room, compressed, mesh).expect("it fits");
            let pieces: Vec<Piece> = cut.pieces().collect();
            let lengths: Vec<u8> = pieces.iter().map(|piece| piece.payload).collect();
            assert_eq!(lengths.iter().map(|&octets| u16::from(octets)).sum::<u16>(), payload);
            assert_eq!((lengths[0], lengths[lengths.len() - 1]), (expected[0], expected[expected.len() - 1]));
            for piece in &pieces {
                assert!(piece.at % 8 == 0 && piece.headers + piece.payload <= room, "{piece:?}");
                assert_eq!(piece.fragmented, pieces.len() > 1);
            }
        }
    }

    #[test]
    fn offsets_are_those_that_a_border_router_has_logged() {
        // NabuCasa/silabs-firmware#19: frames of 88 octets at offsets 104 and 192 of a datagram of 1184: 56 octets of it in the first one.
        let cut = Cut::new(1_184 - 48, 106, 40, 6).expect("it fits");
        let offsets: Vec<u16> = cut.pieces().map(|piece| u16::from(piece.offset()) * 8).collect();
        assert_eq!((&offsets[..3], cut.piece(1).payload), ([0, 104, 192].as_slice(), 88));
    }

    #[test]
    fn headers_may_leave_no_unit() {
        assert!(Cut::new(100, 52, 41, 0).is_none());
        assert_eq!(Cut::new(100, 59, 41, 6).map(|cut| cut.piece(0).payload), Some(8));
    }
}
