//! PDUs of extended advertising: the common extended advertising payload format and AuxPtr.
//! Core 6.0, Vol 6, Part B, 2.3.4.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Packet, Pool};

use super::address::DeviceAddress;
use super::pdu::{RX_ADD, TX_ADD};
use crate::air::Phy;

/// PDU type of ADV_EXT_IND, AUX_ADV_IND and AUX_SCAN_RSP.
pub const EXTENDED: u8 = 0x7;
/// PDU type of AUX_CONNECT_RSP.
pub const AUX_CONNECT_RSP: u8 = 0x8;

/// AdvMode: connectable.
pub const CONNECTABLE: u8 = 0b01;
/// AdvMode: scannable.
pub const SCANNABLE: u8 = 0b10;

/// One unit of the Aux Offset for offsets below 245.7 ms, and for those above. Core 6.0, Vol 6, Part B, 2.3.4.5.
const OFFSET_UNITS: [Duration; 2] = [Duration::from_micros(30), Duration::from_micros(300)];
/// Values of the Aux Offset field.
const OFFSET_MAX: u64 = 0x1fff;
/// CA field of a clock that is at most 50 ppm off.
const CLOCK_50_PPM: u8 = 1 << 6;
/// Flag that the offset counts in the larger unit.
const LARGE_UNIT: u8 = 1 << 7;

/// Flags of the extended header.
const ADV_A: u8 = 1 << 0;
const TARGET_A: u8 = 1 << 1;
const CTE_INFO: u8 = 1 << 2;
const ADI: u8 = 1 << 3;
const AUX_PTR: u8 = 1 << 4;
const SYNC_INFO: u8 = 1 << 5;
const TX_POWER: u8 = 1 << 6;
/// Octets of SyncInfo, which is passed over.
const SYNC_INFO_OCTETS: usize = 18;

/// Pointer to the auxiliary packet: its channel, PHY and offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuxPtr {
    /// Channel index, 0..=36.
    pub channel: u8,
    /// From the start of the packet that holds the pointer: the auxiliary packet starts within one unit of this.
    pub offset: Duration,
    /// The unit.
    pub unit: Duration,
    /// PHY of the auxiliary packet.
    pub phy: Phy,
    /// The advertiser's clock is at most 50 ppm off, else 500.
    pub clock_50_ppm: bool,
}

impl AuxPtr {
    /// A pointer to a packet that starts `after` the start of the pointing packet; the offset is cut to its unit.
    pub fn to(after: Duration, channel: u8, phy: Phy, clock_50_ppm: bool) -> Self {
        let small = after / OFFSET_UNITS[0] <= OFFSET_MAX;
        let unit = OFFSET_UNITS[usize::from(!small)];
        Self { channel, offset: unit * (after / unit).min(OFFSET_MAX), unit, phy, clock_50_ppm }
    }

    fn parse(bytes: [u8; 3]) -> Option<Self> {
        let [first, low, high] = bytes;
        let unit = OFFSET_UNITS[usize::from(first & LARGE_UNIT != 0)];
        let phy = match high >> 5 {
            0 => Phy::Le1M,
            1 => Phy::Le2M,
            2 => Phy::LeCodedS8,
            _ => return None,
        };
        let channel = first & 0x3f;
        let offset = unit * u64::from(u16::from_le_bytes([low, high & 0x1f]));
        (channel <= 36).then_some(Self { channel, offset, unit, phy, clock_50_ppm: first & CLOCK_50_PPM != 0 })
    }

    fn emit(&self) -> [u8; 3] {
        let phy = match self.phy {
            Phy::Le1M => 0,
            Phy::Le2M => 1,
            Phy::LeCodedS2 | Phy::LeCodedS8 => 2,
        };
        let flag = |set, bit| if set { bit } else { 0 };
        let [low, high] = ((self.offset / self.unit) as u16).to_le_bytes();
        let first =
            self.channel | flag(self.clock_50_ppm, CLOCK_50_PPM) | flag(self.unit == OFFSET_UNITS[1], LARGE_UNIT);
        [first, low, high | phy << 5]
    }
}

/// A PDU in the common extended advertising payload format, read. CTEInfo, SyncInfo and ACAD are passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extended<'a> {
    /// [`EXTENDED`] or [`AUX_CONNECT_RSP`].
    pub kind: u8,
    /// AdvMode: [`CONNECTABLE`], [`SCANNABLE`] or neither.
    pub mode: u8,
    /// Address of the advertiser.
    pub advertiser: Option<DeviceAddress>,
    /// Address of the device meant.
    pub target: Option<DeviceAddress>,
    /// AdvDataInfo: DID in the lower twelve bits, SID in the upper four.
    pub adi: Option<u16>,
    /// Pointer to the auxiliary packet.
    pub aux: Option<AuxPtr>,
    /// Transmit power, dBm.
    pub tx_power: Option<i8>,
    /// Advertising or scan response data.
    pub data: &'a [u8],
}

impl<'a> Extended<'a> {
    /// A PDU of this kind and mode, with nothing in it.
    pub const fn new(kind: u8, mode: u8) -> Self {
        Self { kind, mode, advertiser: None, target: None, adi: None, aux: None, tx_power: None, data: &[] }
    }

    /// Reads a PDU; none when it is malformed or of another format.
    pub fn parse(pdu: &'a [u8]) -> Option<Self> {
        let mut r = Reader::new(pdu);
        let (first, len) = (r.u8()?, usize::from(r.u8()?));
        let kind = first & 0x0f;
        if r.rest().len() != len || !(kind == EXTENDED || kind == AUX_CONNECT_RSP) {
            return None;
        }
        let head = r.u8()?;
        let mut header = Reader::new(r.take(usize::from(head & 0x3f))?);
        let mut read = Self { data: r.rest(), ..Self::new(kind, head >> 6) };
        let flags = if header.is_empty() { 0 } else { header.u8()? };
        let has = |flag| flags & flag != 0;
        if has(ADV_A) {
            read.advertiser = Some(DeviceAddress::of(first & TX_ADD != 0, header.array()?));
        }
        if has(TARGET_A) {
            read.target = Some(DeviceAddress::of(first & RX_ADD != 0, header.array()?));
        }
        if has(CTE_INFO) {
            header.u8()?;
        }
        read.adi = if has(ADI) { Some(header.u16()?) } else { None };
        read.aux = if has(AUX_PTR) { Some(AuxPtr::parse(header.array()?)?) } else { None };
        if has(SYNC_INFO) {
            header.take(SYNC_INFO_OCTETS)?;
        }
        read.tx_power = if has(TX_POWER) { Some(header.u8()? as i8) } else { None };
        Some(read)
    }

    /// Writes the PDU.
    pub fn emit(&self, pool: &Pool) -> Packet {
        let flag = |set, bit| if set { bit } else { 0 };
        let random = |address: Option<DeviceAddress>| address.is_some_and(DeviceAddress::is_random);
        let mut packet = pool.packet();
        packet.put_u8(self.kind | flag(random(self.advertiser), TX_ADD) | flag(random(self.target), RX_ADD));
        packet.put(&[0, 0]);
        let flags = flag(self.advertiser.is_some(), ADV_A)
            | flag(self.target.is_some(), TARGET_A)
            | flag(self.adi.is_some(), ADI)
            | flag(self.aux.is_some(), AUX_PTR)
            | flag(self.tx_power.is_some(), TX_POWER);
        packet.put_u8(flags);
        for address in [self.advertiser, self.target].into_iter().flatten() {
            packet.put(&address.octets);
        }
        if let Some(adi) = self.adi {
            packet.put_u16(adi);
        }
        if let Some(aux) = &self.aux {
            packet.put(&aux.emit());
        }
        if let Some(power) = self.tx_power {
            packet.put_u8(power as u8);
        }
        let header = packet.len() - 3;
        packet[2] = u8::try_from(header).expect("an extended header is short") | self.mode << 6;
        packet.put(self.data);
        packet[1] = u8::try_from(packet.len() - 2).expect("advertising data is limited to one PDU");
        packet
    }

    /// Payload octets of the PDU.
    pub fn octets(&self) -> u64 {
        let addresses = u64::from(self.advertiser.is_some()) * 6 + u64::from(self.target.is_some()) * 6;
        let rest = u64::from(self.adi.is_some()) * 2 + u64::from(self.aux.is_some()) * 3;
        2 + addresses + rest + u64::from(self.tx_power.is_some()) + self.data.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let aux = AuxPtr::to(Duration::from_micros(1_000), 12, Phy::Le2M, true);
        let primary = Extended { adi: Some(0x3123), aux: Some(aux), ..Extended::new(EXTENDED, CONNECTABLE) };
        let bytes = primary.emit(&Pool::new());
        // Header: type 7, 7 octets; 6 octets of extended header in mode 1; ADI and AuxPtr; 33 units of 30 µs on 2M.
        assert_eq!(&*bytes, &[0x07, 7, 0x46, 0x18, 0x23, 0x31, 12 | 0x40, 33, 0x20]);
        let read = Extended::parse(&bytes).unwrap();
        assert_eq!(read, primary);
        assert_eq!(read.aux.unwrap().offset, Duration::from_micros(990));
        assert_eq!(read.octets(), 7);
    }

    #[test]
    fn every_field_comes_back() {
        let data = [1, 2, 3];
        let full = Extended {
            advertiser: Some(DeviceAddress::random([1; 6])),
            target: Some(DeviceAddress::public([2; 6])),
            adi: Some(7),
            aux: Some(AuxPtr::to(Duration::from_millis(300), 36, Phy::LeCodedS8, false)),
            tx_power: Some(-3),
            data: &data,
            ..Extended::new(EXTENDED, SCANNABLE)
        };
        let bytes = full.emit(&Pool::new());
        assert_eq!(Extended::parse(&bytes), Some(full));
        assert_eq!(bytes.len() as u64, 2 + full.octets());
        assert_eq!(full.aux.unwrap().unit, Duration::from_micros(300));
        for cut in 0..bytes.len() {
            assert_eq!(Extended::parse(&bytes[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn an_empty_extended_header_has_no_flags() {
        assert_eq!(Extended::parse(&[0x07, 1, 0x00]), Some(Extended::new(EXTENDED, 0)));
        assert_eq!(Extended::parse(&[0x07, 2, 0x01, ADV_A]), None, "the address is missing");
    }
}
