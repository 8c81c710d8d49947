//! Acknowledgements of a receiver: due after so many chunks, at once when something is missing, and soon after the
//! last.

use airtime_core::{Duration, Instant};

/// An acknowledgement that is due some time.
#[derive(Debug)]
pub(in crate::tunnel) struct Feedback {
    every: u8,
    delay: Duration,
    waiting: u8,
    at: Option<Instant>,
    due: bool,
}

impl Feedback {
    /// After `every` chunks, or `delay` after the first that was not acknowledged.
    pub(in crate::tunnel) fn new(every: u8, delay: Duration) -> Self {
        Self { every: every.max(1), delay, waiting: 0, at: None, due: false }
    }

    /// A chunk has come; `urgent` if the sender should know at once.
    pub(in crate::tunnel) fn received(&mut self, now: Instant, urgent: bool) {
        self.waiting = self.waiting.saturating_add(1);
        self.due |= urgent || self.waiting >= self.every;
        if self.due {
            self.at = None;
        } else if self.at.is_none() {
            self.at = Some(now + self.delay);
        }
    }

    /// Time has passed.
    pub(in crate::tunnel) fn wake(&mut self, now: Instant) {
        if self.at.is_some_and(|at| at <= now) {
            (self.at, self.due) = (None, true);
        }
    }

    /// True if an acknowledgement is to be sent now.
    pub(in crate::tunnel) fn is_due(&self) -> bool {
        self.due
    }

    /// Takes the acknowledgement that is to be sent now: true if there is one; it then counts as sent.
    pub(in crate::tunnel) fn take(&mut self) -> bool {
        let due = self.due;
        if due {
            (self.due, self.waiting, self.at) = (false, 0, None);
        }
        due
    }

    /// Instant at which it wants to be woken.
    pub(in crate::tunnel) fn deadline(&self) -> Option<Instant> {
        self.at
    }
}
