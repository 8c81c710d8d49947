//! pcapng, written and read; classic pcap, read.
//!
//! <https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-03.html>, section numbers are its own;
//! <https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-05.html> for the classic format.

mod block;
mod classic;
mod error;
mod interface;
mod magic;
mod packets;
mod reader;
mod time;
mod writer;

pub use error::{Error, Fault};
pub use interface::Interface;
pub use magic::Magic;
pub use packets::Packets;
pub use reader::{Packet, Reader, Step};
pub use time::Resolution;
pub use writer::Writer;

/// Section header block (4.1). It reads the same in both byte orders.
const SECTION_HEADER: u32 = 0x0a0d_0d0a;
/// Interface description block (4.2).
const INTERFACE_DESCRIPTION: u32 = 1;
/// Packet block, obsolete (appendix A).
const OBSOLETE_PACKET: u32 = 2;
/// Simple packet block (4.4).
const SIMPLE_PACKET: u32 = 3;
/// Enhanced packet block (4.3).
const ENHANCED_PACKET: u32 = 6;

/// Magic number that tells the byte order of a section (4.1).
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;

/// Octets of a block that are not its body: type, length, length again (3.1).
const BLOCK_FRAMING: usize = 12;

/// End of options (3.5).
const OPT_END: u16 = 0;
/// Program that wrote the section (4.1).
const SHB_USERAPPL: u16 = 4;
/// Name of an interface (4.2).
const IF_NAME: u16 = 2;
/// Description of an interface (4.2).
const IF_DESCRIPTION: u16 = 3;
/// Resolution of an interface's stamps (4.2).
const IF_TSRESOL: u16 = 9;
/// Seconds to add to an interface's stamps (4.2).
const IF_TSOFFSET: u16 = 14;

#[cfg(test)]
mod tests;
