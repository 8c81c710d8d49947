//! btsnoop: the HCI packets of one host, as BlueZ and Android write them.
//!
//! Written with data link 1002, H4; read with that of Linux's monitor (`btmon -w`) and without indicators besides.
//!
//! The format is RFC 1761 with a magic, data links and stamps of its own; what is not in the RFC is as in BlueZ
//! (`src/shared/btsnoop.c`) and Wireshark (`wiretap/btsnoop.c`), which agree. All fields are big endian.

mod reader;

use alloc::vec::Vec;

use crate::sink::Sink;

pub use reader::{DataLink, Error, Reader, Record, Records, Step};

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
        sink.put_head(&record);
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

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_OCTETS: usize = 16;

    use alloc::string::ToString;
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
                Ok(Record { unix_us: 1_000_000, flags: 2, drops: 0, original_octets: 4, packet: &reset }),
                Ok(Record { unix_us: 1_001_500, flags: 3, drops: 0, original_octets: 7, packet: &complete }),
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
        let mut bcsp = GOLDEN.to_vec();
        bcsp[15] = 0xeb;
        assert_eq!(Records::new(&bcsp).err(), Some(Error::DataLink(1003)));
        let said = Error::DataLink(1003).to_string();
        assert_eq!(
            said,
            "at octet 12: data link 1003 (BCSP) is not read; 1001 (HCI without indicators), 1002 (H4) and 2001 (Linux monitor) are"
        );
        for cut in HEADER_OCTETS + 1..HEADER_OCTETS + 28 {
            let records: Vec<_> = Records::new(&GOLDEN[..cut]).unwrap().collect();
            assert_eq!(
                records,
                vec![Err(Error::Truncated {
                    at: HEADER_OCTETS as u64,
                    needs: if cut < HEADER_OCTETS + RECORD_OCTETS { 24 } else { 28 },
                    has: cut - HEADER_OCTETS
                })]
            );
        }
    }

    /// The first records of `btmon -w` on an adapter: New Index, a Reset, its Command Complete. The flags hold adapter and opcode.
    const MONITOR: &[u8] = b"btsnoop\0\x00\x00\x00\x01\x00\x00\x07\xd1\
        \x00\x00\x00\x10\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\xdc\xdd\xb3\x0f\x3e\xc2\x40\
        \x00\x03\x01\x02\x03\x04\x05\x06hci0\0\0\0\0\
        \x00\x00\x00\x03\x00\x00\x00\x03\x00\x01\x00\x02\x00\x00\x00\x05\x00\xdc\xdd\xb3\x0f\x3e\xc2\x40\
        \x03\x0c\x00";

    #[test]
    fn the_monitor_says_adapter_and_opcode_in_the_flags() {
        let mut reader = Reader::new();
        assert_eq!(reader.read(&MONITOR[..8]), Ok(Step::Needs(16)));
        assert_eq!(reader.read(MONITOR), Ok(Step::Other { used: 16 }));
        assert_eq!(reader.data_link(), Some(DataLink::Monitor));
        let records: Vec<_> = Records::new(MONITOR).unwrap().map(Result::unwrap).collect();
        assert_eq!((records[0].flags, records[0].packet.len()), (0, 16));
        assert_eq!((records[1].flags, records[1].packet, records[1].drops), (1 << 16 | 2, &[3, 0x0c, 0][..], 5));
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
