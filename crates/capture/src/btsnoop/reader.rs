//! Reading btsnoop record by record, with a buffer that holds one.

use core::fmt;

use super::{DATA_LINK_H4, MAGIC, RECEIVED, UNIX_EPOCH_US, VERSION};

const HEADER_OCTETS: usize = 16;
const RECORD_OCTETS: usize = 24;
/// Longest packet that is read: what libpcap and Wireshark take.
const PACKET_MAX: u32 = 256 << 10;

/// Data links that are read, by their numbers in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataLink {
    /// 1001: HCI packets without indicator; the flags tell commands and events from data.
    Plain,
    /// 1002: packets begin with their H4 indicator.
    H4,
    /// 2001: Linux's monitor; the flags hold the adapter and the opcode of each record (BlueZ, `src/shared/btsnoop.h`).
    Monitor,
}

impl DataLink {
    const fn of(number: u32) -> Option<Self> {
        match number {
            1001 => Some(Self::Plain),
            DATA_LINK_H4 => Some(Self::H4),
            2001 => Some(Self::Monitor),
            _ => None,
        }
    }
}

/// One record of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub unix_us: i64,
    /// The flags, whose meaning is the data link's.
    pub flags: u32,
    /// Packets that the writer had lost so far.
    pub drops: u32,
    /// Octets the packet had before it was cut to [`packet`](Self::packet).
    pub original_octets: u32,
    /// The packet.
    pub packet: &'a [u8],
}

impl Record<'_> {
    /// Tells if the host sent it; of the data links 1001 and 1002.
    pub const fn from_host(&self) -> bool {
        self.flags & RECEIVED == 0
    }
}

/// Reason that bytes are no btsnoop file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The header is none, or of another version.
    Header,
    /// Packets are of another data link.
    DataLink(u32),
    /// The file ends in the middle of a record.
    Truncated {
        /// Octets in front of the record.
        at: u64,
        /// Octets it has at least.
        needs: usize,
        /// Octets that are left of the file.
        has: usize,
    },
    /// The record that begins at this octet is longer than the reader holds at once.
    TooLong(u64, u32),
    /// The stamp of the record that begins at this octet is beyond the years 1677 to 2262.
    Stamp(u64),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Header => f.write_str("at octet 0: this does not begin a btsnoop file of version 1"),
            Self::DataLink(other) => {
                write!(f, "at octet 12: data link {other}{} is not read; ", transport(other))?;
                f.write_str("1001 (HCI without indicators), 1002 (H4) and 2001 (Linux monitor) are")
            }
            Self::Truncated { at, needs, has } => write!(
                f,
                "at octet {at}: the capture ends in the middle of a record: {has} octets of at least {needs} are left"
            ),
            Self::TooLong(at, octets) => {
                write!(f, "at octet {at}: {octets} octets are more than the {PACKET_MAX} that are read")
            }
            Self::Stamp(at) => write!(f, "at octet {at}: the time stamp is beyond the years 1677 to 2262"),
        }
    }
}

impl core::error::Error for Error {}

/// Other data links by name (Wireshark, `wiretap/btsnoop.c`).
const fn transport(data_link: u32) -> &'static str {
    match data_link {
        1003 => " (BCSP)",
        1004 => " (H5)",
        2002 => " (Linux simulator)",
        _ => "",
    }
}

/// Step of the reader: the kind of the bytes at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A record; go on behind `used` octets.
    Record {
        /// The record.
        record: Record<'a>,
        /// Octets of it in the file.
        used: usize,
    },
    /// The header; go on behind `used` octets.
    Other {
        /// Octets of the header.
        used: usize,
    },
    /// Too little: call again with the same bytes and more behind them, this many at least.
    Needs(usize),
}

/// Reads a file from its beginning.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    data_link: Option<DataLink>,
    offset: u64,
}

impl Reader {
    /// A reader at the start of a file.
    pub const fn new() -> Self {
        Self { data_link: None, offset: 0 }
    }

    /// The data link, once the header is read.
    pub const fn data_link(&self) -> Option<DataLink> {
        self.data_link
    }

    /// Octets used so far.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the header or the record that `bytes` begin with.
    ///
    /// # Errors
    /// [`Error`] when it is none that can be read; the reader does not go past it.
    pub fn read<'a>(&mut self, bytes: &'a [u8]) -> Result<Step<'a>, Error> {
        let step = if self.data_link.is_none() { self.header(bytes)? } else { self.record(bytes)? };
        if let Step::Record { used, .. } | Step::Other { used } = step {
            self.offset += used as u64;
        }
        Ok(step)
    }

    /// Ends the file with `rest`, what no step has used.
    ///
    /// # Errors
    /// [`Error`] when the file ends in the middle of a record, or has no header.
    pub fn finish(&mut self, rest: &[u8]) -> Result<(), Error> {
        if rest.is_empty() && self.data_link.is_some() {
            return Ok(());
        }
        match self.clone().read(rest)? {
            Step::Needs(needs) => Err(Error::Truncated { at: self.offset, needs, has: rest.len() }),
            Step::Record { .. } | Step::Other { .. } => Ok(()),
        }
    }

    fn header<'a>(&mut self, bytes: &'a [u8]) -> Result<Step<'a>, Error> {
        let Some(header) = bytes.first_chunk::<HEADER_OCTETS>() else {
            let octets = bytes.len().min(MAGIC.len());
            return if bytes[..octets] == MAGIC[..octets] {
                Ok(Step::Needs(HEADER_OCTETS))
            } else {
                Err(Error::Header)
            };
        };
        if header[..8] != MAGIC || word(&header[8..]) != VERSION {
            return Err(Error::Header);
        }
        let number = word(&header[12..]);
        self.data_link = Some(DataLink::of(number).ok_or(Error::DataLink(number))?);
        Ok(Step::Other { used: HEADER_OCTETS })
    }

    fn record<'a>(&self, bytes: &'a [u8]) -> Result<Step<'a>, Error> {
        let Some((header, rest)) = bytes.split_first_chunk::<RECORD_OCTETS>() else {
            return Ok(Step::Needs(RECORD_OCTETS));
        };
        let octets = word(&header[4..]);
        if octets > PACKET_MAX {
            return Err(Error::TooLong(self.offset, octets));
        }
        let used = RECORD_OCTETS + octets as usize;
        let Some(packet) = rest.get(..octets as usize) else { return Ok(Step::Needs(used)) };
        let stamp = i64::from(word(&header[16..])) << 32 | i64::from(word(&header[20..]));
        let unix_us = stamp.checked_sub(UNIX_EPOCH_US as i64).filter(|us| us.checked_mul(1000).is_some());
        let record = Record {
            unix_us: unix_us.ok_or(Error::Stamp(self.offset))?,
            flags: word(&header[8..]),
            drops: word(&header[12..]),
            original_octets: word(header),
            packet,
        };
        Ok(Step::Record { record, used })
    }
}

/// The records of a file in memory; ends behind the first error.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    reader: Reader,
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`Error`] when `file` is no btsnoop file that is read.
    pub fn new(file: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new();
        match reader.read(file)? {
            Step::Other { used } => Ok(Self { reader, rest: &file[used..] }),
            Step::Record { .. } | Step::Needs(_) => Err(Error::Header),
        }
    }

    /// The data link of the file.
    pub const fn data_link(&self) -> Option<DataLink> {
        self.reader.data_link()
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let next = match self.reader.read(self.rest) {
            Ok(Step::Record { record, used }) => {
                self.rest = &self.rest[used..];
                return Some(Ok(record));
            }
            Ok(Step::Other { .. } | Step::Needs(_)) => self.reader.finish(self.rest).err(),
            Err(error) => Some(error),
        };
        self.rest = &[];
        next.map(Err)
    }
}

/// The first four octets as a number; callers have proved that they are there.
fn word(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes[..4].try_into().expect("four octets"))
}
