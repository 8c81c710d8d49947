//! A capture of any format that is read: pcapng, classic pcap, btsnoop.

use core::fmt;

use crate::{btsnoop, pcapng};

/// A packet of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Of pcapng or pcap.
    Captured(pcapng::Packet<'a>),
    /// Of btsnoop.
    Snooped(btsnoop::DataLink, btsnoop::Record<'a>),
}

/// Step of the reader: the kind of the bytes at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A packet; go on behind `used` octets.
    Packet {
        /// The packet.
        packet: Packet<'a>,
        /// Octets of its block or record.
        used: usize,
    },
    /// Something else; go on behind `used` octets.
    Other {
        /// Octets of it.
        used: usize,
    },
    /// Too little: call again with the same bytes and more behind them, this many at least.
    Needs(usize),
}

/// A fault of a capture, in the words of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Of pcapng or pcap, or of what is no capture at all.
    Captured(pcapng::Error),
    /// Of btsnoop.
    Snooped(btsnoop::Error),
}

impl Error {
    /// Tells if the capture ends in the middle of a block or record, and is sound up to there.
    pub const fn is_cut(&self) -> bool {
        matches!(
            self,
            Self::Captured(pcapng::Error { fault: pcapng::Fault::Truncated { .. }, .. })
                | Self::Snooped(btsnoop::Error::Truncated { .. })
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Captured(error) => error.fmt(f),
            Self::Snooped(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

#[derive(Clone, Debug)]
enum Format {
    Captured(pcapng::Reader),
    Snooped(btsnoop::Reader),
}

/// Reads a capture of any of the formats; the first octets say which.
#[derive(Clone, Debug)]
pub struct Reader {
    format: Format,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader at the start of a capture.
    pub const fn new() -> Self {
        Self { format: Format::Captured(pcapng::Reader::new()) }
    }

    /// Link types of the interfaces that the capture has described so far; none in btsnoop.
    pub fn link_types(&self) -> impl Iterator<Item = u16> {
        let interfaces = match &self.format {
            Format::Captured(reader) => reader.interfaces(),
            Format::Snooped(_) => &[],
        };
        interfaces.iter().map(|interface| interface.link_type)
    }

    /// The data link of a btsnoop file, once its header is read.
    pub fn data_link(&self) -> Option<btsnoop::DataLink> {
        match &self.format {
            Format::Captured(_) => None,
            Format::Snooped(reader) => reader.data_link(),
        }
    }

    /// Octets used so far.
    pub fn offset(&self) -> u64 {
        match &self.format {
            Format::Captured(reader) => reader.offset(),
            Format::Snooped(reader) => reader.offset(),
        }
    }

    /// Reads the block or record that `bytes` begin with.
    ///
    /// # Errors
    /// [`Error`] when it is none that can be read; the reader does not go past it.
    pub fn read<'a>(&mut self, bytes: &'a [u8]) -> Result<Step<'a>, Error> {
        if self.offset() == 0 && bytes.starts_with(&btsnoop::MAGIC[..4]) {
            self.format = Format::Snooped(btsnoop::Reader::new());
        }
        match &mut self.format {
            Format::Captured(reader) => Ok(match reader.read(bytes).map_err(Error::Captured)? {
                pcapng::Step::Packet { packet, used } => Step::Packet { packet: Packet::Captured(packet), used },
                pcapng::Step::Other { used } => Step::Other { used },
                pcapng::Step::Needs(octets) => Step::Needs(octets),
            }),
            Format::Snooped(reader) => Ok(match reader.read(bytes).map_err(Error::Snooped)? {
                btsnoop::Step::Record { record, used } => {
                    let data_link = reader.data_link().expect("a record follows the header");
                    Step::Packet { packet: Packet::Snooped(data_link, record), used }
                }
                btsnoop::Step::Other { used } => Step::Other { used },
                btsnoop::Step::Needs(octets) => Step::Needs(octets),
            }),
        }
    }

    /// Ends the capture with `rest`, what no step has used.
    ///
    /// # Errors
    /// [`Error`] when the capture ends in the middle of a block or record, or has no header.
    pub fn finish(&mut self, rest: &[u8]) -> Result<(), Error> {
        match &mut self.format {
            Format::Captured(reader) => reader.finish(rest).map_err(Error::Captured),
            Format::Snooped(reader) => reader.finish(rest).map_err(Error::Snooped),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_first_octets_say_the_format() {
        let snooped = btsnoop::Writer::new(Vec::new()).into_sink();
        let mut reader = Reader::new();
        assert_eq!(reader.read(&snooped[..3]), Ok(Step::Needs(4)));
        assert_eq!(reader.read(&snooped), Ok(Step::Other { used: 16 }));
        assert_eq!((reader.data_link(), reader.link_types().count()), (Some(btsnoop::DataLink::H4), 0));
        let captured = pcapng::Writer::new(Vec::new(), "test").into_sink();
        let mut reader = Reader::new();
        assert_eq!(reader.read(&captured), Ok(Step::Other { used: captured.len() }));
        assert_eq!(reader.data_link(), None);
    }

    #[test]
    fn what_is_neither_is_named() {
        for (bytes, said) in [
            (
                &b"\x1f\x8b\x08\0\0\0"[..],
                "at octet 0: this begins a gzip file, no capture; unpack it and read what is inside",
            ),
            (
                b"PK\x03\x04\x14\0",
                "at octet 0: this begins a ZIP archive, no capture; unpack it (in an Android bug report the log is FS/data/misc/bluetooth/logs/btsnoop_hci.log)",
            ),
            (
                b"[run]\nduration",
                "at octet 0: this begins text (\"[run]\"), no capture; pcapng, pcap and btsnoop are read",
            ),
            (
                b"\x00\x01\x02\x03\x04",
                "at octet 0: this begins no capture that is known (octets 00 01 02 03); pcapng, pcap and btsnoop are read",
            ),
        ] {
            assert_eq!(Reader::new().finish(bytes).unwrap_err().to_string(), said);
        }
        let version = Reader::new().read(b"btsnoop\0\0\0\0\x02\0\0\x03\xea").unwrap_err();
        assert_eq!(version.to_string(), "at octet 0: this does not begin a btsnoop file of version 1");
    }
}
