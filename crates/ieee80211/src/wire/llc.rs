//! MSDUs and Ethernet II: the type field moves behind an LLC and SNAP header of six octets. 802.11-2020, Annex M; RFC 1042.

use airtime_core::Packet;

use super::address::MacAddress;

/// Octets of LLC, SNAP and the type.
pub const OCTETS: usize = 8;
/// Octets of an Ethernet II header.
pub const ETHERNET_OCTETS: usize = 14;

/// LLC of SNAP (AA AA 03) and the organisation of RFC 1042.
const RFC_1042: [u8; 6] = [0xaa, 0xaa, 0x03, 0, 0, 0];
/// That of the bridge tunnel, which AppleTalk and IPX use.
const BRIDGE_TUNNEL: [u8; 6] = [0xaa, 0xaa, 0x03, 0, 0, 0xf8];

/// An Ethernet II frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ethernet<'a> {
    /// Destination of the frame.
    pub destination: MacAddress,
    /// Source of the frame.
    pub source: MacAddress,
    /// Type of the payload.
    pub ether_type: u16,
    /// The payload.
    pub payload: &'a [u8],
}

impl<'a> Ethernet<'a> {
    /// Reads an Ethernet II frame without its check; none of fewer than 14 octets.
    pub fn parse(octets: &'a [u8]) -> Option<Self> {
        let (header, payload) = octets.split_first_chunk::<ETHERNET_OCTETS>()?;
        let [d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, high, low] = *header;
        Some(Self {
            destination: MacAddress([d0, d1, d2, d3, d4, d5]),
            source: MacAddress([s0, s1, s2, s3, s4, s5]),
            ether_type: u16::from_be_bytes([high, low]),
            payload,
        })
    }

    /// Appends the frame to `out`.
    pub fn emit(&self, out: &mut Packet) {
        out.put(&self.destination.0);
        out.put(&self.source.0);
        out.put(&self.ether_type.to_be_bytes());
        out.put(self.payload);
    }

    /// Appends the MSDU to `out`.
    pub fn emit_msdu(&self, out: &mut Packet) {
        // AppleTalk AARP and IPX. 802.1H, table of selective translation.
        let header = if matches!(self.ether_type, 0x80f3 | 0x8137) { BRIDGE_TUNNEL } else { RFC_1042 };
        out.put(&header);
        out.put(&self.ether_type.to_be_bytes());
        out.put(self.payload);
    }
}

/// Type and payload of an MSDU; none if it is not SNAP.
pub fn parse_msdu(msdu: &[u8]) -> Option<(u16, &[u8])> {
    let (header, payload) = msdu.split_first_chunk::<OCTETS>()?;
    let [snap @ .., high, low] = *header;
    (snap == RFC_1042 || snap == BRIDGE_TUNNEL).then_some((u16::from_be_bytes([high, low]), payload))
}
