//! Data frames made of Ethernet frames. 9.3.2.

use airtime_core::Packet;

use super::address::MacAddress;
use super::amsdu;
use super::frame_control::{FrameControl, FrameType, subtype};
use super::header::{Header, Sequence};
use super::llc::Ethernet;

/// Octets that encryption adds: 8 in front of the MSDU and a MIC of 8 behind it. 12.5.3.2.
pub const CCMP_OCTETS: usize = 8 + 8;

/// Extended IV in the key octet of a CCMP header. 12.5.3.2.
const EXTENDED_IV: u8 = 0x20;

/// Header of CCMP for the packet with this number. 12.5.3.2.
pub(super) const fn ccmp_header(number: u64) -> [u8; 8] {
    let [n0, n1, n2, n3, n4, n5, ..] = number.to_le_bytes();
    [n0, n1, 0, EXTENDED_IV, n2, n3, n4, n5]
}

/// Direction of an MSDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From a station to its access point.
    ToDs,
    /// From the access point to a station.
    FromDs,
}

/// An MSDU in a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<'a> {
    /// Direction of the MSDU.
    pub direction: Direction,
    /// Address of the access point.
    pub bssid: MacAddress,
    /// The MSDU as an Ethernet frame.
    pub ethernet: Ethernet<'a>,
    /// Sequence control.
    pub sequence: Sequence,
    /// Traffic identifier of QoS data, 0..=7; none of data without QoS.
    pub tid: Option<u8>,
    /// Set if it was sent before.
    pub retry: bool,
    /// Number of the encrypted packet, 48 bits; none on an open network. Nothing is encrypted here: the MSDU stays readable and
    /// the MIC is zero, but each octet has its place and its time on the air.
    pub ccmp: Option<u64>,
    /// Microseconds for which the channel is taken behind it.
    pub duration_us: u16,
}

/// A Null frame of a station: no data, and what becomes of its sender. 9.3.2.1, 11.2.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Null {
    /// Address of the access point.
    pub bssid: MacAddress,
    /// Address of the station.
    pub transmitter: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Set if the station dozes from the acknowledgement on; clear if it is awake.
    pub dozes: bool,
}

impl Null {
    /// Appends the frame without FCS to `out`.
    pub fn emit(&self, out: &mut Packet) {
        let power = if self.dozes { FrameControl::POWER_MANAGEMENT } else { 0 };
        let header = Header {
            control: FrameControl::new(FrameType::Data, subtype::NULL, FrameControl::TO_DS | power),
            duration_us: 0,
            receiver: self.bssid,
            transmitter: self.transmitter,
            third: self.bssid,
            sequence: self.sequence,
            fourth: None,
            qos: None,
            ht_control: None,
        };
        header.emit(out);
    }
}

impl Data<'_> {
    /// Appends the frame without FCS to `out`.
    pub fn emit(&self, out: &mut Packet) {
        let Ethernet { destination, source, .. } = self.ethernet;
        let third = match self.direction {
            Direction::ToDs => destination,
            Direction::FromDs => source,
        };
        self.emit_around(out, third, 0, |out| self.ethernet.emit_msdu(out));
    }

    /// Appends a frame with an A-MSDU to `out`: its own MSDU, and those of `more` behind it. Third address is that of the access point.
    /// Table 9-26.
    pub fn emit_amsdu<'b>(&self, out: &mut Packet, more: impl Iterator<Item = Ethernet<'b>>) {
        self.emit_around(out, self.bssid, amsdu::PRESENT, |out| {
            let start = out.len();
            amsdu::append(out, start, &self.ethernet);
            more.for_each(|ethernet| amsdu::append(out, start, &ethernet));
        });
    }

    /// Appends the frame with this third address, these bits of QoS Control, and what `body` appends.
    fn emit_around(&self, out: &mut Packet, third: MacAddress, bits: u16, body: impl FnOnce(&mut Packet)) {
        let Ethernet { destination, source, .. } = self.ethernet;
        let (direction, receiver, transmitter) = match self.direction {
            Direction::ToDs => (FrameControl::TO_DS, self.bssid, source),
            Direction::FromDs => (FrameControl::FROM_DS, destination, self.bssid),
        };
        let subtype = if self.tid.is_some() { subtype::QOS } else { subtype::DATA };
        let retry = if self.retry { FrameControl::RETRY } else { 0 };
        let protected = if self.ccmp.is_some() { FrameControl::PROTECTED } else { 0 };
        let header = Header {
            control: FrameControl::new(FrameType::Data, subtype, direction | retry | protected),
            duration_us: self.duration_us,
            receiver,
            transmitter,
            third,
            sequence: self.sequence,
            fourth: None,
            // Acknowledgement policy 0: an acknowledgement, or the block acknowledgement of its A-MPDU. 9.2.4.5.4.
            qos: self.tid.map(|tid| u16::from(tid & 15) | bits),
            ht_control: None,
        };
        header.emit(out);
        if let Some(number) = self.ccmp {
            out.put(&ccmp_header(number));
        }
        body(out);
        if self.ccmp.is_some() {
            out.put(&[0; 8]);
        }
    }
}
