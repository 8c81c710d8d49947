//! Messages that do not fit one frame. `host/drivers/serial/serial_ll_if.c`, `process_serial_rx_pkt` of
//! `slave/main/esp_hosted_coprocessor.c`.
//!
//! All fragments of a message but the last say that another follows. What their sequence numbers tell depends on who sends them:
//! a host leaves them at zero, a co-processor numbers each fragment. What numbers do not tell shows in the length or the content
//! of the message, which the layer above checks.

use alloc::vec::Vec;

use super::header::Flags;

/// The longest message, in octets. `common/transport/esp_hosted_transport.h`.
pub const MESSAGE_MAX: usize = 8192;

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// Flags of its frame.
    pub flags: Flags,
    /// Octets of the fragment.
    pub payload: &'a [u8],
}

/// Cuts `message` into fragments of at most `most` octets: 1524 from the host, 1500 from the co-processor. None of an empty
/// message.
///
/// # Panics
/// When `most` is zero.
pub fn fragments(message: &[u8], most: usize) -> impl Iterator<Item = Fragment<'_>> {
    let count = message.len().div_ceil(most);
    message.chunks(most).enumerate().map(move |(at, payload)| {
        let flags = if at + 1 < count { Flags::MORE_FRAGMENT } else { Flags::NONE };
        Fragment { flags, payload }
    })
}

/// Reason that a fragment has not been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// The message grows beyond its bound; what there was of it has been dropped, and what follows of it will be.
    #[error("a message of more than {MESSAGE_MAX} octets")]
    TooLong,
    /// It belongs to a message that was too long.
    #[error("the rest of a message that was too long")]
    Rest,
}

/// Counts of fragments that were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FragmentFaults {
    /// Messages whose end never came: a fragment of another one did.
    pub cut: u64,
    /// Messages beyond the bound.
    pub too_long: u64,
    /// Fragments of those that came afterwards.
    pub rest: u64,
}

/// Order of fragments as their sequence numbers tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Fragments of a message share a number: another number ends the message before it, which is cut. So a co-processor
    /// receives; hosts of 2.x leave the number at zero, and then nothing is told.
    Shared,
    /// Each fragment counts one on, or shares the number of the one before it: any other number cuts the message. A
    /// co-processor sends so, and a host of 2.x does not look at it.
    Counted,
}

/// Puts fragments together again.
#[derive(Debug)]
pub struct Reassembler {
    message: Vec<u8>,
    order: Order,
    /// Sequence number of the fragment before.
    sequence: u16,
    state: State,
    faults: FragmentFaults,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    /// The next fragment begins a message.
    #[default]
    Idle,
    /// Some of a message is there.
    Open,
    /// The rest of a message is being dropped.
    Dropping,
}

impl Reassembler {
    /// Nothing has come yet; numbers will tell this.
    pub fn new(order: Order) -> Self {
        Self { message: Vec::new(), order, sequence: 0, state: State::Idle, faults: FragmentFaults::default() }
    }

    /// A fragment has come; returns the message that it completes.
    ///
    /// # Errors
    /// When its message has grown too long.
    pub fn push(&mut self, flags: Flags, sequence: u16, payload: &[u8]) -> Result<Option<&[u8]>, FragmentError> {
        let on = sequence.wrapping_sub(self.sequence);
        let follows = on == 0 || on == 1 && self.order == Order::Counted;
        self.sequence = sequence;
        if !follows {
            self.discard();
        }
        let more = flags.has(Flags::MORE_FRAGMENT);
        let after = if more { State::Open } else { State::Idle };
        match self.state {
            State::Idle => self.message.clear(),
            State::Open => {}
            State::Dropping => {
                self.faults.rest += 1;
                self.state = if more { State::Dropping } else { State::Idle };
                return Err(FragmentError::Rest);
            }
        }
        if self.message.len() + payload.len() > MESSAGE_MAX {
            self.faults.too_long += 1;
            self.message.clear();
            self.state = if more { State::Dropping } else { State::Idle };
            return Err(FragmentError::TooLong);
        }
        self.message.extend_from_slice(payload);
        self.state = after;
        Ok((!more).then_some(self.message.as_slice()))
    }

    /// Octets of a message whose end has not come.
    pub fn pending(&self) -> usize {
        if self.state == State::Open { self.message.len() } else { 0 }
    }

    /// Forgets a message whose end has not come: the link was restarted, or the message before was broken.
    pub fn discard(&mut self) {
        self.faults.cut += u64::from(self.state == State::Open);
        self.state = State::Idle;
    }

    /// Faults so far.
    pub const fn faults(&self) -> FragmentFaults {
        self.faults
    }
}
