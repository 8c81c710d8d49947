//! Time to wait for an answer: RFC 6298 with the constants of a radio link.

use airtime_core::{Duration, Instant};

/// Before an answer was measured. *Assumed*: a slow host on both sides.
const FIRST: Duration = Duration::from_millis(10);

/// Bounds of the timeout. *Assumed*: a few frames and the other end's delay; an interruption that a user would notice.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(50);

/// The timeout doubles at most so often.
const BACKOFF_MAX: u32 = 5;

/// The tail timeout.
#[derive(Debug)]
pub(super) struct Timer {
    smoothed: Option<Duration>,
    variation: Duration,
    backoff: u32,
    at: Option<Instant>,
}

impl Timer {
    pub(super) const fn new() -> Self {
        Self { smoothed: None, variation: Duration::ZERO, backoff: 0, at: None }
    }

    /// An answer took so long. RFC 6298, 2.
    pub(super) fn measured(&mut self, took: Duration) {
        let Some(smoothed) = self.smoothed else {
            self.smoothed = Some(took);
            self.variation = took / 2;
            return;
        };
        let apart = if took > smoothed { took - smoothed } else { smoothed - took };
        self.variation = (self.variation * 3 + apart) / 4;
        self.smoothed = Some((smoothed * 7 + took) / 8);
    }

    /// Starts anew, to end a timeout from now.
    pub(super) fn start(&mut self, now: Instant) {
        self.at = Some(now + self.timeout());
    }

    /// There has been progress: the back-off ends.
    pub(super) fn relax(&mut self) {
        self.backoff = 0;
    }

    /// Nothing is waited for.
    pub(super) fn stop(&mut self) {
        self.at = None;
    }

    /// Tells if it has ended; if so it starts anew, twice as long.
    pub(super) fn has_ended(&mut self, now: Instant) -> bool {
        let ended = self.at.is_some_and(|at| at <= now);
        if ended {
            self.backoff = (self.backoff + 1).min(BACKOFF_MAX);
            self.start(now);
        }
        ended
    }

    /// Instant at which it ends.
    pub(super) fn ends(&self) -> Option<Instant> {
        self.at
    }

    fn timeout(&self) -> Duration {
        let once = self.smoothed.map_or(FIRST, |smoothed| smoothed + self.variation * 4).max(SHORTEST);
        (once * (1 << self.backoff)).min(LONGEST)
    }
}
