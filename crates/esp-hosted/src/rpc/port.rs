//! Messages over frames of the serial interface, in both directions and on either side.

use alloc::vec::Vec;

use super::message::{Message, RpcError, RpcFaults};
use crate::wire::{
    FragmentError, FragmentFaults, Frame, Header, Interface, Layout, MESSAGE_MAX, Order, Reassembler, fragments,
};

/// Octets of a fragment from the co-processor. `slave/main/esp_hosted_coprocessor.c`.
const COPROCESSOR_FRAGMENT: usize = 1500;

/// Reason that a frame has not brought a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// It did not fit the frames before it.
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    /// It has completed something that is no message.
    #[error(transparent)]
    Message(#[from] RpcError),
}

/// A message is longer than any may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message of {octets} octets, {MESSAGE_MAX} at most")]
pub struct TooLong {
    /// Octets of the message with its envelope.
    pub octets: usize,
}

/// One end of the serial interface.
#[derive(Debug)]
pub struct Port {
    fragment_octets: usize,
    /// Number of the next fragment; none of a host, which leaves the field at zero.
    sequence: Option<u16>,
    /// The message being sent; kept, so that none allocates once it has grown.
    sent: Vec<u8>,
    received: Reassembler,
    faults: RpcFaults,
}

impl Port {
    /// The host's end: fragments as long as frames of `layout` carry, without numbers.
    pub fn host(layout: &Layout) -> Self {
        Self::new(layout.payload_max(), None, Order::Counted)
    }

    /// The co-processor's end: numbered fragments of 1500 octets.
    pub fn coprocessor(layout: &Layout) -> Self {
        Self::new(COPROCESSOR_FRAGMENT.min(layout.payload_max()), Some(0), Order::Shared)
    }

    fn new(fragment_octets: usize, sequence: Option<u16>, order: Order) -> Self {
        Self {
            fragment_octets,
            sequence,
            sent: Vec::new(),
            received: Reassembler::new(order),
            faults: RpcFaults::default(),
        }
    }

    /// Sends `message`: `frame` is shown the header and the payload of each frame in order.
    ///
    /// # Errors
    /// When the message has more than 8192 octets; no frame is shown then.
    pub fn send(&mut self, message: &Message, mut frame: impl FnMut(&Header, &[u8])) -> Result<(), TooLong> {
        self.sent.clear();
        message.emit(&mut self.sent);
        if self.sent.len() > MESSAGE_MAX {
            return Err(TooLong { octets: self.sent.len() });
        }
        for fragment in fragments(&self.sent, self.fragment_octets) {
            let sequence = self.sequence.unwrap_or(0);
            let header = Header { flags: fragment.flags, sequence, ..Header::new(Interface::Serial) };
            frame(&header, fragment.payload);
            self.sequence = self.sequence.map(|sequence| sequence.wrapping_add(1));
        }
        Ok(())
    }

    /// A frame of the serial interface has come; returns the message that it completes.
    ///
    /// # Errors
    /// When it does not fit, or what it completes is no message. The next message is received again.
    pub fn receive(&mut self, frame: &Frame<'_>) -> Result<Option<Message>, PortError> {
        let Some(octets) = self.received.push(frame.header.flags, frame.header.sequence, frame.payload)? else {
            return Ok(None);
        };
        match Message::parse(octets) {
            Ok(message) => Ok(Some(message)),
            Err(error) => {
                self.faults.count(error);
                Err(error.into())
            }
        }
    }

    /// The link was restarted: what has come of a message is forgotten.
    pub fn reset(&mut self) {
        self.received.discard();
        self.sequence = self.sequence.map(|_| 0);
    }

    /// Counts of octets that came and were no message.
    pub const fn faults(&self) -> RpcFaults {
        self.faults
    }

    /// Counts of fragments that came and fitted no message.
    pub const fn fragment_faults(&self) -> FragmentFaults {
        self.received.faults()
    }
}
