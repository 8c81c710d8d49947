//! Writing pcapng: little endian, nanoseconds.

use alloc::vec::Vec;

use super::{
    BYTE_ORDER_MAGIC, ENHANCED_PACKET, IF_DESCRIPTION, IF_NAME, IF_TSRESOL, INTERFACE_DESCRIPTION, OPT_END,
    SECTION_HEADER, SHB_USERAPPL,
};
use crate::sink::Sink;

/// Stamps are in units of 10⁻⁹ s (4.2, `if_tsresol`).
const NANOSECONDS: u8 = 9;

/// Writes one section of pcapng.
#[derive(Debug)]
pub struct Writer<S> {
    sink: S,
    /// The block being made; kept, so that no packet allocates once it has grown.
    block: Vec<u8>,
    interfaces: u32,
}

impl<S: Sink> Writer<S> {
    /// Begins a section written by the program `application`.
    pub fn new(sink: S, application: &str) -> Self {
        let mut writer = Self { sink, block: Vec::with_capacity(512), interfaces: 0 };
        writer.begin(SECTION_HEADER);
        writer.u32(BYTE_ORDER_MAGIC);
        writer.u16(1);
        writer.u16(0);
        // A section of unknown length (4.1): packets follow as they happen.
        writer.block.extend_from_slice(&u64::MAX.to_le_bytes());
        writer.option(SHB_USERAPPL, application.as_bytes());
        writer.option(OPT_END, &[]);
        writer.end();
        writer.sink.put_head(&writer.block);
        writer
    }

    /// Describes an interface of link type `link_type` and returns its number. Packets are not cut.
    ///
    /// # Panics
    /// When `name` or `description` is longer than 65535 octets.
    pub fn interface(&mut self, link_type: u16, name: &str, description: &str) -> u32 {
        self.begin(INTERFACE_DESCRIPTION);
        self.u16(link_type);
        self.u16(0);
        self.u32(0);
        self.option(IF_NAME, name.as_bytes());
        self.option(IF_DESCRIPTION, description.as_bytes());
        self.option(IF_TSRESOL, &[NANOSECONDS]);
        self.option(OPT_END, &[]);
        self.end();
        self.sink.put_head(&self.block);
        self.interfaces += 1;
        self.interfaces - 1
    }

    /// Writes a packet that `interface` saw `unix_ns` nanoseconds after 1970; `emit` appends its octets.
    ///
    /// # Panics
    /// When the interface has not been described, and when `emit` takes octets away.
    pub fn packet(&mut self, interface: u32, unix_ns: u64, emit: impl FnOnce(&mut Vec<u8>)) {
        assert!(interface < self.interfaces, "an interface is described before its packets");
        self.begin(ENHANCED_PACKET);
        self.u32(interface);
        self.u32((unix_ns >> 32) as u32);
        self.u32(unix_ns as u32);
        let lengths = self.block.len();
        self.block.extend_from_slice(&[0; 8]);
        let start = self.block.len();
        emit(&mut self.block);
        let octets = self.block.len().checked_sub(start).expect("octets are appended and none taken away");
        let octets = u32::try_from(octets).expect("a packet has less than 4 GiB").to_le_bytes();
        self.block[lengths..lengths + 4].copy_from_slice(&octets);
        self.block[lengths + 4..start].copy_from_slice(&octets);
        self.pad();
        self.end();
        self.sink.put(&self.block);
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ends the section.
    pub fn into_sink(self) -> S {
        self.sink
    }

    fn begin(&mut self, kind: u32) {
        self.block.clear();
        self.u32(kind);
        self.u32(0);
    }

    fn end(&mut self) {
        let octets = u32::try_from(self.block.len() + 4).expect("a block has less than 4 GiB");
        self.block[4..8].copy_from_slice(&octets.to_le_bytes());
        self.u32(octets);
    }

    fn option(&mut self, code: u16, value: &[u8]) {
        self.u16(code);
        self.u16(u16::try_from(value.len()).expect("an option fits its length field"));
        self.block.extend_from_slice(value);
        self.pad();
    }

    /// Fields and options end on a multiple of four octets (3.1, 3.5).
    fn pad(&mut self) {
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn u16(&mut self, value: u16) {
        self.block.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.block.extend_from_slice(&value.to_le_bytes());
    }
}
