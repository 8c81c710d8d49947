//! Classic pcap: one header, one interface, then records (draft-ietf-opsawg-pcap, 4 and 5).

use super::block::{Fields, Order};
use super::error::Fault;
use super::interface::Interface;
use super::magic::Magic;
use super::reader::{Packet, Step};
use super::time::Resolution;

/// Stamps in seconds and microseconds.
const MICROSECONDS: u32 = 0xa1b2_c3d4;
/// Stamps in seconds and nanoseconds.
const NANOSECONDS: u32 = 0xa1b2_3c4d;
/// Longest packet that is read: what libpcap and Wireshark take.
const PACKET_MAX: u32 = 256 << 10;

/// Header of a classic capture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classic {
    order: Order,
    link_type: u16,
    /// Nanoseconds in a unit of the second word of a stamp.
    unit: i64,
}

impl Classic {
    /// Octets of the header.
    pub(super) const HEADER_OCTETS: usize = 24;
    /// Octets in front of each packet.
    const RECORD_OCTETS: usize = 16;

    /// Reads the header; none when it is not all there.
    pub(super) fn parse(magic: [u8; 4], bytes: &[u8]) -> Result<Option<(Self, Interface)>, Fault> {
        let known = [Order::Little, Order::Big].into_iter().find_map(|order| match order.u32(magic) {
            MICROSECONDS => Some((order, Resolution::MICROSECONDS, 1000)),
            NANOSECONDS => Some((order, Resolution::NANOSECONDS, 1)),
            _ => None,
        });
        let Some((order, resolution, unit)) = known else { return Err(Fault::Magic(Magic::of(bytes))) };
        let Some(header) = bytes.get(4..Self::HEADER_OCTETS) else { return Ok(None) };
        let mut fields = Fields::new(order, header);
        let (major, minor) = (fields.u16().unwrap_or(0), fields.u16().unwrap_or(0));
        if (major, minor) != (2, 4) {
            return Err(Fault::Version(major, minor));
        }
        // Two words that writers leave zero and readers ignore, and the snap length.
        let _ = fields.take(12);
        // The upper half holds the length of a frame check sequence.
        let link_type = fields.u32().unwrap_or(0) as u16;
        Ok(Some((Self { order, link_type, unit }, Interface::classic(link_type, resolution))))
    }

    /// Reads the record that `bytes` begin with.
    pub(super) fn record<'a>(&self, bytes: &'a [u8]) -> Result<Step<'a>, Fault> {
        let Some(header) = bytes.get(..Self::RECORD_OCTETS) else { return Ok(Step::Needs(Self::RECORD_OCTETS)) };
        let mut fields = Fields::new(self.order, header);
        let mut field = || fields.u32().unwrap_or(0);
        let (seconds, fraction, captured, original_octets) = (field(), field(), field(), field());
        if captured > PACKET_MAX {
            return Err(Fault::TooLong { octets: captured, limit: PACKET_MAX });
        }
        let used = Self::RECORD_OCTETS + captured as usize;
        let Some(data) = bytes.get(Self::RECORD_OCTETS..used) else { return Ok(Step::Needs(used)) };
        let unix_ns = i64::from(seconds) * 1_000_000_000 + i64::from(fraction) * self.unit;
        let packet = Packet { section: 0, interface: 0, link_type: self.link_type, unix_ns, original_octets, data };
        Ok(Step::Packet { packet, used })
    }
}
