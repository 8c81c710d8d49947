//! A-MSDUs: several MSDUs for one receiver in one data frame. 9.3.2.2.

use airtime_core::Packet;

use super::address::MacAddress;
use super::llc::Ethernet;

/// The bit of QoS Control that says that the frame carries an A-MSDU. 9.2.4.5.9.
pub const PRESENT: u16 = 1 << 7;

/// Octets of a subframe's header: destination, source, length. 9.3.2.2.2.
pub const HEADER_OCTETS: usize = 6 + 6 + 2;

/// Appends `ethernet` as a subframe of the A-MSDU that begins at octet `start` of `out`. What is in front of it is padded to four octets; the
/// last subframe is not.
pub fn append(out: &mut Packet, start: usize, ethernet: &Ethernet<'_>) {
    let filled = (out.len() - start).next_multiple_of(4);
    out.resize(start + filled);
    out.put(&ethernet.destination.0);
    out.put(&ethernet.source.0);
    let length = out.len();
    out.put(&[0; 2]);
    ethernet.emit_msdu(out);
    let octets = (out.len() - length - 2) as u16;
    // Unlike nearly all of 802.11 the length has its high octet in front.
    out[length..length + 2].copy_from_slice(&octets.to_be_bytes());
}

/// A subframe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subframe<'a> {
    /// Destination of the MSDU.
    pub destination: MacAddress,
    /// Source of the MSDU.
    pub source: MacAddress,
    /// The MSDU, with LLC and SNAP in front.
    pub msdu: &'a [u8],
}

/// Subframes of an A-MSDU; they end where one does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subframes<'a> {
    rest: &'a [u8],
}

impl<'a> Subframes<'a> {
    /// Subframes in the body of a frame.
    pub const fn new(body: &'a [u8]) -> Self {
        Self { rest: body }
    }
}

impl<'a> Iterator for Subframes<'a> {
    type Item = Subframe<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (header, rest) = self.rest.split_first_chunk::<HEADER_OCTETS>()?;
        let [d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, high, low] = *header;
        let octets = usize::from(u16::from_be_bytes([high, low]));
        let (msdu, _) = rest.split_at_checked(octets)?;
        let padded = (HEADER_OCTETS + octets).next_multiple_of(4) - HEADER_OCTETS;
        self.rest = rest.get(padded..).unwrap_or_default();
        let destination = MacAddress([d0, d1, d2, d3, d4, d5]);
        Some(Subframe { destination, source: MacAddress([s0, s1, s2, s3, s4, s5]), msdu })
    }
}
