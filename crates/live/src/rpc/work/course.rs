//! Course of a transfer, in either direction: its calls, its attempts and its times.

use airtime_core::{Duration, Instant};

use super::JobError;

/// Times in a row that a transfer is begun again without an octet of progress. *Assumed*: a link that is gone five times
/// before anything has crossed it is no link.
const ATTEMPTS_MAX: u32 = 5;

/// Calls, attempts and times of a transfer, and what has ended it too early.
#[derive(Debug, Default)]
pub struct Course {
    pub(super) calls: u32,
    pub(super) resumed: u32,
    /// Octets there were when a call was last lost, and how many were lost in a row with no more of them.
    fruitless: (u64, u32),
    began: Option<Instant>,
    took: Option<Duration>,
    pub(super) error: Option<JobError>,
}

impl Course {
    /// Calls it took.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Number of times that it went on after a call that was lost, or where an earlier transfer has stopped.
    pub fn resumed(&self) -> u32 {
        self.resumed
    }

    /// From the begin of the first call to the end of the last.
    pub fn took(&self) -> Option<Duration> {
        self.took
    }

    /// Calls begin at `now`, unless they have.
    pub(super) fn begin(&mut self, now: Instant) {
        self.began.get_or_insert(now);
    }

    /// Ends the transfer: all of it is there.
    pub(super) fn end(&mut self, now: Instant) {
        self.took = self.began.map(|began| now - began);
    }

    /// A call was lost with `have` octets there; whether another attempt is worth its while.
    pub(super) fn lost(&mut self, have: u64) -> bool {
        let in_a_row = if have == self.fruitless.0 { self.fruitless.1 + 1 } else { 1 };
        self.fruitless = (have, in_a_row);
        in_a_row < ATTEMPTS_MAX
    }
}
