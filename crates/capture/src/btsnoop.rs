//! btsnoop: the H4 packets of one host, as BlueZ and Android write them.
//!
//! The format is RFC 1761 with a magic, data links and stamps of its own; what is not in the RFC is as in BlueZ
//! (`src/shared/btsnoop.c`) and Wireshark (`wiretap/btsnoop.c`), which agree. All fields are big endian.

use alloc::vec::Vec;
use core::fmt;

use crate::sink::Sink;

/// Begins every file.
pub const MAGIC: [u8; 8] = *b"btsnoop\0";
/// Version of the format.
pub const VERSION: u32 = 1;
/// Packets begin with their H4 indicator.
pub const DATA_LINK_H4: u32 = 1002;

/// H4 indicators of what is neither data. Core 6.0, Vol 4, Part A, 2.
const COMMAND: u8 = 0x01;
const EVENT: u8 = 0x04;

/// Flag: from the controller to the host.
const RECEIVED: u32 = 1;
/// Flag: a command or event, no data.
const COMMAND_OR_EVENT: u32 = 2;

/// Microseconds from the year 0, as the format reckons it, to 1970. The constant is the one of BlueZ and Wireshark;
/// it is 719,540 days, twelve more than the Gregorian calendar has.
const UNIX_EPOCH_US: u64 = 0x00dc_ddb3_0f2f_8000;

const HEADER_OCTETS: usize = 16;
const RECORD_OCTETS: usize = 24;

/// Writes one file.
#[derive(Debug)]
pub struct Writer<S> {
    sink: S,
    record: Vec<u8>,
}

impl<S: Sink> Writer<S> {
    /// Begins a file of H4 packets.
    pub fn new(mut sink: S) -> Self {
        let mut record = Vec::with_capacity(RECORD_OCTETS + 288);
        record.extend_from_slice(&MAGIC);
        record.extend_from_slice(&VERSION.to_be_bytes());
        record.extend_from_slice(&DATA_LINK_H4.to_be_bytes());
        sink.put(&record);
        Self { sink, record }
    }

    /// Writes the H4 packet that crossed `unix_ns` nanoseconds after 1970; microseconds of that are kept.
    ///
    /// # Panics
    /// On a packet of 4 GiB or more.
    pub fn packet(&mut self, unix_ns: u64, from_host: bool, packet: &[u8]) {
        let octets = u32::try_from(packet.len()).expect("an H4 packet is short");
        let direction = if from_host { 0 } else { RECEIVED };
        let class = if matches!(packet.first(), Some(&(COMMAND | EVENT))) { COMMAND_OR_EVENT } else { 0 };
        self.record.clear();
        // Original length, included length, flags, drops.
        for field in [octets, octets, direction | class, 0] {
            self.record.extend_from_slice(&field.to_be_bytes());
        }
        self.record.extend_from_slice(&(UNIX_EPOCH_US + unix_ns / 1000).to_be_bytes());
        self.record.extend_from_slice(packet);
        self.sink.put(&self.record);
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ends the file.
    pub fn into_sink(self) -> S {
        self.sink
    }
}

/// One record of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub unix_us: i64,
    /// Set if the host sent it.
    pub from_host: bool,
    /// The H4 packet.
    pub packet: &'a [u8],
}

/// Reason that bytes are no btsnoop file of H4 packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The header is none, or of another version.
    Header,
    /// Packets are of another data link.
    DataLink(u32),
    /// The file ends in the record that begins at this octet.
    Truncated(usize),
    /// The stamp of the record that begins at this octet is beyond the range of 64 bits.
    Stamp(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("this does not begin a btsnoop file of version 1"),
            Self::DataLink(other) => write!(f, "data link {other} is not read; expected 1002 (H4)"),
            Self::Truncated(at) => write!(f, "at octet {at}: the file ends in the middle of a record"),
            Self::Stamp(at) => write!(f, "at octet {at}: the time stamp is out of range"),
        }
    }
}

impl core::error::Error for Error {}

/// The records of a file in memory.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Records<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`Error`] when `file` is no btsnoop file of H4 packets.
    pub fn new(file: &'a [u8]) -> Result<Self, Error> {
        let (header, rest) = file.split_first_chunk::<HEADER_OCTETS>().ok_or(Error::Header)?;
        if header[..8] != MAGIC || word(&header[8..]) != VERSION {
            return Err(Error::Header);
        }
        match word(&header[12..]) {
            DATA_LINK_H4 => Ok(Self { rest, at: HEADER_OCTETS }),
            other => Err(Error::DataLink(other)),
        }
    }

    fn record(&mut self) -> Result<Record<'a>, Error> {
        let truncated = Error::Truncated(self.at);
        let (header, rest) = self.rest.split_first_chunk::<RECORD_OCTETS>().ok_or(truncated)?;
        let (packet, rest) = rest.split_at_checked(word(&header[4..]) as usize).ok_or(truncated)?;
        let stamp = i64::from(word(&header[16..])) << 32 | i64::from(word(&header[20..]));
        let unix_us = stamp.checked_sub(UNIX_EPOCH_US as i64).ok_or(Error::Stamp(self.at))?;
        self.at += RECORD_OCTETS + packet.len();
        self.rest = rest;
        Ok(Record { unix_us, from_host: word(&header[8..]) & RECEIVED == 0, packet })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let record = self.record();
        if record.is_err() {
            self.rest = &[];
        }
        Some(record)
    }
}

/// The first four octets as a number; callers have proved that they are there.
fn word(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes[..4].try_into().expect("four octets"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    /// A Reset one second after 1970, as `btmon -w` frames it, and its Command Complete 1500 µs later.
    const GOLDEN: &[u8] = b"btsnoop\0\x00\x00\x00\x01\x00\x00\x03\xea\
        \x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00\x00\x00\xdc\xdd\xb3\x0f\x3e\xc2\x40\
        \x01\x03\x0c\x00\
        \x00\x00\x00\x07\x00\x00\x00\x07\x00\x00\x00\x03\x00\x00\x00\x00\x00\xdc\xdd\xb3\x0f\x3e\xc8\x1c\
        \x04\x0e\x04\x01\x03\x0c\x00";

    #[test]
    fn golden_bytes() {
        let (reset, complete) = ([1, 3, 0x0c, 0], [4, 0x0e, 4, 1, 3, 0x0c, 0]);
        let mut writer = Writer::new(Vec::new());
        writer.packet(1_000_000_000, true, &reset);
        writer.packet(1_001_500_999, false, &complete);
        assert_eq!(writer.into_sink(), GOLDEN);
        let records: Vec<_> = Records::new(GOLDEN).unwrap().collect();
        assert_eq!(
            records,
            [
                Ok(Record { unix_us: 1_000_000, from_host: true, packet: &reset }),
                Ok(Record { unix_us: 1_001_500, from_host: false, packet: &complete }),
            ]
        );
    }

    #[test]
    fn data_has_no_command_flag() {
        let mut writer = Writer::new(Vec::new());
        writer.packet(0, false, &[2, 0, 0x20, 0, 0]);
        assert_eq!(writer.sink()[HEADER_OCTETS + 8..HEADER_OCTETS + 12], [0, 0, 0, 1]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(Records::new(b"btsnoop").err(), Some(Error::Header));
        let mut uart = GOLDEN.to_vec();
        uart[15] = 0xe9;
        assert_eq!(Records::new(&uart).err(), Some(Error::DataLink(1001)));
        for cut in HEADER_OCTETS + 1..HEADER_OCTETS + 28 {
            let records: Vec<_> = Records::new(&GOLDEN[..cut]).unwrap().collect();
            assert_eq!(records, vec![Err(Error::Truncated(HEADER_OCTETS))]);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let file = [&GOLDEN[..HEADER_OCTETS], &bytes].concat();
            for record in Records::new(&file).unwrap().flatten() {
                prop_assert!(record.packet.len() <= bytes.len());
            }
        }
    }
}
