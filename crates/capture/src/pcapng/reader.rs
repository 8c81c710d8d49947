//! Reading captures block by block.
//!
//! The reader is given the bytes that are there and says what it made of their beginning, so a capture of any length is
//! read with a buffer that holds one block.

use alloc::vec::Vec;

use super::block::{Fields, Order};
use super::classic::Classic;
use super::error::{Error, Fault};
use super::interface::Interface;
use super::magic::Magic;
use super::{
    BLOCK_FRAMING, BYTE_ORDER_MAGIC, ENHANCED_PACKET, INTERFACE_DESCRIPTION, OBSOLETE_PACKET, SECTION_HEADER,
    SIMPLE_PACKET,
};

/// Longest block that is read: what Wireshark takes.
const BLOCK_MAX: u32 = 16 << 20;
/// Most interfaces of one section.
const INTERFACES_MAX: usize = 1024;
/// Octets of a section header without options: framing, magic, version, length.
const SECTION_HEADER_MIN: usize = BLOCK_FRAMING + 16;

/// A packet of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Number of its section, from 0.
    pub section: u32,
    /// Number of its interface in the section, from 0.
    pub interface: u32,
    /// Link type of the interface.
    pub link_type: u16,
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    pub unix_ns: i64,
    /// Octets the packet had before it was cut to [`data`](Self::data).
    pub original_octets: u32,
    /// Octets of the packet.
    pub data: &'a [u8],
}

/// Step of the reader: the kind of the bytes at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A packet; go on behind `used` octets.
    Packet {
        /// The packet.
        packet: Packet<'a>,
        /// Octets of its block.
        used: usize,
    },
    /// Something else; go on behind `used` octets.
    Other {
        /// Octets of the block.
        used: usize,
    },
    /// Too little: call again with the same bytes and more behind them, this many at least.
    Needs(usize),
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Unknown,
    Blocks(Order),
    Classic(Classic),
}

/// Reads pcapng and classic pcap.
#[derive(Clone, Debug)]
pub struct Reader {
    format: Format,
    offset: u64,
    section: u32,
    interfaces: Vec<Interface>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader at the start of a capture.
    pub const fn new() -> Self {
        Self { format: Format::Unknown, offset: 0, section: 0, interfaces: Vec::new() }
    }

    /// The interfaces of the running section described so far.
    pub fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }

    /// Octets used so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the block or record that `bytes` begin with.
    ///
    /// # Errors
    /// [`Error`] when it is none that can be read; the reader does not go past it.
    pub fn read<'a>(&mut self, bytes: &'a [u8]) -> Result<Step<'a>, Error> {
        let step = match self.format {
            Format::Unknown => self.begin(bytes),
            Format::Blocks(order) => self.block(order, bytes),
            Format::Classic(classic) => classic.record(bytes),
        };
        let step = step.map_err(|fault| self.error(fault))?;
        if let Step::Packet { used, .. } | Step::Other { used } = step {
            self.offset += used as u64;
        }
        Ok(step)
    }

    /// Ends the capture with `rest`, what no step has used.
    ///
    /// # Errors
    /// [`Error`] when the capture ends in the middle of a block or record, or has no header.
    pub fn finish(&mut self, rest: &[u8]) -> Result<(), Error> {
        if rest.is_empty() && !matches!(self.format, Format::Unknown) {
            return Ok(());
        }
        if let (Format::Unknown, Some(magic)) = (self.format, rest.first_chunk::<4>())
            && u32::from_le_bytes(*magic) != SECTION_HEADER
        {
            Classic::parse(*magic, rest).map_err(|fault| self.error(fault))?;
        }
        match self.clone().read(rest)? {
            Step::Needs(needs) => Err(self.error(Fault::Truncated { needs, has: rest.len() })),
            Step::Packet { .. } | Step::Other { .. } => Ok(()),
        }
    }

    fn error(&self, fault: Fault) -> Error {
        Error { offset: self.offset, fault }
    }

    fn begin<'a>(&mut self, bytes: &'a [u8]) -> Result<Step<'a>, Fault> {
        let Some(magic) = bytes.first_chunk::<4>() else { return Ok(Step::Needs(4)) };
        if u32::from_le_bytes(*magic) == SECTION_HEADER {
            // The order comes with the header itself.
            return self.block(Order::Little, bytes);
        }
        match Classic::parse(*magic, bytes) {
            // A few octets more say what the file is instead.
            Err(Fault::Magic(_)) if bytes.len() < Magic::OCTETS => Ok(Step::Needs(Magic::OCTETS)),
            Err(fault) => Err(fault),
            Ok(None) => Ok(Step::Needs(Classic::HEADER_OCTETS)),
            Ok(Some((classic, interface))) => {
                self.format = Format::Classic(classic);
                self.interfaces.push(interface);
                Ok(Step::Other { used: Classic::HEADER_OCTETS })
            }
        }
    }

    fn block<'a>(&mut self, order: Order, bytes: &'a [u8]) -> Result<Step<'a>, Fault> {
        let (Some(kind), Some(octets)) = (bytes.first_chunk(), bytes.get(4..8)) else {
            return Ok(Step::Needs(BLOCK_FRAMING));
        };
        let kind = order.u32(*kind);
        let (order, least) = match kind {
            SECTION_HEADER => match bytes.get(8..12) {
                None => return Ok(Step::Needs(SECTION_HEADER_MIN)),
                Some(magic) => (byte_order(magic)?, SECTION_HEADER_MIN),
            },
            _ => (order, BLOCK_FRAMING),
        };
        let octets = order.u32(octets.try_into().expect("four octets"));
        if (octets as usize) < least || octets % 4 != 0 {
            return Err(Fault::BlockLength(octets));
        }
        if octets > BLOCK_MAX {
            return Err(Fault::TooLong { octets, limit: BLOCK_MAX });
        }
        let used = octets as usize;
        let Some(block) = bytes.get(..used) else { return Ok(Step::Needs(used)) };
        let (front, behind) = block.split_last_chunk().expect("a block has framing");
        let behind = order.u32(*behind);
        if behind != octets {
            return Err(Fault::Trailer { front: octets, behind });
        }
        let mut fields = Fields::new(order, &front[8..]);
        match kind {
            SECTION_HEADER => self.section(fields)?,
            INTERFACE_DESCRIPTION => self.describe(fields, octets)?,
            ENHANCED_PACKET | OBSOLETE_PACKET => {
                let interface = match kind {
                    ENHANCED_PACKET => fields.u32(),
                    // Behind the number are the drops, two octets.
                    _ => fields.u16().and_then(|number| fields.u16().map(|_| u32::from(number))),
                };
                let packet = self.packet(interface.ok_or(Fault::BlockLength(octets))?, fields, octets)?;
                return Ok(Step::Packet { packet, used });
            }
            SIMPLE_PACKET => return Err(Fault::SimplePacket),
            _ => {}
        }
        Ok(Step::Other { used })
    }

    fn section(&mut self, mut fields: Fields<'_>) -> Result<(), Fault> {
        let _magic = fields.u32();
        let (major, minor) = (fields.u16().unwrap_or(0), fields.u16().unwrap_or(0));
        // 1.2 is 1.0 with another number (4.1).
        if major != 1 || !matches!(minor, 0 | 2) {
            return Err(Fault::Version(major, minor));
        }
        if matches!(self.format, Format::Blocks(_)) {
            self.section += 1;
        }
        self.format = Format::Blocks(fields.order);
        self.interfaces.clear();
        Ok(())
    }

    fn describe(&mut self, fields: Fields<'_>, octets: u32) -> Result<(), Fault> {
        if self.interfaces.len() == INTERFACES_MAX {
            return Err(Fault::Interfaces);
        }
        let interface = Interface::parse(fields).map_err(|fault| match fault {
            Fault::BlockLength(_) => Fault::BlockLength(octets),
            other => other,
        })?;
        self.interfaces.push(interface);
        Ok(())
    }

    fn packet<'a>(&self, number: u32, mut fields: Fields<'a>, octets: u32) -> Result<Packet<'a>, Fault> {
        let mut field = || fields.u32().ok_or(Fault::BlockLength(octets));
        let (high, low, captured, original_octets) = (field()?, field()?, field()?, field()?);
        let interface = self.interfaces.get(number as usize).ok_or(Fault::UnknownInterface(number))?;
        let data = fields.take(captured as usize).ok_or(Fault::PacketLength(captured))?;
        let units = u64::from(high) << 32 | u64::from(low);
        Ok(Packet {
            section: self.section,
            interface: number,
            link_type: interface.link_type,
            unix_ns: interface.resolution.unix_nanos(units, interface.offset_s).ok_or(Fault::Stamp)?,
            original_octets,
            data,
        })
    }
}

fn byte_order(magic: &[u8]) -> Result<Order, Fault> {
    let magic: [u8; 4] = magic.try_into().expect("four octets");
    [Order::Little, Order::Big]
        .into_iter()
        .find(|order| order.u32(magic) == BYTE_ORDER_MAGIC)
        .ok_or(Fault::ByteOrder(magic))
}
