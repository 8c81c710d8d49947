//! Headers of the adaptation, octet by octet: fragments (RFC 4944, 5.3), compressed IPv6 and UDP (RFC 6282).

use core::fmt;

use airtime_core::bytes::Reader;

/// Dispatch of a first fragment, and of every other one; three bits of the size are behind it. RFC 4944, 5.3.
const FIRST: u8 = 0b1100_0000;
const NEXT: u8 = 0b1110_0000;
const SIZE_MAX: u16 = 0x07FF;

/// First octet of compressed IPv6 with everything elided that can be: class and flow, next header, a hop limit of 64. RFC 6282, 3.1.1.
pub(super) const IPHC: u8 = 0b0111_1110;

/// UDP with both ports and the checksum. RFC 6282, 4.3.3.
pub(super) const UDP: u8 = 0b1111_0000;

/// Reason why octets are no frame of the adaptation that is spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderError {
    /// Fewer octets than the headers take.
    Short,
    /// A dispatch that is not spoken here.
    Dispatch,
    /// A next header other than compressed UDP.
    NextHeader,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "the frame ends before its headers do",
            Self::Dispatch => "the dispatch is neither a fragment nor compressed IPv6",
            Self::NextHeader => "the next header is no compressed UDP",
        })
    }
}

impl core::error::Error for HeaderError {}

/// Header of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Octets of the whole datagram, uncompressed: 0..=2047.
    pub size: u16,
    /// Number that the fragments of a datagram share.
    pub tag: u16,
    /// Offset in it, in units of eight octets; 0 is the first fragment.
    pub offset: u8,
}

impl Fragment {
    /// Writes the header in front of `out`; its length.
    pub(super) fn put(self, out: &mut [u8]) -> usize {
        let dispatch = if self.offset == 0 { FIRST } else { NEXT };
        let size = u16::from(dispatch) << 8 | (self.size & SIZE_MAX);
        out[..2].copy_from_slice(&size.to_be_bytes());
        out[2..4].copy_from_slice(&self.tag.to_be_bytes());
        if self.offset == 0 {
            return 4;
        }
        out[4] = self.offset;
        5
    }

    /// The header that `octets` begin with, if they are a fragment, and what follows it.
    ///
    /// # Errors
    /// When they end before the header does.
    pub fn parse(octets: &[u8]) -> Result<(Option<Self>, &[u8]), HeaderError> {
        let dispatch = octets.first().ok_or(HeaderError::Short)? & 0b1111_1000;
        if dispatch != FIRST && dispatch != NEXT {
            return Ok((None, octets));
        }
        let length = if dispatch == FIRST { 4 } else { 5 };
        let (header, rest) = octets.split_at_checked(length).ok_or(HeaderError::Short)?;
        let size = u16::from_be_bytes([header[0], header[1]]) & SIZE_MAX;
        let tag = u16::from_be_bytes([header[2], header[3]]);
        Ok((Some(Self { size, tag, offset: header.get(4).copied().unwrap_or(0) }), rest))
    }
}

/// Octets that the compressed headers of IPv6 and UDP take at the beginning of `octets`.
///
/// # Errors
/// When they are cut short, or are not compressed IPv6 with compressed UDP in it.
pub fn compressed_octets(octets: &[u8]) -> Result<usize, HeaderError> {
    let mut reader = Reader::new(octets);
    let (first, second) = (take(&mut reader)?, take(&mut reader)?);
    if first >> 5 != 0b011 {
        return Err(HeaderError::Dispatch);
    }
    if first & 0b100 == 0 {
        return Err(HeaderError::NextHeader);
    }
    // Context identifiers, traffic class and flow label, hop limit, source, destination. RFC 6282, 3.1.1.
    let context = usize::from(second >> 7);
    let traffic = [4, 3, 1, 0][usize::from(first >> 3 & 0b11)];
    let hop_limit = usize::from(first & 0b11 == 0);
    let source = match (second >> 4 & 0b11, second & 0b0100_0000 != 0) {
        // The unspecified address, where a context would be.
        (0, true) => 0,
        (mode, _) => address(mode),
    };
    let destination = match (second & 0b11, second & 0b1000 != 0) {
        (mode, false) => address(mode),
        (mode, true) => [16, 6, 4, 1][usize::from(mode)],
    };
    reader.take(context + traffic + hop_limit + source + destination).ok_or(HeaderError::Short)?;
    let udp = take(&mut reader)?;
    if udp >> 3 != 0b11110 {
        return Err(HeaderError::NextHeader);
    }
    let ports = [4, 3, 3, 1][usize::from(udp & 0b11)];
    let checksum = if udp & 0b100 == 0 { 2 } else { 0 };
    reader.take(ports + checksum).ok_or(HeaderError::Short)?;
    Ok(octets.len() - reader.rest().len())
}

/// Octets of an address that is no multicast, by its two bits. RFC 6282, 3.1.1.
const fn address(mode: u8) -> usize {
    [16, 8, 2, 0][(mode & 0b11) as usize]
}

fn take(reader: &mut Reader<'_>) -> Result<u8, HeaderError> {
    reader.u8().ok_or(HeaderError::Short)
}
