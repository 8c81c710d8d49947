//! Schedule of the end that polls: at once while the other end has something, ever less often when it has not.

use airtime_core::{Duration, Instant};

/// Pause between polls that bring nothing: at first, and at most. What the latter is, a packet of the polled end may wait.
const PAUSE_FIRST: Duration = Duration::from_millis(1);
const PAUSE_LAST: Duration = Duration::from_millis(8);

/// The poller.
#[derive(Debug)]
pub(super) struct Poller {
    due: bool,
    pause: Duration,
    at: Instant,
}

impl Poller {
    pub(super) fn new(now: Instant) -> Self {
        Self { due: false, pause: PAUSE_FIRST, at: now + PAUSE_FIRST }
    }

    /// A frame was sent: the other end had an occasion to answer.
    pub(super) fn sent(&mut self, now: Instant) {
        self.due = false;
        self.at = now + self.pause;
    }

    /// The other end has answered with something.
    pub(super) fn answered(&mut self) {
        self.due = true;
        self.pause = PAUSE_FIRST;
    }

    /// True if a poll is due.
    pub(super) fn is_due(&self) -> bool {
        self.due
    }

    /// Time has passed.
    pub(super) fn wake(&mut self, now: Instant) {
        if self.at <= now {
            self.due = true;
            self.pause = (self.pause * 2).min(PAUSE_LAST);
            self.at = now + self.pause;
        }
    }

    /// Instant at which it wants to be woken.
    pub(super) fn deadline(&self) -> Instant {
        self.at
    }
}
