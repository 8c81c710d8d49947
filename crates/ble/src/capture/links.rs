//! Links of a capture: the initial values of their CRCs, learned from the requests that made them.

use alloc::collections::VecDeque;

use super::crc::ADVERTISING_INIT;
use crate::ll::pdu::{Advertising, AdvertisingType, ConnectData};

/// Connections remembered; the oldest is forgotten.
const LINKS_MAX: usize = 256;

/// The initial CRC values of the connections of one capture.
#[derive(Clone, Debug, Default)]
pub struct Links {
    inits: VecDeque<(u32, u32)>,
}

impl Links {
    /// Takes in an advertising PDU, on a primary or a secondary channel. CONNECT_IND and AUX_CONNECT_REQ look the same:
    /// Core 6.0, Vol 6, Part B, 2.3.3.1. Returns the access address of the connection if it is one of them.
    pub fn learn(&mut self, pdu: &[u8]) -> Option<u32> {
        let request = Advertising::parse(pdu).filter(|pdu| pdu.kind == AdvertisingType::ConnectInd)?;
        let data = ConnectData::parse(request.data)?;
        self.inits.retain(|(link, _)| *link != data.access_address);
        if self.inits.len() == LINKS_MAX {
            self.inits.pop_front();
        }
        self.inits.push_back((data.access_address, data.crc_init));
        Some(data.access_address)
    }

    /// Initial value of a packet's CRC; none on a connection whose request was not seen.
    pub fn crc_init(&self, advertising: bool, access_address: u32) -> Option<u32> {
        if advertising {
            return Some(ADVERTISING_INIT);
        }
        self.inits.iter().rev().find(|(link, _)| *link == access_address).map(|(_, init)| *init)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A CONNECT_IND for `link` whose CRCs begin with `init`.
    fn connect_ind(link: u32, init: u32) -> [u8; 36] {
        let mut pdu = [0; 36];
        pdu[..2].copy_from_slice(&[0x05, 34]);
        pdu[14..18].copy_from_slice(&link.to_le_bytes());
        pdu[18..21].copy_from_slice(&init.to_le_bytes()[..3]);
        // Window 1, offset 0, interval 24, latency 0, timeout 100, every channel, hop 7.
        pdu[21..].copy_from_slice(&[1, 0, 0, 24, 0, 0, 0, 100, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 7]);
        pdu
    }

    #[test]
    fn requests_are_remembered_and_replaced() {
        let mut links = Links::default();
        assert_eq!(links.crc_init(false, 7), None);
        assert_eq!(links.learn(&connect_ind(7, 0x12_3456)), Some(7));
        assert_eq!(links.learn(&connect_ind(7, 0x65_4321)), Some(7));
        assert_eq!(links.crc_init(false, 7), Some(0x65_4321));
        assert_eq!(links.crc_init(true, 7), Some(0x55_5555));
        assert_eq!(links.learn(&[0x00, 6, 0, 0, 0, 0, 0, 0]), None, "an ADV_IND makes no connection");
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let mut links = Links::default();
        for link in 1..=LINKS_MAX as u32 + 1 {
            links.learn(&connect_ind(link, link));
        }
        assert_eq!((links.crc_init(false, 1), links.crc_init(false, 2)), (None, Some(2)));
        assert_eq!(links.inits.len(), LINKS_MAX);
    }
}
