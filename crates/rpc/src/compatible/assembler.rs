//! Messages put together from containers.

use crate::wire::{Container, Content};

/// Puts one message of up to `BUFFER` octets together at a time, as the published assembler for firmware does.
#[derive(Debug)]
pub struct Assembler<const BUFFER: usize> {
    buffer: [u8; BUFFER],
    state: State,
    /// The transaction that was complete last.
    last: Option<u8>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// No transaction is under way.
    Idle,
    /// One is: so many octets of it are there, and this container is due.
    Filling { transaction: u8, total: u16, have: u16, due: u16 },
    /// One is complete and waits to be taken.
    Complete { transaction: u8, total: u16 },
}

/// A message that is complete.
#[derive(Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// The transaction that brought it.
    pub transaction: u8,
    /// Its octets, command header and seal included.
    pub octets: &'a mut [u8],
}

/// Defect for which a container was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// Its message is longer than the buffer.
    TooLong,
    /// It has been there before.
    Repeated,
    /// One or more before it are missing; the transaction is given up.
    Gap,
    /// Its transaction is not under way.
    Stale,
    /// A complete message waits to be taken.
    Occupied,
    /// It is a control.
    Control,
}

impl<const BUFFER: usize> Assembler<BUFFER> {
    /// Without a transaction.
    pub const fn new() -> Self {
        Self { buffer: [0; BUFFER], state: State::Idle, last: None }
    }

    /// Gives up what is under way and forgets what was.
    pub fn reset(&mut self) {
        self.state = State::Idle;
        self.last = None;
    }

    /// Its whole buffer, for who needs memory; what is under way is given up.
    pub(crate) fn scratch(&mut self) -> &mut [u8] {
        self.reset();
        &mut self.buffer
    }

    /// True while a message waits to be taken.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Complete { .. })
    }

    /// Takes a container; says whether a message is complete with it. A first container gives up the transaction under way, as
    /// published; one of the transaction that was complete last is a repetition: ends count their transactions up.
    ///
    /// # Errors
    /// Why it was dropped.
    pub fn feed(&mut self, container: &Container<'_>) -> Result<bool, Defect> {
        match (container.content, self.state) {
            (Content::Control { .. }, _) => Err(Defect::Control),
            (_, State::Complete { .. }) => Err(Defect::Occupied),
            (Content::First { total, payload }, state) => {
                let repeated = match state {
                    State::Filling { transaction, .. } => Some(transaction),
                    _ => self.last,
                };
                if repeated == Some(container.transaction) {
                    return Err(Defect::Repeated);
                }
                if usize::from(total) > BUFFER {
                    self.state = State::Idle;
                    return Err(Defect::TooLong);
                }
                self.state = State::Filling { transaction: container.transaction, total, have: 0, due: 1 };
                Ok(self.append(payload))
            }
            (Content::Subsequent { payload }, State::Filling { transaction, total, have, due }) => {
                if container.transaction != transaction {
                    return Err(Defect::Stale);
                }
                let sequence = u16::from(container.sequence);
                if sequence < due {
                    return Err(Defect::Repeated);
                }
                if sequence > due {
                    self.state = State::Idle;
                    return Err(Defect::Gap);
                }
                self.state = State::Filling { transaction, total, have, due: due + 1 };
                Ok(self.append(payload))
            }
            (Content::Subsequent { .. }, State::Idle) => {
                let repeated = self.last == Some(container.transaction);
                Err(if repeated { Defect::Repeated } else { Defect::Stale })
            }
        }
    }

    /// The message that is complete; the next [`release`](Self::release) or [`reset`](Self::reset) makes room.
    pub fn message(&mut self) -> Option<Message<'_>> {
        let State::Complete { transaction, total } = self.state else { return None };
        Some(Message { transaction, octets: &mut self.buffer[..usize::from(total)] })
    }

    /// The message has been taken.
    pub fn release(&mut self) {
        self.state = State::Idle;
    }

    /// Appends octets; what is beyond the total length is ignored, as published. Says whether the message is complete.
    fn append(&mut self, payload: &[u8]) -> bool {
        let State::Filling { transaction, total, have, due } = self.state else { return false };
        let at = usize::from(have);
        let taken = payload.len().min(usize::from(total) - at);
        self.buffer[at..at + taken].copy_from_slice(&payload[..taken]);
        let have = have + taken as u16;
        if have < total {
            self.state = State::Filling { transaction, total, have, due };
            return false;
        }
        self.state = State::Complete { transaction, total };
        self.last = Some(transaction);
        true
    }
}

impl<const BUFFER: usize> Default for Assembler<BUFFER> {
    fn default() -> Self {
        Self::new()
    }
}
