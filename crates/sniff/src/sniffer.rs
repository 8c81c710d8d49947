//! Packets of a capture as what was heard on the air.

use alloc::string::{String, ToString};

use airtime_ble::air::Phy;
use airtime_ble::capture::{
    Bare, Frame, Kind, LINK_TYPE, LINK_TYPE_BARE, LINK_TYPE_NORDIC, LINK_TYPE_NORDIC_USER, Links, Nordic, crc,
};
use airtime_ble::ll::pdu::ADVERTISING_ACCESS_ADDRESS;
use airtime_capture::pcapng::Packet;
use airtime_core::{Duration, Instant};

use crate::nordic_clock::NordicClock;
use crate::sniffed::{Mic, Sniffed};

/// Counts of packets that were read of a file, and of those that were passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Packets handed over.
    pub taken: u64,
    /// Packets of other interfaces.
    pub elsewhere: u64,
    /// Packets of the interface that are none of what it should hold.
    pub malformed: u64,
    /// Packets of the interface that are none of the link by what they say themselves: answers of a sniffer to the computer, notes of the
    /// Linux monitor.
    pub notes: u64,
    /// Messages of the sniffer that are not in the file, by its own count: packets lost on the way to the computer, and messages that are
    /// no packets. Only nRF Sniffer counts.
    pub lost: u64,
}

/// Makes of packets in a capture what was heard on the air: those of its first interface of Bluetooth LE.
#[derive(Clone, Debug, Default)]
pub struct Sniffer {
    /// Section and number of the interface that is read, and its link type.
    interface: Option<(u32, u32, u16)>,
    /// The stamp that counts as the beginning.
    origin: i64,
    counted: Counted,
    fault: Option<String>,
    clock: NordicClock,
    links: Links,
}

impl Sniffer {
    /// Tells if packets of this link type are of the Bluetooth LE air, and are read.
    pub const fn reads(link_type: u16) -> bool {
        matches!(link_type, LINK_TYPE | LINK_TYPE_BARE | LINK_TYPE_NORDIC | LINK_TYPE_NORDIC_USER)
    }

    /// Link type of the interface that is read, once it had a packet.
    pub fn link_type(&self) -> Option<u16> {
        self.interface.map(|(.., link_type)| link_type)
    }

    /// Packets so far.
    pub const fn counted(&self) -> Counted {
        self.counted
    }

    /// Reason why the first malformed packet is none.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The next packet of the capture; hands it to `take` if it is one of the air.
    pub fn packet(&mut self, packet: &Packet<'_>, take: &mut impl FnMut(&Sniffed<'_>)) {
        let own = (packet.section, packet.interface, packet.link_type);
        if Self::reads(packet.link_type) && self.interface.is_none() {
            self.interface = Some(own);
            self.origin = packet.unix_ns;
        }
        if self.interface != Some(own) {
            self.counted.elsewhere += 1;
            return;
        }
        match self.sniffed(packet) {
            Ok(Some(sniffed)) => {
                self.counted.taken += 1;
                take(&sniffed);
            }
            Ok(None) => self.counted.notes += 1,
            Err(fault) => {
                self.counted.malformed += 1;
                self.fault.get_or_insert(fault);
            }
        }
    }

    fn sniffed<'a>(&mut self, packet: &Packet<'a>) -> Result<Option<Sniffed<'a>>, String> {
        let at = u64::try_from(packet.unix_ns.saturating_sub(self.origin)).map(Duration::from_nanos);
        let at = Instant::ZERO + at.map_err(|_| String::from("its stamp is before that of the first packet"))?;
        Ok(Some(match packet.link_type {
            LINK_TYPE_BARE => {
                let bare = Bare::parse(packet.data).ok_or("too short for access address, PDU and CRC")?;
                self.bare(at, &bare)
            }
            LINK_TYPE_NORDIC | LINK_TYPE_NORDIC_USER => {
                let Some(nordic) = Nordic::parse(packet.data).map_err(|error| error.to_string())? else {
                    self.clock.other();
                    return Ok(None);
                };
                let (at, lost) = self.clock.at(at, &nordic);
                self.counted.lost += u64::from(lost);
                framed(at, &nordic.frame)
            }
            _ => framed(at, &Frame::parse(packet.data).map_err(|error| error.to_string())?),
        }))
    }

    /// A packet of which only the octets are known: on LE 1M, as what writes this link type is; the CRC is checked where its preset is
    /// known.
    fn bare<'a>(&mut self, at: Instant, bare: &Bare<'a>) -> Sniffed<'a> {
        let advertising = bare.access_address == ADVERTISING_ACCESS_ADDRESS;
        // Writers that have no CRC leave it zero.
        let init = self.links.crc_init(advertising, bare.access_address).filter(|_| bare.crc != [0; 3]);
        let crc_ok = init.map(|init| crc::crc(init, bare.pdu) == bare.crc);
        // A request that arrived damaged would make every packet of its connection look damaged.
        if advertising && crc_ok != Some(false) {
            self.links.learn(bare.pdu);
        }
        Sniffed {
            at,
            link: bare.access_address,
            channel: None,
            phy: Phy::Le1M,
            from_central: None,
            crc_ok,
            mic: Mic::Untold,
            readable: true,
            pdu: bare.pdu,
        }
    }
}

fn framed<'a>(at: Instant, frame: &Frame<'a>) -> Sniffed<'a> {
    Sniffed {
        at,
        link: frame.access_address,
        channel: Some(frame.channel),
        phy: frame.phy,
        from_central: match frame.kind {
            Kind::Data { from_central } => Some(from_central),
            Kind::Unspecified | Kind::Auxiliary(_) | Kind::Other(_) => None,
        },
        crc_ok: frame.crc_valid,
        mic: match (frame.decrypted, frame.mic_valid) {
            (true, _) => Mic::Cut,
            // It was checked with a wrong key, or with none: what is there is as it was on the air.
            (false, Some(false)) => Mic::Kept,
            (false, _) => Mic::Untold,
        },
        readable: frame.decrypted || frame.mic_valid != Some(false),
        pdu: frame.pdu,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// A packet on this connection with the CRC that `init` comes to.
    fn bare(link: u32, pdu: &[u8], init: u32) -> Vec<u8> {
        [&link.to_le_bytes(), pdu, &crc::crc(init, pdu)].concat()
    }

    /// CONNECT_IND for `link` with this CRC preset: window 1, offset 0, interval 24, latency 0, timeout 100, every channel, hop 7.
    fn connect_ind(link: u32, init: u32) -> Vec<u8> {
        let rest = [1, 0, 0, 24, 0, 0, 0, 100, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 7];
        [&[0x05, 34], &[0; 12][..], &link.to_le_bytes(), &init.to_le_bytes()[..3], &rest].concat()
    }

    /// Counts of a file, and the CRC of each packet as far as it was checked.
    fn read(link_type: u16, packets: &[Vec<u8>]) -> (Counted, Vec<Option<bool>>) {
        let (mut sniffer, mut checks) = (Sniffer::default(), Vec::new());
        for data in packets {
            let original_octets = data.len() as u32;
            let packet = Packet { section: 0, interface: 0, link_type, unix_ns: 0, original_octets, data };
            sniffer.packet(&packet, &mut |sniffed| checks.push(sniffed.crc_ok));
        }
        (sniffer.counted(), checks)
    }

    #[test]
    fn a_request_that_arrived_damaged_teaches_nothing() {
        let advertising = |pdu: &[u8]| bare(ADVERTISING_ACCESS_ADDRESS, pdu, 0x55_5555);
        let sound = advertising(&connect_ind(7, 0x12_3456));
        let mut damaged = sound.clone();
        // An octet of the CRC preset: behind access address, header, two addresses and the new access address.
        damaged[4 + 2 + 12 + 4] ^= 0x40;
        let empty = bare(7, &[1, 0], 0x12_3456);
        let checks = |packets: &[Vec<u8>]| read(LINK_TYPE_BARE, packets).1;
        assert_eq!(checks(&[sound.clone(), empty.clone()]), [Some(true), Some(true)]);
        assert_eq!(checks(&[damaged.clone(), empty.clone()]), [Some(false), None]);
        assert_eq!(checks(&[sound, damaged, empty]), [Some(true), Some(false), Some(true)]);
    }

    /// An empty packet as nRF Sniffer numbers it, and a PING_RESP.
    #[test]
    fn an_answer_of_the_sniffer_is_no_lost_message() {
        let packet = |counter: u8| -> Vec<u8> {
            let payload = b"\x0a\x03\x0b\x2d\x07\x00\x96\x00\x00\x00\x96\x4e\x65\x50\x01\x00\x07\x08\x09";
            [&[5, 19, 0, 3, counter, 0, 6], &payload[..]].concat()
        };
        let answer = |counter: u8| Vec::from([5, 2, 0, 3, counter, 0, 0x0e, 1, 4]);
        let lost = |packets: &[Vec<u8>]| {
            let (counted, _) = read(LINK_TYPE_NORDIC, packets);
            (counted.taken, counted.lost)
        };
        assert_eq!(lost(&[packet(5), answer(6), packet(7)]), (2, 0));
        assert_eq!(lost(&[answer(4), packet(5), answer(6), answer(8), packet(9)]), (2, 1));
        assert_eq!(lost(&[packet(5), packet(7), answer(8), packet(9)]), (3, 1));
    }
}
