//! The two directions of a call: what may be sent, and what the other end was allowed.
//!
//! A limit is absolute: a credit that comes twice, or late, allows nothing more. It counts octets of messages, and one for each
//! end of a message, so that a flood of empty ones is bounded as well. Counts wrap: they are compared as serial numbers, which
//! holds as long as a window stays below 2³¹.

use crate::Next;

/// Longest window: half of what a serial number can tell apart.
pub(super) const WINDOW_MAX: u32 = 0x7fff_ffff;

/// Distance of `limit` ahead of `used`; 0 when it is behind.
fn ahead(limit: u32, used: u32) -> u32 {
    let distance = limit.wrapping_sub(used);
    if distance > WINDOW_MAX { 0 } else { distance }
}

/// The direction in which this end sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlet {
    state: Sending,
    limit: u32,
    used: u32,
}

/// State of the direction that sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sending {
    /// The next message is to be asked for.
    Asking,
    /// It is not there yet.
    Waiting,
    /// A message of `octets`, of which `offset` are gone.
    Message { octets: u32, offset: u32 },
    /// The last message is gone; the end is to be said.
    Ending,
    /// Nothing more.
    Over,
}

impl Outlet {
    /// A direction of which nothing was sent, and on which `window` may be.
    pub fn new(window: u32) -> Self {
        Self { state: Sending::Asking, limit: window.min(WINDOW_MAX), used: 0 }
    }

    pub fn state(&self) -> Sending {
        self.state
    }

    /// Octets that may be sent now.
    pub fn credit(&self) -> u32 {
        ahead(self.limit, self.used)
    }

    /// The other end allows everything up to `limit`; what it allowed before it cannot take back.
    pub fn allow(&mut self, limit: u32) {
        if ahead(limit, self.limit) > 0 && limit.wrapping_sub(self.used) <= WINDOW_MAX {
            self.limit = limit;
        }
    }

    /// Whoever has the messages said `next`. A failure is the caller's to handle.
    pub fn told(&mut self, next: Next) {
        self.state = match next {
            Next::Message { octets } => Sending::Message { octets, offset: 0 },
            Next::Later => Sending::Waiting,
            Next::End | Next::Failed(_) => Sending::Ending,
        };
    }

    /// There may be something now.
    pub fn resume(&mut self) {
        if self.state == Sending::Waiting {
            self.state = Sending::Asking;
        }
    }

    /// Octets of the message that could go now: what is left and allowed; none while not even an empty message may go.
    pub fn sendable(&self) -> Option<u32> {
        let Sending::Message { octets, offset } = self.state else { return None };
        (self.credit() > 0).then(|| (octets - offset).min(self.credit()))
    }

    /// `piece` octets were sent. Whether the message ended with them.
    pub fn sent(&mut self, piece: u32) -> bool {
        let Sending::Message { octets, offset } = self.state else { return false };
        let ends = offset + piece == octets && self.credit() > piece;
        self.used = self.used.wrapping_add(piece + u32::from(ends));
        self.state = if ends { Sending::Asking } else { Sending::Message { octets, offset: offset + piece } };
        ends
    }

    /// Nothing more is sent.
    pub fn close(&mut self) {
        self.state = Sending::Over;
    }
}

/// The direction in which the other end sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inlet {
    taken: u32,
    granted: u32,
    window: u32,
    over: bool,
    messages: bool,
    partial: bool,
}

/// The other end sent more than it was allowed, or after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overrun;

impl Inlet {
    /// A direction on which `granted` may come at once, and `window` at a time later.
    pub fn new(granted: u32, window: u32) -> Self {
        Self {
            taken: 0,
            granted: granted.min(WINDOW_MAX),
            window: window.clamp(1, WINDOW_MAX),
            over: false,
            messages: false,
            partial: false,
        }
    }

    /// Counts what came.
    pub fn take(&mut self, octets: usize, ends: bool) -> Result<(), Overrun> {
        let cost = octets as u64 + u64::from(ends);
        if self.over || cost > u64::from(ahead(self.granted, self.taken)) {
            return Err(Overrun);
        }
        self.taken = self.taken.wrapping_add(cost as u32);
        self.messages |= ends;
        self.partial = !ends && (self.partial || octets > 0);
        Ok(())
    }

    /// True once the other end has said its last.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// True if a whole message came.
    pub fn has_message(&self) -> bool {
        self.messages
    }

    /// True if a message has begun and not ended.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Nothing more comes.
    pub fn close(&mut self) {
        self.over = true;
    }

    /// The limit to announce, if it is worth a record, while there is `room` for more.
    pub fn due(&self, room: impl FnOnce() -> u32) -> Option<u32> {
        if self.over {
            return None;
        }
        let target = self.taken.wrapping_add(room().min(self.window));
        let gain = ahead(target, self.granted);
        // Half a window keeps the other end going without a record for each message; who stands still needs any.
        let stands = self.granted == self.taken;
        let worth = gain >= self.window.div_ceil(2) || (stands && gain > 0);
        worth.then_some(target)
    }

    /// `limit` was announced.
    pub fn granted(&mut self, limit: u32) {
        self.granted = limit;
    }
}
