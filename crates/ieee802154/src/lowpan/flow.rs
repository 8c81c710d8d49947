//! Octets of a datagram's frames.

use super::header::{Fragment, IPHC, UDP};
use super::{Cut, IpAddresses, Mesh, UNCOMPRESSED};
use crate::wire::Address;

/// Port of both ends, that of iperf; *assumed*. It is none of the sixteen that are sent in four bits. RFC 6282, 4.3.1.
const PORT: u16 = 5_001;

/// Number of UDP as a next header.
const UDP_PROTOCOL: u16 = 17;

/// Prefix of mesh-local addresses: a unique local one. RFC 4193, 3.1.
const MESH_LOCAL: u64 = 0xfd1a_171a_1700_0000;

/// Prefix of global addresses: that of documentation. RFC 3849.
const GLOBAL: u64 = 0x2001_0db8_0000_0000;

/// Prefix of addresses of the link. RFC 4291, 2.5.6.
const LINK_LOCAL: u64 = 0xfe80_0000_0000_0000;

/// Datagrams from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Way in which they are cut.
    pub cut: Cut,
    /// Kind of IPv6 addresses.
    pub addresses: IpAddresses,
    /// Address of the node that they are from.
    pub source: Address,
    /// Address of the node that they are for.
    pub destination: Address,
    /// Flag: they go over several hops, and every frame says from where and to where.
    pub mesh: bool,
}

impl Flow {
    /// Writes frame `piece` of datagram `number` to the beginning of `out`, which holds 125 octets; its length. The payload of a
    /// datagram is its number and zeros.
    pub fn frame(&self, number: u32, piece: u16, out: &mut [u8]) -> usize {
        let Self { cut, .. } = self;
        let piece = cut.piece(piece);
        let mut length = 0;
        if self.mesh {
            let Self { source: originator, destination, .. } = *self;
            length = Mesh { originator, destination, hops_left: Mesh::OF_CHILD }.put(out);
        }
        if piece.fragmented {
            let fragment = Fragment { size: UNCOMPRESSED + cut.payload(), tag: number as u16, offset: piece.offset() };
            length += fragment.put(&mut out[length..]);
        }
        if piece.at == 0 {
            length += self.headers(number, &mut out[length..]);
        }
        let payload = &mut out[length..length + usize::from(piece.payload)];
        payload.fill(0);
        if piece.at == 0 {
            let stamp = number.to_be_bytes();
            let room = payload.len().min(stamp.len());
            payload[..room].copy_from_slice(&stamp[..room]);
        }
        length + usize::from(piece.payload)
    }

    /// Writes the compressed headers of IPv6 and UDP; their length. RFC 6282.
    fn headers(&self, number: u32, out: &mut [u8]) -> usize {
        let ends = [self.ip(self.source), self.ip(self.destination)];
        out[0] = IPHC;
        // Address modes of the source and of the destination, stateless but for the prefix that all know.
        out[1] = match self.addresses {
            IpAddresses::LinkLocal => 0b0011_0011,
            IpAddresses::MeshLocal => 0b0101_0101,
            IpAddresses::Global => 0,
        };
        let sent = usize::from(self.addresses.octets());
        let mut at = 2;
        for end in ends {
            out[at..at + sent].copy_from_slice(&end.to_be_bytes()[16 - sent..]);
            at += sent;
        }
        out[at] = UDP;
        for field in [PORT, PORT, self.checksum(ends, number)] {
            out[at + 1..at + 3].copy_from_slice(&field.to_be_bytes());
            at += 2;
        }
        at + 1
    }

    /// Checksum of UDP over IPv6. RFC 8200, 8.1.
    fn checksum(&self, ends: [u128; 2], number: u32) -> u16 {
        let length = 8 + self.cut.payload();
        let mut sum = u64::from(UDP_PROTOCOL) + 2 * u64::from(PORT) + 2 * u64::from(length);
        let words = |value: u128| (0..8).map(move |word| u64::from((value >> (16 * word)) as u16));
        sum += ends.into_iter().flat_map(words).sum::<u64>() + words(number.into()).sum::<u64>();
        while sum > 0xFFFF {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        // A sum of zero is sent as its other form: zero says that there is none.
        if sum == 0xFFFF { 0xFFFF } else { !(sum as u16) }
    }

    /// IPv6 address of the node that frames know by `address`.
    fn ip(&self, address: Address) -> u128 {
        // Universal or local is the other way round in an interface identifier. RFC 4291, appendix A; RFC 6282, 3.2.2.
        let of_link = match address {
            Address::None => 0,
            Address::Short(short) => 0x0000_00ff_fe00_0000 | u64::from(short),
            Address::Extended(extended) => extended ^ 0x0200_0000_0000_0000,
        };
        let (prefix, identifier) = match self.addresses {
            IpAddresses::LinkLocal => (LINK_LOCAL, of_link),
            // One that is drawn once and kept, as RFC 8064 has it: any number does, and this one is odd.
            IpAddresses::MeshLocal => (MESH_LOCAL, of_link.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            IpAddresses::Global => (GLOBAL, of_link),
        };
        u128::from(prefix) << 64 | u128::from(identifier)
    }
}
