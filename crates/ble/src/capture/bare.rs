//! A packet without a pseudo-header: access address, PDU and CRC.
//!
//! <https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL.html>

use airtime_core::bytes::Reader;

use crate::air::HEADER_OCTETS;

/// A packet of the air of which channel, PHY, sender and the result of the CRC are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bare<'a> {
    /// Access address.
    pub access_address: u32,
    /// Header and payload.
    pub pdu: &'a [u8],
    /// The three octets behind the PDU.
    pub crc: [u8; 3],
}

impl<'a> Bare<'a> {
    /// Reads a packet; none when it is too short for access address, PDU header and CRC.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let access_address = r.u32()?;
        let (pdu, crc) = r.rest().split_last_chunk::<3>()?;
        (pdu.len() >= HEADER_OCTETS as usize).then_some(Self { access_address, pdu, crc: *crc })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let bytes = b"\xd6\xbe\x89\x8e\x40\x02\xaa\xbb\x5a\xf0\x04";
        let expected = Bare { access_address: 0x8e89_bed6, pdu: &[0x40, 2, 0xaa, 0xbb], crc: [0x5a, 0xf0, 0x04] };
        assert_eq!(Bare::parse(bytes), Some(expected));
        assert!(Bare::parse(&bytes[..9]).is_some());
        assert!((0..9).all(|octets| Bare::parse(&bytes[..octets]).is_none()));
    }
}
