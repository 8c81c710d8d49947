//! The fields of a packet that a context keeps, and those that travel.

use super::{COMPRESSED, HEADER_MAX};
use crate::tunnel::ip::{IPV4, TCP, UDP, word};

/// Don't fragment. RFC 791, 3.1.
const DF: u8 = 0x40;

/// Octets of headers without options.
const UDP_HEADER: usize = 8;
const TCP_HEADER: usize = 20;

/// Urgent pointer field significant: the sixth bit of the flags. RFC 9293, 3.1.
const URG: u8 = 0x20;

/// Static fields: those that all packets of a flow have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Static {
    addresses: [u8; 8],
    ports: [u8; 4],
    pub(super) protocol: u8,
    tos: u8,
    ttl: u8,
    dont_fragment: bool,
}

impl Static {
    /// Static fields of a packet, and octets of its headers; none if it cannot be compressed, because something is in
    /// it that would not come back the same.
    pub(super) fn of(packet: &[u8]) -> Option<(Self, usize)> {
        let ip = packet.first_chunk::<IPV4>()?;
        let rest = &packet[IPV4..];
        let is_plain = ip[0] == 0x45 && word(ip, 2) == packet.len() && ip[6] & !DF == 0 && ip[7] == 0;
        if !is_plain || sum(ip) != 0xffff {
            return None;
        }
        let transport = match ip[9] {
            UDP if rest.len() >= UDP_HEADER && word(rest, 4) == rest.len() => UDP_HEADER,
            TCP if rest.len() >= TCP_HEADER => {
                let octets = usize::from(rest[12] >> 4) * 4;
                let is_plain = rest[13] & URG != 0 || word(rest, 18) == 0;
                ((TCP_HEADER..=rest.len()).contains(&octets) && is_plain).then_some(octets)?
            }
            _ => return None,
        };
        let fields = Self {
            addresses: *ip[12..].first_chunk()?,
            ports: *rest.first_chunk()?,
            protocol: ip[9],
            tos: ip[1],
            ttl: ip[8],
            dont_fragment: ip[6] & DF != 0,
        };
        Some((fields, IPV4 + transport))
    }

    /// Writes the headers of a packet of `len` octets in all: of IP, and the ports.
    fn write(&self, id: [u8; 2], len: u16, packet: &mut [u8]) {
        packet[..IPV4].fill(0);
        packet[0] = 0x45;
        packet[1] = self.tos;
        packet[2..4].copy_from_slice(&len.to_be_bytes());
        packet[4..6].copy_from_slice(&id);
        packet[6] = if self.dont_fragment { DF } else { 0 };
        packet[8] = self.ttl;
        packet[9] = self.protocol;
        packet[12..20].copy_from_slice(&self.addresses);
        let checksum = !sum(&packet[..IPV4]);
        packet[10..12].copy_from_slice(&checksum.to_be_bytes());
        packet[IPV4..IPV4 + 4].copy_from_slice(&self.ports);
    }
}

/// Writes the compressed header of a packet that has [`Static`] fields; its octets.
pub(super) fn compress(context: u8, packet: &[u8], headers: usize) -> ([u8; HEADER_MAX], usize) {
    let mut out = [0; HEADER_MAX];
    let mut len = 0;
    let mut put = |octets: &[u8]| {
        out[len..len + octets.len()].copy_from_slice(octets);
        len += octets.len();
    };
    put(&[COMPRESSED + context]);
    put(&packet[4..6]);
    let transport = &packet[IPV4..headers];
    if packet[9] == UDP {
        put(&transport[6..8]);
    } else {
        put(&transport[4..18]);
        if transport[13] & URG != 0 {
            put(&transport[18..20]);
        }
        put(&transport[TCP_HEADER..]);
    }
    (out, len)
}

/// Writes the whole packet to `packet`; its length. None if there is not enough in `octets` (what is behind the first), or no
/// room.
pub(super) fn decompress(context: &Static, octets: &[u8], packet: &mut [u8]) -> Option<usize> {
    let (id, rest) = octets.split_first_chunk::<2>()?;
    let mut transport = [0_u8; 60];
    let (headers, payload) = if context.protocol == UDP {
        let (checksum, payload) = rest.split_first_chunk::<2>()?;
        transport[4..6].copy_from_slice(&((UDP_HEADER + payload.len()) as u16).to_be_bytes());
        transport[6..8].copy_from_slice(checksum);
        (UDP_HEADER, payload)
    } else {
        let (fixed, mut rest) = rest.split_first_chunk::<14>()?;
        transport[4..18].copy_from_slice(fixed);
        if transport[13] & URG != 0 {
            let (urgent, behind) = rest.split_first_chunk::<2>()?;
            transport[18..20].copy_from_slice(urgent);
            rest = behind;
        }
        let headers = usize::from(transport[12] >> 4) * 4;
        let (options, payload) = rest.split_at_checked(headers.checked_sub(TCP_HEADER)?)?;
        transport[TCP_HEADER..headers].copy_from_slice(options);
        (headers, payload)
    };
    let len = IPV4 + headers + payload.len();
    let packet = packet.get_mut(..len)?;
    packet[IPV4..IPV4 + headers].copy_from_slice(&transport[..headers]);
    packet[IPV4 + headers..].copy_from_slice(payload);
    context.write(*id, len as u16, packet);
    Some(len)
}

/// The ones' complement sum of the Internet checksum. RFC 1071.
fn sum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    ((folded & 0xffff) + (folded >> 16)) as u16
}
