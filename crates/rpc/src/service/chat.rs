//! The conversation: what comes goes back, message by message.

use heapless::{Deque, Vec};

use crate::message::{self, EchoRequest, MESSAGE_MAX};
use crate::{CallId, Next, Status};

/// Octets that wait to go back. The first 512 of a call come unasked; the rest is for lengths and for a message in the middle.
const WAITING: usize = 1024;

/// Octets beside a message that waits: its length.
const LENGTH: usize = 2;

/// The conversation under way.
#[derive(Debug)]
pub(super) struct Chat {
    pub call: CallId,
    /// The message that is coming.
    coming: Vec<u8, MESSAGE_MAX>,
    /// Messages that wait, each with its length before it.
    waiting: Deque<u8, WAITING>,
    /// The client says no more.
    finished: bool,
}

impl Chat {
    pub fn new(call: CallId) -> Self {
        Self { call, coming: Vec::new(), waiting: Deque::new(), finished: false }
    }

    /// Takes a piece of a message; the whole one, when it is complete.
    pub fn push(&mut self, octets: &[u8], last: bool) -> Result<Option<EchoRequest>, Status> {
        self.coming.extend_from_slice(octets).map_err(|_| Status::TooLarge)?;
        if !last {
            return Ok(None);
        }
        let request = message::decode(&self.coming).map_err(|_| Status::BadArgument)?;
        self.coming.clear();
        Ok(Some(request))
    }

    /// Lets an answer wait.
    pub fn answer(&mut self, octets: &[u8]) -> Result<(), Status> {
        if WAITING - self.waiting.len() < LENGTH + octets.len() {
            return Err(Status::TooLarge);
        }
        let [low, high] = (octets.len() as u16).to_le_bytes();
        for octet in [low, high].iter().chain(octets) {
            // There is room, as was seen.
            let _ = self.waiting.push_back(*octet);
        }
        Ok(())
    }

    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Octets that can be taken beyond what came: each of them may be a message of its own, with its length.
    pub fn room(&self) -> u32 {
        let free = WAITING - self.waiting.len();
        (free.saturating_sub(self.coming.len() + LENGTH) / (1 + LENGTH)) as u32
    }

    pub fn next(&mut self) -> Next {
        let (Some(low), Some(high)) = (self.waiting.pop_front(), self.waiting.pop_front()) else {
            return if self.finished { Next::End } else { Next::Later };
        };
        Next::Message { octets: u32::from(u16::from_le_bytes([low, high])) }
    }

    /// Gives the next octets; they are asked for in order.
    pub fn read(&mut self, into: &mut [u8]) {
        for octet in into {
            *octet = self.waiting.pop_front().unwrap_or_default();
        }
    }
}
