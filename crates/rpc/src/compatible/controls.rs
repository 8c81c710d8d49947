//! Controls on their way out.

use heapless::Deque;

use crate::crypto::Step;
use crate::wire::{Capabilities, Control, PeerError};

/// Most controls that wait: a set-up asks for one at a time, so what is beyond belongs to a flood. *Assumed*.
const WAITING_MAX: usize = 4;

/// Reply of a control, without anything borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reply {
    Timeout {
        timeout_ms: u16,
    },
    Capabilities(Capabilities),
    Error(PeerError),
    /// The step that was given last.
    KeyExchange,
}

/// Controls that wait for the transport, first come, first served.
#[derive(Debug)]
pub(crate) struct Controls {
    waiting: Deque<(u8, Reply), WAITING_MAX>,
    step: Option<Step>,
}

impl Controls {
    pub const fn new() -> Self {
        Self { waiting: Deque::new(), step: None }
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
        self.step = None;
    }

    /// Lets a control wait; says whether there was room.
    pub fn push(&mut self, transaction: u8, reply: Reply) -> bool {
        self.waiting.push_back((transaction, reply)).is_ok()
    }

    /// Lets a step of the key exchange wait. There is one at a time: the other end has to answer before the next.
    pub fn push_step(&mut self, transaction: u8, step: Step) -> bool {
        self.step = Some(step);
        self.push(transaction, Reply::KeyExchange)
    }

    /// Writes the next one.
    pub fn transmit(&mut self, into: &mut [u8]) -> Option<usize> {
        let (transaction, reply) = self.waiting.pop_front()?;
        let control = match reply {
            Reply::Timeout { timeout_ms } => Control::Timeout { timeout_ms },
            Reply::Capabilities(capabilities) => Control::Capabilities(Some(capabilities)),
            Reply::Error(error) => Control::Error(error),
            Reply::KeyExchange => Control::KeyExchange(self.step.as_ref()?.octets()),
        };
        Some(control.emit(transaction, into))
    }
}
