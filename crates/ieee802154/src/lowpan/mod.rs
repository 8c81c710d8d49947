//! 6LoWPAN: a UDP datagram over IPv6 as it goes in frames, compressed (RFC 6282) and in fragments (RFC 4944, 5.3).
//!
//! - [`Cut`]: how long a datagram's frames are · [`Flow`]: their octets · [`Reassembly`]: the datagram that they come to
//! - `header`: dispatches and headers, written and read · [`Mesh`]: the header of a way of several hops
//!
//! Written here and not taken from smoltcp, whose 6LoWPAN is there only with IPv6 and its own 802.15.4 medium switched on for every
//! user of the stack, and which writes no mesh header.

mod cut;
mod flow;
mod header;
mod mesh;
mod reassembly;

pub use cut::{Cut, Piece};
pub use flow::Flow;
pub use header::{Fragment, HeaderError, compressed_octets};
pub use mesh::Mesh;
pub use reassembly::{Reassembly, Whole};

/// Octets of the headers that are compressed: IPv6 and UDP. Offsets of fragments count them as if they were not. RFC 4944, 5.3.
pub const UNCOMPRESSED: u16 = 40 + 8;

/// Largest UDP payload: an IPv6 MTU of 1280 octets. RFC 4944, 4.
pub const PAYLOAD_MAX: u16 = 1_280 - UNCOMPRESSED;

/// Smallest UDP payload: the stamp of a test's datagram, as over every link that carries IP.
pub const PAYLOAD_MIN: u16 = 16;

/// Octets of the header of a first fragment. RFC 4944, 5.3.
pub const FIRST_OCTETS: u8 = 4;

/// Octets of the header of every other fragment, which has the offset besides. RFC 4944, 5.3.
pub const NEXT_OCTETS: u8 = 5;

/// Kind of IPv6 addresses of a datagram, by what is left of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum IpAddresses {
    /// Of the link, with the interface identifier of the frame's own addresses: nothing is sent of either.
    #[default]
    LinkLocal,
    /// Under a prefix that all know (context 0), with an identifier of its own, as Thread's mesh-local ones: eight octets of each.
    MeshLocal,
    /// Under a prefix that nobody knows: sixteen octets of each.
    Global,
}

impl IpAddresses {
    /// Octets that are sent of one address. RFC 6282, 3.1.1.
    pub const fn octets(self) -> u8 {
        match self {
            Self::LinkLocal => 0,
            Self::MeshLocal => 8,
            Self::Global => 16,
        }
    }

    /// Octets of both compressed headers: two of IPv6, both addresses, and seven of UDP, whose ports and checksum are sent. RFC 6282,
    /// 3.1 and 4.3.
    pub const fn compressed_octets(self) -> u8 {
        2 + 2 * self.octets() + 7
    }
}
