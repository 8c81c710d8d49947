//! The datagram that fragments come to.

use super::UNCOMPRESSED;
use super::header::{Fragment, HeaderError, compressed_octets};

/// A datagram that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Octets of UDP payload.
    pub payload: u16,
    /// Number of it: the first four octets of the payload, as the receiving application reads them.
    pub number: u32,
}

/// Datagram of one sender of which fragments have arrived.
///
/// One at a time: fragments come in order, by one way, and a sender begins no datagram before it is done with the last. So the first
/// fragment of another one says that the rest of this will not come, and no timer has to.
#[derive(Clone, Debug, Default)]
pub struct Reassembly {
    begun: Option<Begun>,
}

#[derive(Clone, Copy, Debug)]
struct Begun {
    size: u16,
    tag: u16,
    /// Octets that have arrived, uncompressed.
    arrived: u16,
    number: u32,
}

impl Reassembly {
    /// Takes a frame of the adaptation, behind its mesh header if it has one; the datagram that it completes.
    ///
    /// # Errors
    /// When it is none that is spoken here. What had arrived of a datagram stays.
    pub fn take(&mut self, frame: &[u8]) -> Result<Option<Whole>, HeaderError> {
        let (fragment, rest) = Fragment::parse(frame)?;
        let Some(Fragment { size, tag, offset }) = fragment else {
            let payload = &rest[compressed_octets(rest)?..];
            return Ok(Some(Whole { payload: payload.len() as u16, number: number(payload) }));
        };
        if offset == 0 {
            let payload = &rest[compressed_octets(rest)?..];
            let arrived = UNCOMPRESSED + payload.len() as u16;
            self.begun = Some(Begun { size, tag, arrived, number: number(payload) });
            return Ok(self.whole());
        }
        let follows =
            |begun: &&mut Begun| (begun.size, begun.tag) == (size, tag) && u16::from(offset) * 8 == begun.arrived;
        if let Some(begun) = self.begun.as_mut().filter(follows) {
            begun.arrived = begun.arrived.saturating_add(rest.len() as u16);
        }
        Ok(self.whole())
    }

    /// The datagram, if nothing of it is missing; it is handed on.
    fn whole(&mut self) -> Option<Whole> {
        let whole = self.begun.filter(|begun| begun.arrived >= begun.size)?;
        self.begun = None;
        Some(Whole { payload: whole.size.saturating_sub(UNCOMPRESSED), number: whole.number })
    }
}

/// The number that `payload` begins with; zero of one too short for it.
fn number(payload: &[u8]) -> u32 {
    payload.first_chunk().map_or(0, |number| u32::from_be_bytes(*number))
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::lowpan::{Cut, Flow, IpAddresses};
    use crate::wire::Address;

    fn frames(addresses: IpAddresses, payload: u16, number: u32) -> Vec<Vec<u8>> {
        let cut = Cut::new(payload, 100, addresses.compressed_octets(), 0).expect("it fits");
        let flow = Flow { cut, addresses, source: Address::Short(1), destination: Address::Short(0), mesh: false };
        let frame = |piece| {
            let mut octets = [0xAA; 125];
            let length = flow.frame(number, piece, &mut octets);
            let Some(piece) = cut.pieces().nth(usize::from(piece)) else { return vec![] };
            assert_eq!(length, usize::from(piece.headers + piece.payload));
            octets[..length].to_vec()
        };
        (0..cut.frames()).map(frame).collect()
    }

    #[test]
    fn a_datagram_is_whole_with_its_last_fragment() {
        for addresses in [IpAddresses::LinkLocal, IpAddresses::MeshLocal, IpAddresses::Global] {
            for payload in [16, 59, 60, 75, 76, 91, 92, 500, 1_232] {
                let mut reassembly = Reassembly::default();
                let all = frames(addresses, payload, 7);
                let (last, others) = all.split_last().expect("a frame at least");
                assert!(others.iter().all(|frame| reassembly.take(frame) == Ok(None)));
                assert_eq!(reassembly.take(last), Ok(Some(Whole { payload, number: 7 })), "{addresses:?}");
                assert_eq!(others.is_empty(), payload <= u16::from(100 - addresses.compressed_octets()));
            }
        }
    }

    #[test]
    fn a_datagram_without_one_of_its_fragments_is_lost() {
        let (one, two) = (frames(IpAddresses::MeshLocal, 500, 1), frames(IpAddresses::MeshLocal, 500, 2));
        for missing in 0..one.len() {
            let mut reassembly = Reassembly::default();
            let mut rest = one.clone();
            rest.remove(missing);
            assert!(rest.iter().all(|frame| reassembly.take(frame) == Ok(None)), "{missing}");
            let whole: Vec<_> = two.iter().filter_map(|frame| reassembly.take(frame).ok().flatten()).collect();
            assert_eq!(whole, [Whole { payload: 500, number: 2 }], "and the next one is not");
        }
    }

    #[test]
    fn headers_are_those_of_the_standards() {
        // RFC 4944, 5.3: 11000 and eleven bits of size, tag. RFC 6282: TF 11, NH 1, HLIM 10; SAM and DAM 11; UDP with both ports.
        let of_link = frames(IpAddresses::LinkLocal, 200, 0x0102_0304);
        assert_eq!(of_link[0][..4], [0xC0, 248, 0x03, 0x04]);
        assert_eq!(of_link[0][4..11], [0x7E, 0x33, 0xF0, 0x13, 0x89, 0x13, 0x89]);
        assert_eq!(of_link[0][13..18], [1, 2, 3, 4, 0]);
        assert_eq!(of_link[1][..5], [0xE0, 248, 0x03, 0x04, (48 + 80) / 8]);
        // fe80::ff:fe00:1 to fe80::ff:fe00:0, 208 octets of UDP from 5001 to 5001, and the number: the sum by hand.
        let sum = 2 * 0xfe80 + 2 * (0xff + 0xfe00) + 1 + 208 + 17 + 2 * 5_001 + 208 + 0x0102 + 0x0304;
        assert_eq!(of_link[0][11..13], (!(((sum & 0xFFFF) + (sum >> 16)) as u16)).to_be_bytes());
        let mesh_local = frames(IpAddresses::MeshLocal, 16, 1);
        assert_eq!((mesh_local[0][..2].to_vec(), mesh_local[0][18], mesh_local[0].len()), (vec![0x7E, 0x55], 0xF0, 41));
        let global = frames(IpAddresses::Global, 16, 1);
        assert_eq!((&global[0][..6], global[0].len()), ([0x7E, 0, 0x20, 0x01, 0x0d, 0xb8].as_slice(), 57));
    }

    #[test]
    fn what_is_not_spoken_is_refused() {
        let take = |octets: &[u8]| Reassembly::default().take(octets);
        assert_eq!(take(&[]), Err(HeaderError::Short));
        assert_eq!(take(&[0xE0, 1, 2, 3]), Err(HeaderError::Short));
        assert_eq!(take(&[0x41, 0, 0, 0]), Err(HeaderError::Dispatch), "IPv6 that is not compressed");
        assert_eq!(take(&[0x7A, 0x33, 17, 0, 0]), Err(HeaderError::NextHeader), "a next header in full");
        assert_eq!(take(&[0x7E, 0x33, 0xE0, 0, 0]), Err(HeaderError::NextHeader), "an extension header");
        assert_eq!(take(&[0x7E, 0x55, 0, 0, 0]), Err(HeaderError::Short));
    }
}
