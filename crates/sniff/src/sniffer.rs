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
            Ok(None) => {}
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
                    self.counted.lost = self.counted.lost.saturating_sub(1);
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
        if advertising {
            self.links.learn(bare.pdu);
        }
        // Writers that have no CRC leave it zero.
        let init = self.links.crc_init(advertising, bare.access_address).filter(|_| bare.crc != [0; 3]);
        Sniffed {
            at,
            link: bare.access_address,
            channel: None,
            phy: Phy::Le1M,
            from_central: None,
            crc_ok: init.map(|init| crc::crc(init, bare.pdu) == bare.crc),
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
