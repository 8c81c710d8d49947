//! The mesh header: both ends of a way of several hops, and how many more there may be. RFC 4944, 5.2.

use airtime_core::Packet;

use super::header::HeaderError;
use crate::wire::{Address, Addressing};

/// Dispatch of a mesh header.
const MESH: u8 = 0b1000_0000;

/// Flags of short addresses: of the originator, and of the final destination.
const SHORT_ORIGINATOR: u8 = 0b0010_0000;
const SHORT_FINAL: u8 = 0b0001_0000;

/// Number of hops left that says that the number follows in an octet of its own.
const DEEP: u8 = 0b1111;

/// Header of a frame on its way over several hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    /// Node that the datagram is from.
    pub originator: Address,
    /// Node that it is for.
    pub destination: Address,
    /// Hops that it may still go, 0..=255.
    pub hops_left: u8,
}

impl Mesh {
    /// Hops left of what a child sends, which does not know the way: beyond 14, so that they take an octet of their own.
    // OpenThread, mesh_forwarder.cpp: Mle::kMaxRouteCost + 1.
    pub const OF_CHILD: u8 = 17;

    /// Hops over which a child's frame has that octet: with 17, 16 and 15 of them left.
    pub const DEEP_HOPS: u8 = Self::OF_CHILD - DEEP + 1;

    /// Octets of the header of a child's frames between addresses of one kind.
    pub const fn octets(addressing: Addressing) -> u8 {
        2 + 2 * addressing.octets() as u8
    }

    /// Writes the header to the beginning of `out`; its length.
    pub(super) fn put(self, out: &mut [u8]) -> usize {
        let short = |address, flag| if matches!(address, Address::Short(_)) { flag } else { 0 };
        let hops = self.hops_left.min(DEEP);
        out[0] = MESH | hops | short(self.originator, SHORT_ORIGINATOR) | short(self.destination, SHORT_FINAL);
        out[1] = self.hops_left;
        let mut at = if hops == DEEP { 2 } else { 1 };
        for address in [self.originator, self.destination] {
            match address {
                Address::None => {}
                Address::Short(short) => {
                    out[at..at + 2].copy_from_slice(&short.to_be_bytes());
                    at += 2;
                }
                Address::Extended(extended) => {
                    out[at..at + 8].copy_from_slice(&extended.to_be_bytes());
                    at += 8;
                }
            }
        }
        at
    }

    /// The header that `octets` begin with, if there is one, and what follows it.
    ///
    /// # Errors
    /// When they end before the header does.
    pub fn parse(octets: &[u8]) -> Result<(Option<Self>, &[u8]), HeaderError> {
        let (&first, rest) = octets.split_first().ok_or(HeaderError::Short)?;
        if first >> 6 != MESH >> 6 {
            return Ok((None, octets));
        }
        let (hops_left, rest) = match first & DEEP {
            DEEP => rest.split_first().map(|(&hops, rest)| (hops, rest)).ok_or(HeaderError::Short)?,
            hops => (hops, rest),
        };
        let (originator, rest) = address(first & SHORT_ORIGINATOR != 0, rest)?;
        let (destination, rest) = address(first & SHORT_FINAL != 0, rest)?;
        Ok((Some(Self { originator, destination, hops_left }), rest))
    }

    /// Takes one hop off a frame that is passed on, and with it the octet of their number once that fits the first one; false when the
    /// frame may go no further, or has no such header.
    // OpenThread, thread/mesh_forwarder_ftd.cpp, HandleMesh: DecrementHopsLeft, and AppendTo (lowpan.cpp) writes the header anew. It sends
    // a frame with none left, too; RFC 4944, 5.2, does not.
    pub fn pass_on(frame: &mut Packet) -> bool {
        let Some(first) = frame.first().copied().filter(|first| first >> 6 == MESH >> 6) else { return false };
        let is_deep = first & DEEP == DEEP;
        let hops = if is_deep { frame.get(1).copied().unwrap_or(0) } else { first & DEEP };
        if hops < 2 {
            return false;
        }
        let left = hops - 1;
        match (is_deep, left) {
            (true, DEEP..) => frame[1] = left,
            (true, _) => {
                frame.strip(1);
                frame[0] = first & !DEEP | left;
            }
            (false, _) => frame[0] = first & !DEEP | left,
        }
        true
    }
}

/// An address of two octets or of eight, the most significant one first.
fn address(short: bool, octets: &[u8]) -> Result<(Address, &[u8]), HeaderError> {
    if short {
        let (address, rest) = octets.split_first_chunk().ok_or(HeaderError::Short)?;
        return Ok((Address::Short(u16::from_be_bytes(*address)), rest));
    }
    let (address, rest) = octets.split_first_chunk().ok_or(HeaderError::Short)?;
    Ok((Address::Extended(u64::from_be_bytes(*address)), rest))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use airtime_core::Pool;

    use super::*;

    fn packet(octets: &[u8]) -> Packet {
        Pool::new().copy(octets)
    }

    #[test]
    fn headers_come_back_as_they_were_and_lose_a_hop() {
        let (short, extended) = (Address::Short(0x1234), Address::Extended(0x0200_0000_0000_0001));
        for (originator, destination, octets) in [(short, short, 6), (extended, short, 12), (extended, extended, 18)] {
            let mesh = Mesh { originator, destination, hops_left: Mesh::OF_CHILD };
            let mut out = [0xEE; 20];
            assert_eq!(mesh.put(&mut out), octets);
            let mut frame = packet(&out);
            for hops_left in (1..=Mesh::OF_CHILD).rev() {
                // One octet less from 14 on, as OpenThread writes it.
                let octets = if hops_left > 14 { octets } else { octets - 1 };
                let mesh = Mesh { hops_left, ..mesh };
                let (parsed, rest) = Mesh::parse(&frame).expect("a header");
                assert_eq!((parsed, rest.len()), (Some(mesh), frame.len() - octets));
                assert_eq!((mesh.put(&mut [0; 20]), frame.len()), (octets, if hops_left > 14 { 20 } else { 19 }));
                assert_eq!(Mesh::pass_on(&mut frame), hops_left > 1);
            }
        }
        assert_eq!((Mesh::octets(Addressing::Short), Mesh::DEEP_HOPS), (6, 3));
    }

    #[test]
    fn a_frame_goes_as_far_as_it_may() {
        // RFC 4944, 5.2: 10, V, F, hops left.
        let passed = |octets: &[u8]| {
            let mut frame = packet(octets);
            Mesh::pass_on(&mut frame).then(|| frame.to_vec())
        };
        assert_eq!(passed(&[0b1011_0010, 0, 1, 0, 2]), Some(vec![0b1011_0001, 0, 1, 0, 2]));
        assert_eq!(passed(&[0b1011_1111, 16, 0, 1, 0, 2]), Some(vec![0b1011_1111, 15, 0, 1, 0, 2]));
        assert_eq!(passed(&[0b1011_1111, 15, 0, 1, 0, 2]), Some(vec![0b1011_1110, 0, 1, 0, 2]));
        assert_eq!(passed(&[0b1011_1111, 2, 0, 1, 0, 2]), Some(vec![0b1011_0001, 0, 1, 0, 2]));
        for last in [&[0b1011_0001, 0, 1, 0, 2][..], &[0b1011_1111, 1, 0, 1, 0, 2], &[0b1011_1111], &[], &[0x7E, 0x33]]
        {
            assert_eq!(passed(last), None);
        }
        assert_eq!(Mesh::parse(&[0b1011_1111]), Err(HeaderError::Short));
        assert_eq!(Mesh::parse(&[0x7E, 0x33]), Ok((None, [0x7E, 0x33].as_slice())));
    }
}
