//! The mesh header: both ends of a way of several hops, and how many more there may be. RFC 4944, 5.2.

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

    /// Octets of the header of a child's frames between addresses of one kind.
    pub const fn octets(addressing: Addressing) -> u8 {
        2 + 2 * addressing.octets() as u8
    }

    /// Writes the header to the beginning of `out`; its length. Hops left take an octet of their own, whatever they are.
    pub(super) fn put(self, out: &mut [u8]) -> usize {
        let short = |address, flag| if matches!(address, Address::Short(_)) { flag } else { 0 };
        out[0] = MESH | DEEP | short(self.originator, SHORT_ORIGINATOR) | short(self.destination, SHORT_FINAL);
        out[1] = self.hops_left;
        let mut at = 2;
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

    /// Takes one hop off a frame that is passed on; false when it may go no further, or has no such header.
    pub fn pass_on(frame: &mut [u8]) -> bool {
        let hops = match frame.first().map(|first| (first >> 6, first & DEEP)) {
            Some((0b10, DEEP)) => frame.get_mut(1).map(|hops| (hops, 0xFF)),
            Some((0b10, _)) => frame.first_mut().map(|hops| (hops, DEEP)),
            _ => None,
        };
        match hops {
            Some((octet, mask)) if *octet & mask > 1 => {
                *octet -= 1;
                true
            }
            _ => false,
        }
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
    use super::*;

    #[test]
    fn headers_come_back_as_they_were_and_lose_a_hop() {
        let (short, extended) = (Address::Short(0x1234), Address::Extended(0x0200_0000_0000_0001));
        for (originator, destination, octets) in [(short, short, 6), (extended, short, 12), (extended, extended, 18)] {
            let mesh = Mesh { originator, destination, hops_left: Mesh::OF_CHILD };
            let mut out = [0xEE; 20];
            assert_eq!(mesh.put(&mut out), octets);
            assert_eq!(Mesh::parse(&out), Ok((Some(mesh), &out[octets..])));
            assert!(Mesh::pass_on(&mut out));
            assert_eq!(Mesh::parse(&out), Ok((Some(Mesh { hops_left: 16, ..mesh }), &out[octets..])));
        }
        assert_eq!(Mesh::octets(Addressing::Short), 6);
    }

    #[test]
    fn a_frame_goes_as_far_as_it_may() {
        // RFC 4944, 5.2: 10, V, F, hops left.
        let mut near = [0b1011_0010, 0, 1, 0, 2];
        assert!(Mesh::pass_on(&mut near) && near[0] == 0b1011_0001 && !Mesh::pass_on(&mut near));
        let mut far = [0b1011_1111, 1, 0, 1, 0, 2];
        assert!(!Mesh::pass_on(&mut far) && !Mesh::pass_on(&mut []) && !Mesh::pass_on(&mut [0x7E, 0x33]));
        assert_eq!(Mesh::parse(&[0b1011_1111]), Err(HeaderError::Short));
        assert_eq!(Mesh::parse(&[0x7E, 0x33]), Ok((None, [0x7E, 0x33].as_slice())));
    }
}
