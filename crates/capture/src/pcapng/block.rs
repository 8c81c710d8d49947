//! Fields and options in the byte order of their section.

use airtime_core::bytes::Reader;

use super::error::Fault;

/// Byte order of a section or of a classic capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    pub(super) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    pub(super) fn i64(self, bytes: [u8; 8]) -> i64 {
        match self {
            Self::Little => i64::from_le_bytes(bytes),
            Self::Big => i64::from_be_bytes(bytes),
        }
    }
}

/// A cursor over the body of a block, or over a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    pub(super) order: Order,
    reader: Reader<'a>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(order: Order, bytes: &'a [u8]) -> Self {
        Self { order, reader: Reader::new(bytes) }
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.reader.array().map(|bytes| self.order.u16(bytes))
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.reader.array().map(|bytes| self.order.u32(bytes))
    }

    pub(super) fn take(&mut self, octets: usize) -> Option<&'a [u8]> {
        self.reader.take(octets)
    }

    /// The next option (3.5); none behind the last one.
    pub(super) fn option(&mut self) -> Result<Option<(u16, &'a [u8])>, Fault> {
        if self.reader.is_empty() {
            return Ok(None);
        }
        let code = self.u16().ok_or(Fault::Option(0))?;
        let octets = usize::from(self.u16().ok_or(Fault::Option(code))?);
        if code == super::OPT_END {
            return Ok(None);
        }
        let value = self.take(octets).ok_or(Fault::Option(code))?;
        self.take(octets.next_multiple_of(4) - octets).ok_or(Fault::Option(code))?;
        Ok(Some((code, value)))
    }
}
