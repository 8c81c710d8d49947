//! A packet of nRF Sniffer for Bluetooth LE.
//!
//! The layout is documented in Wireshark's `epan/dissectors/packet-nordic_ble.c`, which Nordic keeps, and in the sniffer's own
//! `SnifferAPI/Packet.py` (4.1); <https://www.tcpdump.org/linktypes/LINKTYPE_NORDIC_BLE.html>. A board number, six octets of header, ten
//! of what the sniffer knows, then access address, coding indicator on LE Coded, PDU and CRC. Header versions 1 to 3 are read:
//!
//! - 1: length of header and of payload, an octet each
//! - 2, 3: length of the payload, two octets
//! - 1, 2: time from the end of the packet before to the start of this one; 3: time of the start
//! - 1, 2: one identifier for all packets; 3: one for advertising, one for data
//!
//! Scripts that write such captures leave the identifier zero, which no sniffer sends: it is a request to one. In versions 1 and 2, where
//! the identifier tells packets from answers alone, it is taken for a packet, as Wireshark does.

use core::fmt;

use airtime_core::bytes::Reader;

use super::frame::{Auxiliary, Frame, Kind};
use crate::air::{HEADER_OCTETS, Phy};
use crate::ll::pdu::ADVERTISING_ACCESS_ADDRESS;

/// Octets of the header behind the board number.
const HEADER: usize = 6;
/// Octets of what the sniffer knows, its length included.
const KNOWN_OCTETS: usize = 10;
/// Begins packets of version 0, of sniffers before 1.0.
const LEGACY: [u8; 2] = [0xbe, 0xef];

/// Identifiers of messages that are packets of the air.
mod id {
    pub const UNSET: u8 = 0x00;
    pub const ADVERTISING: u8 = 0x02;
    pub const PACKET: u8 = 0x06;
}

/// Bits of the flags. Of an advertising PDU in version 3 only the CRC and the PHY have these meanings.
mod flag {
    pub const CRC_OK: u8 = 0x01;
    pub const FROM_CENTRAL: u8 = 0x02;
    pub const ENCRYPTED: u8 = 0x04;
    pub const MIC_OK: u8 = 0x08;
    pub const AUXILIARY_SHIFT: u8 = 1;
    pub const PHY_SHIFT: u8 = 4;
}

/// Time that the sniffer gives a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Start of the packet on the sniffer's clock, in µs, modulo 2³².
    Start(u32),
    /// From the end of the packet that the sniffer sent before to the start of this one, in µs.
    Since(u32),
}

/// A packet of the air as nRF Sniffer holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nordic<'a> {
    /// Number of the sniffer's message, modulo 2¹⁶: a gap is of messages that were lost on the way to the computer.
    pub counter: u16,
    /// Counter of the connection event, as the sniffer follows it.
    pub event_counter: u16,
    /// Time of the packet.
    pub clock: Clock,
    /// The packet.
    pub frame: Frame<'a>,
}

/// Reason that bytes are no such packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NordicError {
    /// Fewer octets than header, access address, PDU header and CRC need.
    Short(usize),
    /// A header version that is not read.
    Version(u8),
    /// The length in the header, and the octets behind it.
    Length(u16, usize),
    /// The part of what the sniffer knows has another length.
    Known(u8),
    /// The channel index is beyond 39.
    Channel(u8),
    /// The PHY is a reserved one.
    Phy(u8),
    /// The coding indicator is neither 0 nor 1.
    Coding(u8),
}

impl fmt::Display for NordicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(has) => write!(f, "{has} octets are too few for a packet of nRF Sniffer"),
            Self::Version(version) => write!(f, "header version {version} of nRF Sniffer is not read; 1, 2 and 3 are"),
            Self::Length(says, has) => write!(f, "the header says {says} octets of payload, and {has} are there"),
            Self::Known(octets) => write!(f, "{octets} octets in front of the packet; expected {KNOWN_OCTETS}"),
            Self::Channel(index) => write!(f, "channel index {index} does not exist; the last one is 39"),
            Self::Phy(phy) => write!(f, "PHY {phy} is reserved; expected 0 (1M), 1 (2M) or 2 (coded)"),
            Self::Coding(ci) => write!(f, "coding indicator {ci} is reserved; expected 0 (S=8) or 1 (S=2)"),
        }
    }
}

impl core::error::Error for NordicError {}

impl<'a> Nordic<'a> {
    /// Reads a message of the sniffer; none when it is no packet of the air, but an answer to the computer.
    ///
    /// # Errors
    /// [`NordicError`] when it is too short, its lengths disagree or a field has a reserved value.
    pub fn parse(bytes: &'a [u8]) -> Result<Option<Self>, NordicError> {
        let short = NordicError::Short(bytes.len());
        if bytes.starts_with(&LEGACY) {
            return Err(NordicError::Version(0));
        }
        let mut r = Reader::new(bytes);
        let [_board, a, b, version] = r.array().ok_or(short)?;
        let counter = r.u16().ok_or(short)?;
        let id = r.u8().ok_or(short)?;
        let (header, payload) = match version {
            1 => (usize::from(a), u16::from(b)),
            2 | 3 => (HEADER, u16::from_le_bytes([a, b])),
            other => return Err(NordicError::Version(other)),
        };
        let has = r.rest().len();
        if header != HEADER || usize::from(payload) != has {
            return Err(NordicError::Length(payload, has));
        }
        let advertising = match (id, version) {
            (id::ADVERTISING, 3) => Some(true),
            (id::PACKET, 3) => Some(false),
            (id::PACKET | id::UNSET, 1 | 2) => None,
            _ => return Ok(None),
        };
        let [known, flags, channel, rssi] = r.array().ok_or(short)?;
        if usize::from(known) != KNOWN_OCTETS {
            return Err(NordicError::Known(known));
        }
        let event_counter = r.u16().ok_or(short)?;
        let time = r.u32().ok_or(short)?;
        let clock = if version == 3 { Clock::Start(time) } else { Clock::Since(time) };
        let frame = Self::frame(&mut r, flags, channel, advertising, short)?;
        // A sample of the register is the level with its sign left out.
        let frame = Frame { signal_dbm: i8::try_from(-i16::from(rssi)).ok().filter(|level| *level != 0), ..frame };
        Ok(Some(Self { counter, event_counter, clock, frame }))
    }

    fn frame(
        r: &mut Reader<'a>,
        flags: u8,
        channel: u8,
        advertising: Option<bool>,
        short: NordicError,
    ) -> Result<Frame<'a>, NordicError> {
        if channel > 39 {
            return Err(NordicError::Channel(channel));
        }
        let access_address = r.u32().ok_or(short)?;
        let phy = match flags >> flag::PHY_SHIFT & 0b111 {
            0 => Phy::Le1M,
            1 => Phy::Le2M,
            2 => match r.u8().ok_or(short)? & 0b11 {
                0 => Phy::LeCodedS8,
                1 => Phy::LeCodedS2,
                other => return Err(NordicError::Coding(other)),
            },
            other => return Err(NordicError::Phy(other)),
        };
        let (pdu, crc) = r.rest().split_last_chunk::<3>().ok_or(short)?;
        if pdu.len() < HEADER_OCTETS as usize {
            return Err(short);
        }
        let advertising = advertising.unwrap_or(access_address == ADVERTISING_ACCESS_ADDRESS);
        let kind = match (advertising, channel) {
            (false, _) => Kind::Data { from_central: flags & flag::FROM_CENTRAL != 0 },
            (true, 37..) => Kind::Unspecified,
            (true, _) => Kind::Auxiliary(match flags >> flag::AUXILIARY_SHIFT & 0b11 {
                0 => Auxiliary::AdvInd,
                1 => Auxiliary::ChainInd,
                2 => Auxiliary::SyncInd,
                _ => Auxiliary::ScanRsp,
            }),
        };
        let encrypted = !advertising && flags & flag::ENCRYPTED != 0;
        let mic_valid = encrypted.then_some(flags & flag::MIC_OK != 0);
        Ok(Frame {
            channel,
            phy,
            kind,
            access_address,
            offenses: None,
            signal_dbm: None,
            noise_dbm: None,
            pdu,
            crc: *crc,
            crc_valid: Some(flags & flag::CRC_OK != 0),
            // With the key the chip's CCM gives the payload in the clear, its MIC cut off (nRF52840 product specification, CCM).
            decrypted: mic_valid == Some(true),
            mic_valid,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    /// The packets behind a header: a data PDU of the central on channel 11, event 7, -45 dBm, CRC right.
    const DATA: &[u8] = b"\x0a\x03\x0b\x2d\x07\x00\x96\x00\x00\x00\x96\x4e\x65\x50\x0e\x01\xaa\x07\x08\x09";

    fn message(header: &[u8], payload: &[u8]) -> Vec<u8> {
        [&[5], header, payload].concat()
    }

    /// Wireshark 4.0 dissects these three messages alike: counter 258, channel 11, -45 dBm, event 7, direction central to peripheral.
    #[test]
    fn golden_bytes_of_each_version() {
        let frame = Frame {
            channel: 11,
            phy: Phy::Le1M,
            kind: Kind::Data { from_central: true },
            access_address: 0x5065_4e96,
            offenses: None,
            signal_dbm: Some(-45),
            noise_dbm: None,
            pdu: &[0x0e, 1, 0xaa],
            crc: [7, 8, 9],
            crc_valid: Some(true),
            decrypted: false,
            mic_valid: None,
        };
        let expected = |clock| Ok(Some(Nordic { counter: 258, event_counter: 7, clock, frame }));
        let versions: [(&[u8], Clock); 3] = [
            (b"\x06\x14\x01\x02\x01\x06", Clock::Since(150)),
            (b"\x14\x00\x02\x02\x01\x06", Clock::Since(150)),
            (b"\x14\x00\x03\x02\x01\x06", Clock::Start(150)),
        ];
        for (header, clock) in versions {
            assert_eq!(Nordic::parse(&message(header, DATA)), expected(clock));
        }
    }

    /// Meaning of the flags of a packet: kind, PHY, decrypted, MIC, CRC.
    type Said = (Kind, Phy, bool, Option<bool>, Option<bool>);

    /// A packet with these flags on this channel, of version 3.
    fn flagged(id: u8, flags: u8, channel: u8, ci: &[u8]) -> Result<Said, NordicError> {
        let known = [10, flags, channel, 60, 0, 0, 1, 0, 0, 0];
        let packet = [&known, &DATA[10..14], ci, &DATA[14..]].concat();
        let header = [packet.len() as u8, 0, 3, 0, 0, id];
        let message = message(&header, &packet);
        let nordic = Nordic::parse(&message)?.expect("a packet of the air");
        let frame = nordic.frame;
        Ok((frame.kind, frame.phy, frame.decrypted, frame.mic_valid, frame.crc_valid))
    }

    #[test]
    fn flags_as_the_dissector_reads_them() {
        let data = |from_central| Kind::Data { from_central };
        assert_eq!(flagged(6, 0x00, 3, &[]), Ok((data(false), Phy::Le1M, false, None, Some(false))));
        assert_eq!(flagged(6, 0x1f, 3, &[]), Ok((data(true), Phy::Le2M, true, Some(true), Some(true))));
        assert_eq!(flagged(6, 0x17, 3, &[]), Ok((data(true), Phy::Le2M, false, Some(false), Some(true))));
        assert_eq!(flagged(6, 0x21, 3, &[1]), Ok((data(false), Phy::LeCodedS2, false, None, Some(true))));
        assert_eq!(flagged(6, 0x21, 3, &[0]), Ok((data(false), Phy::LeCodedS8, false, None, Some(true))));
        let chain = Kind::Auxiliary(Auxiliary::ChainInd);
        assert_eq!(flagged(2, 0x03, 3, &[]), Ok((chain, Phy::Le1M, false, None, Some(true))));
        assert_eq!(flagged(2, 0x09, 38, &[]), Ok((Kind::Unspecified, Phy::Le1M, false, None, Some(true))));
        assert_eq!(flagged(6, 0x21, 3, &[2]), Err(NordicError::Coding(2)));
        assert_eq!(flagged(6, 0x31, 3, &[]), Err(NordicError::Phy(3)));
        assert_eq!(flagged(6, 0x01, 40, &[]), Err(NordicError::Channel(40)));
    }

    /// As scapy writes it with its defaults but for board and flags: identifier, channel, event and time are zero.
    #[test]
    fn a_packet_of_a_script_has_no_identifier() {
        let known = b"\x0a\x03\0\0\0\0\0\0\0\0";
        let packet = [&known[..], &DATA[10..]].concat();
        let read = |version: u8| {
            let message = message(&[packet.len() as u8, 0, version, 0, 0, 0], &packet);
            Nordic::parse(&message).map(|nordic| nordic.map(|nordic| (nordic.frame.kind, nordic.clock)))
        };
        assert_eq!(read(2), Ok(Some((Kind::Data { from_central: true }, Clock::Since(0)))));
        assert_eq!(read(3), Ok(None), "there it says which kind of packet it is");
    }

    #[test]
    fn answers_to_the_computer_are_passed_over_and_the_rest_is_named() {
        // PING_RESP with a version of the firmware.
        assert_eq!(Nordic::parse(&message(&[2, 0, 3, 0, 0, 0x0e], &[1, 4])), Ok(None));
        let said = |bytes: &[u8]| Nordic::parse(bytes).unwrap_err().to_string();
        assert_eq!(said(b"\xbe\xef\x06\0\0\0\0\x08"), "header version 0 of nRF Sniffer is not read; 1, 2 and 3 are");
        assert_eq!(
            said(&message(&[0, 0, 4, 0, 0, 6], &[])),
            "header version 4 of nRF Sniffer is not read; 1, 2 and 3 are"
        );
        assert_eq!(said(&message(&[9, 0, 3, 0, 0, 6], DATA)), "the header says 9 octets of payload, and 20 are there");
        let whole = message(b"\x14\x00\x03\x02\x01\x06", DATA);
        for cut in 0..whole.len() {
            assert!(Nordic::parse(&whole[..cut]).is_err(), "{cut}");
        }
    }
}
