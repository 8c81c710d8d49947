//! Messages that do not fit one frame. `host/drivers/serial/serial_ll_if.c`, `process_serial_rx_pkt` of
//! `slave/main/esp_hosted_coprocessor.c`.
//!
//! Fragments of a message share a sequence number and all but the last say that another follows. Nothing numbers them within
//! a message: one that is lost or comes out of order shows in the length or the content of the message, which the layer above
//! checks. A fragment of another sequence number ends the message before it, which is counted as cut.

use alloc::vec::Vec;

use super::header::Flags;

/// The longest message, in octets. `common/transport/esp_hosted_transport.h`.
pub const MESSAGE_MAX: usize = 8192;

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// Flags of its frame.
    pub flags: Flags,
    /// Its octets.
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

/// Why a fragment has not been taken.
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

/// What became of fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FragmentFaults {
    /// Messages whose end never came: a fragment of another one did.
    pub cut: u64,
    /// Messages beyond the bound.
    pub too_long: u64,
    /// Fragments of those that came afterwards.
    pub rest: u64,
}

/// Puts fragments together again.
#[derive(Debug, Default)]
pub struct Reassembler {
    message: Vec<u8>,
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
    /// Nothing has come yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A fragment has come; returns the message that it completes.
    ///
    /// # Errors
    /// When its message has grown too long.
    pub fn push(&mut self, flags: Flags, sequence: u16, payload: &[u8]) -> Result<Option<&[u8]>, FragmentError> {
        if self.state != State::Idle && sequence != self.sequence {
            self.faults.cut += u64::from(self.state == State::Open);
            self.state = State::Idle;
        }
        let more = flags.has(Flags::MORE_FRAGMENT);
        let after = if more { State::Open } else { State::Idle };
        match self.state {
            State::Idle => {
                self.message.clear();
                self.sequence = sequence;
            }
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

    /// What went wrong so far.
    pub const fn faults(&self) -> FragmentFaults {
        self.faults
    }
}
