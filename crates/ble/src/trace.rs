//! Trace of a controller about itself: the stream that ledger, captures and counters are sinks of.

use airtime_core::Instant;

use crate::hci::Status;
use crate::words::Role;

/// Verdict of a receiver on a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The next one of the sequence.
    New,
    /// One that had arrived already: the acknowledgement was lost.
    Duplicate,
    /// The next one, but there was no room for it.
    Refused,
    /// Heard with a wrong CRC.
    Corrupted,
    /// Not heard at all.
    Unheard,
    /// Switched off by its sender before its end.
    Cut,
}

/// Reason that a connection event ended, as one side knows it. Records count each, so whoever matches matches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventEnd {
    /// Neither side announced more data.
    Empty,
    /// The next exchange would not end in time before the next anchor, or was cut by it.
    Tail,
    /// It would run into another activity of this controller, or was cut by it.
    OtherActivity,
    /// The personality's cap of time or packets.
    Cap,
    /// Consecutive packets with wrong CRCs.
    Errors,
    /// Nothing was heard when something could have been: the peer stopped, or a packet was lost.
    Silence,
}

/// One entry of a controller's trace. `link` is the access address of the connection. Books and time lines have a place for
/// each entry, so whoever matches matches all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// Verdict of this receiver on the packet just handed over.
    Received {
        /// The verdict.
        verdict: Verdict,
    },
    /// A connection exists.
    ConnectionOpened {
        /// Access address of the connection.
        link: u32,
        /// Role of this side.
        role: Role,
        /// Handle at this side's HCI.
        handle: u16,
    },
    /// This side closed the event.
    EventClosed {
        /// Access address of the connection.
        link: u32,
        /// Role of this side.
        role: Role,
        /// Counter of the event.
        counter: u16,
        /// Reason of the end.
        end: EventEnd,
        /// Packet pairs exchanged, as this side counts them.
        exchanges: u16,
        /// Set if this side had data that it has not sent once.
        had_data: bool,
    },
    /// This side did not take part in the event.
    EventSkipped {
        /// Access address of the connection.
        link: u32,
        /// Role of this side.
        role: Role,
        /// Counter of the event.
        counter: u16,
        /// Anchor point that it would have had.
        anchor: Instant,
        /// Because of peripheral latency; else another activity held the radio.
        latency: bool,
    },
    /// Events that the link does not use, because it is subrated: nobody sends or listens in them.
    EventsUnused {
        /// Access address of the connection.
        link: u32,
        /// Role of this side.
        role: Role,
        /// Counter of the first of them.
        counter: u16,
        /// Anchor point that it would have had.
        anchor: Instant,
        /// Anchor point of the next event that is used.
        until: Instant,
    },
    /// The peripheral takes part again from this event on, although it had skipped it already.
    Awake {
        /// Access address of the connection.
        link: u32,
        /// Counter of the first event it takes part in.
        counter: u16,
    },
    /// A connection is gone.
    ConnectionClosed {
        /// Access address of the connection.
        link: u32,
        /// Role of this side.
        role: Role,
        /// Reason of the end.
        reason: Status,
    },
}
