//! Streams: an application that writes and one that reads, with smoltcp as the kernels between them.
//!
//! What smoltcp 0.14 is, compared with the kernel of a Linux host: Reno with fast retransmit and fast recovery (its Cubic
//! computes in floating point, which protocol state of this house does not), no selective acknowledgements, no
//! timestamps (1460 octets of payload in a packet of 1500, Linux sends 1448), a retransmission timeout of one second at
//! least (RFC 6298, 2.4; Linux: 200 ms), every second segment acknowledged at once. The retransmission of an unanswered SYN
//! goes on for ever; a reset ends a stream.

pub mod clock;
mod reader;
mod stack;
mod tap;
mod writer;

pub use reader::Reader;
pub use stack::Stack;
pub use tap::{Received, Room, Tap};
pub use writer::Writer;

use airtime_core::{Duration, Instant};

/// A stream as a plan asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The port it goes to, by which it is known at both ends.
    pub flow: u16,
    /// Octets the application hands over in one call. The call goes on as the send buffer has room, and one that has begun
    /// when the time is over is not broken off.
    pub write: usize,
    /// Octets of the receive buffer at the reading end, and of the send buffer.
    pub window: usize,
    /// Largest number of octets to send; none: as much as the time allows.
    pub octets: Option<u64>,
    /// Instant at which it connects.
    pub start: Instant,
    /// Time for which it writes; octets left in buffers then still arrive.
    pub duration: Duration,
}

/// The largest window without window scaling (RFC 9293, 3.1): for a path whose queue is deep.
///
/// Where a queue holds a handful of packets only, a window of what it holds and of what is under way loses nothing: five segments
/// fill 99 % of a pipe of 1.5 Mbit/s with a queue of four packets. A larger one overruns the queue at its start, and without
/// selective acknowledgements each round of several losses waits for a timeout of a second (`tests/streams.rs` has both figures).
pub const WINDOW: usize = 65_535;

/// A window of five full segments behind a TUN device of `mtu` octets: what fits a queue of four packets.
pub const fn short_window(mtu: usize) -> usize {
    5 * mtu.saturating_sub(HEADERS)
}

/// Octets of the headers of IPv4 and TCP, without options.
const HEADERS: usize = 40;

/// Longest time that a reader may withhold an acknowledgement: the delayed ack timer of Linux (`TCP_DELACK_MIN`, 40
/// ms).
pub const ACK_DELAY: Duration = Duration::from_millis(40);
