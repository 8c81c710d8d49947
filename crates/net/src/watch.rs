//! News from an end of a tunnel for whoever watches it.

use alloc::rc::Rc;
use core::cell::RefCell;

use airtime_core::{Duration, Instant};

use crate::tally::Order;

/// Event of the traffic of an end. A `flow` is the destination port of the packets of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A datagram was handed to the tunnel.
    Sent {
        /// Flow of the datagram.
        flow: u16,
        /// Number of the datagram in its flow.
        sequence: u64,
        /// Octets of its payload, headers excluded.
        octets: usize,
    },
    /// A datagram arrived, intact.
    Arrived {
        /// Flow of the datagram.
        flow: u16,
        /// Number of the datagram in its flow.
        sequence: u64,
        /// Octets of its payload, headers excluded. Repetitions ([`Order::Again`]) are no goodput.
        octets: usize,
        /// Instant at which it was handed to the tunnel at the other end.
        sent_at: Instant,
        /// The time between, of one way.
        delay: Duration,
        /// Order in its flow.
        order: Order,
    },
    /// A datagram or stretch of a stream arrived whose checksums are right and whose octets are not what was sent.
    Damaged {
        /// Flow that it belongs to.
        flow: u16,
        /// Octets of payload.
        octets: usize,
    },
    /// A stream handed octets to its application, in order.
    Read {
        /// Number of the stream.
        flow: u16,
        /// Number of octets.
        octets: usize,
    },
    /// A stream was given octets by its application: they lie in the send buffer.
    Written {
        /// Number of the stream.
        flow: u16,
        /// Number of octets.
        octets: usize,
    },
    /// All octets of a stream have arrived at its application, and its sender has closed it.
    Finished {
        /// Number of the stream.
        flow: u16,
    },
    /// An echo reply came back.
    Echo {
        /// The number of its request.
        sequence: u64,
        /// Instant at which the request was handed to the tunnel.
        sent_at: Instant,
        /// The time there and back.
        round_trip: Duration,
    },
    /// A datagram came in and was dropped by the stack, because the mailbox of a task was full.
    Dropped {
        /// Octets of its payload.
        octets: usize,
    },
    /// A packet came out of the tunnel that nobody here expects, or that is no valid IPv4 packet.
    Foreign {
        /// Octets of it, headers included.
        octets: usize,
    },
}

/// Watcher of an [`IpHost`](crate::IpHost).
pub trait Watch {
    /// Takes an event that happened at `now`.
    fn event(&mut self, now: Instant, event: Event) {
        let _ = (now, event);
    }

    /// Takes the octets of the [`Event::Read`] that follows, for whoever wants to hash or keep them.
    fn octets(&mut self, flow: u16, octets: &[u8]) {
        let _ = (flow, octets);
    }
}

/// Watch of nobody: what an end tells is dropped.
impl Watch for () {}

/// A watcher that the ends share with their owner.
impl<W: Watch> Watch for Rc<RefCell<W>> {
    fn event(&mut self, now: Instant, event: Event) {
        self.borrow_mut().event(now, event);
    }

    fn octets(&mut self, flow: u16, octets: &[u8]) {
        self.borrow_mut().octets(flow, octets);
    }
}
