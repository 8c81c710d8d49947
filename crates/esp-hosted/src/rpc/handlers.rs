//! Custom messages: whose they are. `docs/implemented_rpcs.md`, Kconfig `ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS`.

use alloc::vec::Vec;

/// Octets of a custom message at most, as the documentation has it. The envelope, the identity of the request and the number of
/// the message take 28 to 36 octets of the 8192, so that between 8156 and 8164 are left: [`Port::send`](super::Port::send) says.
pub const CUSTOM_DATA_MAX: usize = 8166;
/// The number that no custom message may have.
pub const CUSTOM_ID_RESERVED: u32 = 0xFFFF_FFFF;
/// Custom messages that a table holds as it is built by default.
pub const HANDLERS_DEFAULT: usize = 3;
/// Custom messages that a table can be built to hold.
pub const HANDLERS_MAX: usize = 32;

/// Reason that a table does not take a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// Nobody may have that number.
    #[error("number {CUSTOM_ID_RESERVED:#010x} is reserved")]
    Reserved,
    /// Somebody has that number already.
    #[error("message {0:#06x} has a handler")]
    Taken(u32),
    /// The table is full.
    #[error("the table holds {0} handlers; build with a larger MAX_CUSTOM_MSG_HANDLERS")]
    Full(usize),
}

/// A table of custom messages and what handles each.
#[derive(Clone, Debug)]
pub struct Handlers<T> {
    entries: Vec<(u32, T)>,
    limit: usize,
    unhandled: u64,
}

impl<T> Default for Handlers<T> {
    fn default() -> Self {
        Self::new(HANDLERS_DEFAULT)
    }
}

impl<T> Handlers<T> {
    /// A table for `limit` messages, 32 at most.
    pub fn new(limit: usize) -> Self {
        let limit = limit.min(HANDLERS_MAX);
        Self { entries: Vec::with_capacity(limit), limit, unhandled: 0 }
    }

    /// Number of handlers that it can hold.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// From now on `handler` handles message `id`.
    ///
    /// # Errors
    /// When the number is reserved or taken, or the table is full.
    pub fn register(&mut self, id: u32, handler: T) -> Result<(), RegisterError> {
        if id == CUSTOM_ID_RESERVED {
            return Err(RegisterError::Reserved);
        }
        if self.entries.iter().any(|(taken, _)| *taken == id) {
            return Err(RegisterError::Taken(id));
        }
        if self.entries.len() == self.limit {
            return Err(RegisterError::Full(self.limit));
        }
        self.entries.push((id, handler));
        Ok(())
    }

    /// Nobody handles message `id` from now on; who did.
    pub fn unregister(&mut self, id: u32) -> Option<T> {
        let at = self.entries.iter().position(|(taken, _)| *taken == id)?;
        Some(self.entries.swap_remove(at).1)
    }

    /// Handler of message `id`; one that nobody handles is counted.
    pub fn find(&mut self, id: u32) -> Option<&mut T> {
        let found = self.entries.iter_mut().find(|(taken, _)| *taken == id);
        self.unhandled += u64::from(found.is_none());
        found.map(|(_, handler)| handler)
    }

    /// Messages that came and nobody handled.
    pub const fn unhandled(&self) -> u64 {
        self.unhandled
    }
}
