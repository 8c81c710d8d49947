//! Advertising and data channel PDUs. Core 6.0, Vol 6, Part B, 2.3 and 2.4.

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Packet, Pool};

use super::address::DeviceAddress;

/// Access address of the primary advertising channels. Core 6.0, Vol 6, Part B, 2.1.2.
pub const ADVERTISING_ACCESS_ADDRESS: u32 = 0x8e89_bed6;

/// LLID of a continuation fragment, or of an empty PDU. Core 6.0, Vol 6, Part B, 2.4.
pub const LLID_CONTINUATION: u8 = 0b01;
/// LLID of the start of an L2CAP PDU.
pub const LLID_START: u8 = 0b10;
/// LLID of an LL control PDU.
pub const LLID_CONTROL: u8 = 0b11;

/// First octet of the header of a data channel PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataHeader {
    /// One of the `LLID_` values; 0 is reserved.
    pub llid: u8,
    /// Next expected sequence number.
    pub nesn: bool,
    /// Sequence number.
    pub sn: bool,
    /// More data.
    pub md: bool,
}

impl DataHeader {
    /// The octet on the air; CP and RFU bits are zero.
    pub const fn octet(self) -> u8 {
        self.llid | (self.nesn as u8) << 2 | (self.sn as u8) << 3 | (self.md as u8) << 4
    }

    /// Splits a data channel PDU into header and payload; none when the lengths disagree.
    pub fn parse(pdu: &[u8]) -> Option<(Self, &[u8])> {
        let (&[first, len], payload) = pdu.split_first_chunk::<2>()?;
        let header = Self { llid: first & 0b11, nesn: first & 4 != 0, sn: first & 8 != 0, md: first & 16 != 0 };
        (payload.len() == usize::from(len)).then_some((header, payload))
    }
}

/// Type of an advertising PDU. Core 6.0, Vol 6, Part B, 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdvertisingType {
    /// Connectable, scannable, undirected.
    AdvInd = 0x0,
    /// Connectable by one device.
    AdvDirectInd = 0x1,
    /// Not connectable, not scannable.
    AdvNonconnInd = 0x2,
    /// Asks for the scan response.
    ScanReq = 0x3,
    /// The scan response.
    ScanRsp = 0x4,
    /// Makes a connection.
    ConnectInd = 0x5,
    /// Scannable, not connectable.
    AdvScanInd = 0x6,
}

impl AdvertisingType {
    const ALL: [Self; 7] = [
        Self::AdvInd,
        Self::AdvDirectInd,
        Self::AdvNonconnInd,
        Self::ScanReq,
        Self::ScanRsp,
        Self::ConnectInd,
        Self::AdvScanInd,
    ];

    fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|t| *t as u8 == code)
    }
}

/// An advertising PDU, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advertising<'a> {
    /// PDU type.
    pub kind: AdvertisingType,
    /// Channel selection algorithm #2 is supported.
    pub ch_sel: bool,
    /// Address of the sender: advertiser, scanner or initiator.
    pub sender: DeviceAddress,
    /// Address of the device meant, in SCAN_REQ, CONNECT_IND and ADV_DIRECT_IND.
    pub target: Option<DeviceAddress>,
    /// Advertising data, or the LLData of a CONNECT_IND.
    pub data: &'a [u8],
}

/// Channel selection algorithm #2 is supported. Core 6.0, Vol 6, Part B, 2.3.
const CH_SEL: u8 = 1 << 5;
/// The sender's address is random.
pub(super) const TX_ADD: u8 = 1 << 6;
/// The address of the device meant is random.
pub(super) const RX_ADD: u8 = 1 << 7;

impl<'a> Advertising<'a> {
    /// Reads an advertising PDU; none when it is malformed or of a kind not used here.
    pub fn parse(pdu: &'a [u8]) -> Option<Self> {
        let mut r = Reader::new(pdu);
        let first = r.u8()?;
        let len = usize::from(r.u8()?);
        if r.rest().len() != len {
            return None;
        }
        let kind = AdvertisingType::of(first & 0x0f)?;
        let sender = DeviceAddress::of(first & TX_ADD != 0, r.array()?);
        let target = match kind {
            AdvertisingType::ScanReq | AdvertisingType::ConnectInd | AdvertisingType::AdvDirectInd => {
                Some(DeviceAddress::of(first & RX_ADD != 0, r.array()?))
            }
            _ => None,
        };
        Some(Self { kind, ch_sel: first & CH_SEL != 0, sender, target, data: r.rest() })
    }

    /// Writes the PDU.
    pub fn emit(&self, pool: &Pool) -> Packet {
        let mut packet = pool.packet();
        let flag = |set, bit| if set { bit } else { 0 };
        let tx_add = flag(self.sender.is_random(), TX_ADD);
        let rx_add = flag(self.target.is_some_and(DeviceAddress::is_random), RX_ADD);
        packet.put_u8(self.kind as u8 | flag(self.ch_sel, CH_SEL) | tx_add | rx_add);
        let addresses = if self.target.is_some() { 12 } else { 6 };
        packet.put_u8(u8::try_from(addresses + self.data.len()).expect("an advertising PDU fits its length field"));
        packet.put(&self.sender.octets);
        if let Some(target) = self.target {
            packet.put(&target.octets);
        }
        packet.put(self.data);
        packet
    }
}

/// LLData of a CONNECT_IND. Core 6.0, Vol 6, Part B, 2.3.3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectData {
    /// Access address of the connection.
    pub access_address: u32,
    /// Initial value of the CRC, 24 bits.
    pub crc_init: u32,
    /// Size of the transmit window in units of 1.25 ms.
    pub win_size: u8,
    /// Offset of the transmit window in units of 1.25 ms.
    pub win_offset: u16,
    /// Connection interval in units of 1.25 ms.
    pub interval: u16,
    /// Peripheral latency in events.
    pub latency: u16,
    /// Supervision timeout in units of 10 ms.
    pub timeout: u16,
    /// Used data channels, one bit each.
    pub channel_map: u64,
    /// Hop increment of channel selection algorithm #1, 5..=16.
    pub hop: u8,
    /// Sleep clock accuracy field, 0..=7.
    pub sca: u8,
}

/// One unit of intervals and window offsets.
pub const UNIT_1_25_MS: Duration = Duration::from_micros(1250);
/// One unit of the supervision timeout.
pub const UNIT_10_MS: Duration = Duration::from_millis(10);

impl ConnectData {
    /// Octets on the air.
    pub const OCTETS: usize = 22;

    /// Reads the LLData.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let data = Self {
            access_address: r.u32()?,
            crc_init: r.u24()?,
            win_size: r.u8()?,
            win_offset: r.u16()?,
            interval: r.u16()?,
            latency: r.u16()?,
            timeout: r.u16()?,
            channel_map: u64::from(r.u32()?) | u64::from(r.u8()?) << 32,
            hop: *r.rest().first()? & 0x1f,
            sca: r.u8()? >> 5,
        };
        (r.is_empty() && data.is_valid()).then_some(data)
    }

    fn is_valid(&self) -> bool {
        self.access_address != ADVERTISING_ACCESS_ADDRESS
            && window_fits(self.win_size, self.win_offset, self.interval)
            && timing_is_valid(self.interval, self.latency, self.timeout)
            && self.channel_map.count_ones() >= 2
            && (5..=16).contains(&self.hop)
    }

    /// Writes the LLData.
    pub fn emit(&self, packet: &mut Packet) {
        packet.put_u32(self.access_address);
        packet.put_u24(self.crc_init);
        packet.put_u8(self.win_size);
        packet.put_u16(self.win_offset);
        packet.put_u16(self.interval);
        packet.put_u16(self.latency);
        packet.put_u16(self.timeout);
        packet.put(&self.channel_map.to_le_bytes()[..5]);
        packet.put_u8(self.hop | self.sca << 5);
    }
}

/// Tells if a transmit window of `size` at `offset` is one: 1.25 ms to 10 ms, at least 1.25 ms shorter than the
/// interval, and beginning within it. Core 6.0, Vol 6, Part B, 4.5.3.
pub fn window_fits(size: u8, offset: u16, interval: u16) -> bool {
    (1..=8).contains(&size) && u16::from(size) < interval.max(2) && offset <= interval
}

/// Tells if interval (1.25 ms), latency and supervision timeout (10 ms) go together: a timeout of 100 ms to 32 s that
/// is longer than two intervals with their latency. Core 6.0, Vol 6, Part B, 4.5.1 and 4.5.2.
pub fn timing_is_valid(interval: u16, latency: u16, timeout: u16) -> bool {
    let needs = UNIT_1_25_MS * u64::from(interval) * 2 * (u64::from(latency) + 1);
    (1..=3200).contains(&interval)
        && latency <= 499
        && (10..=3200).contains(&timeout)
        && UNIT_10_MS * u64::from(timeout) > needs
}

/// Declared sleep clock accuracy of an SCA field, in parts per million. Core 6.0, Vol 6, Part B, 2.3.3.1.
pub const SCA_PPM: [u16; 8] = [500, 250, 150, 100, 75, 50, 30, 20];

/// The SCA field that declares at least `ppm`.
pub fn sca_field(ppm: u16) -> u8 {
    SCA_PPM.iter().rposition(|limit| ppm <= *limit).unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_header_round_trips() {
        for octet in 0..32u8 {
            let pdu = [octet, 1, 0xaa];
            let (header, payload) = DataHeader::parse(&pdu).unwrap();
            assert_eq!((header.octet(), payload), (octet, &[0xaa][..]));
        }
        assert!(DataHeader::parse(&[1, 2, 0]).is_none(), "length field beyond the end");
    }

    #[test]
    fn connect_ind_round_trips() {
        let data = ConnectData {
            access_address: 0x5065_4e12,
            crc_init: 0x12_3456,
            win_size: 1,
            win_offset: 3,
            interval: 12,
            latency: 0,
            timeout: 100,
            channel_map: 0x1f_ffff_ffff,
            hop: 7,
            sca: 5,
        };
        let pool = Pool::new();
        let mut bytes = pool.packet();
        data.emit(&mut bytes);
        assert_eq!(bytes.len(), ConnectData::OCTETS);
        let pdu = Advertising {
            kind: AdvertisingType::ConnectInd,
            ch_sel: true,
            sender: DeviceAddress::random([1; 6]),
            target: Some(DeviceAddress::public([2; 6])),
            data: &bytes,
        };
        let packet = pdu.emit(&pool);
        assert_eq!(&packet[..3], &[0x65, 34, 1]);
        let read = Advertising::parse(&packet).unwrap();
        assert_eq!(read, pdu);
        assert_eq!(ConnectData::parse(read.data), Some(data));
    }

    #[test]
    fn sca_declares_no_better_than_it_is() {
        assert_eq!([sca_field(20), sca_field(50), sca_field(51), sca_field(900)], [7, 5, 4, 0]);
    }
}
