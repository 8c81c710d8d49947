//! Outputs of the host's side, and its reasons to refuse a frame.

use airtime_core::Packet;

use super::{Handshake, HostDrop};
use crate::rpc::{Event, Expired, Response};

/// Reason that the interface does not take a frame.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The co-processor throttles (`ERR_BUF` to the stack).
    Throttled(Packet),
    /// The queue is full: the task that sends blocks until [`HostOutput::Room`].
    Full(Packet),
    /// The transport is not up.
    Down(Packet),
    /// It is empty, or more than a frame carries.
    Length(Packet),
}

impl Refused {
    /// The frame again.
    pub fn into_frame(self) -> Packet {
        match self {
            Self::Throttled(frame) | Self::Full(frame) | Self::Down(frame) | Self::Length(frame) => frame,
        }
    }
}

/// Output of the host's side.
#[derive(Debug)]
#[non_exhaustive]
pub enum HostOutput {
    /// It pulses the reset line of the co-processor.
    Reset,
    /// An Ethernet frame for the netif of the station.
    Frame(Packet),
    /// A packet of the raw throughput test, in octets of payload.
    Test(u16),
    /// A Bluetooth HCI packet: its type, and what is behind it.
    Bluetooth(u8, Packet),
    /// The queue of the station has room again for a task that blocked.
    Room,
    /// The transport is up; requests may be made and frames sent.
    Ready(Handshake),
    /// The reply to a request.
    Reply {
        /// Number of the request that it answers.
        uid: u32,
        /// Response of the co-processor.
        response: Response,
    },
    /// The co-processor says something unasked.
    Event(Event),
    /// A request has run out of time, or the transport went down under it.
    Expired(Expired),
    /// It has lost a frame.
    Dropped {
        /// Place of the loss.
        at: HostDrop,
        /// Octets of its payload, or of what was left of a burst.
        octets: u32,
    },
    /// The transport is down; it stays so until [`restart`](super::Host::restart).
    Failed(Failure),
}

/// Reason that the transport is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// No card was found in 1.5 s.
    NoCard,
    /// The co-processor has not said for 10 s that it is there.
    NoInit,
    /// The co-processor is another chip than the one the host is built for.
    Chip(u8),
    /// One side streams, the other sends frame by frame.
    Mode,
    /// The registers could not be read.
    Status,
    /// The card did not answer the question for credits.
    Unresponsive,
    /// A frame could not be written.
    Write,
    /// The co-processor claims more octets than its window holds: the two have lost count of each other.
    Length(u32),
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoCard => f.write_str("no card was found in 1.5 s"),
            Self::NoInit => f.write_str("no start-up event has come in 10 s, after three resets"),
            Self::Chip(chip) => write!(f, "the co-processor is another chip, number {chip:#04x}"),
            Self::Mode => f.write_str("one side streams, the other sends frame by frame"),
            Self::Status => f.write_str("the registers could not be read"),
            Self::Unresponsive => f.write_str("the card does not say how many buffers it has"),
            Self::Write => f.write_str("a frame could not be written"),
            Self::Length(octets) => write!(f, "{octets} octets are said to wait, more than the window holds"),
        }
    }
}
