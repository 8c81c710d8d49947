//! The wall clock as virtual time. Nothing else in this room reads a clock.

use airtime_core::Instant;

/// A monotonic clock whose zero is the moment it was made.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: std::time::Instant,
    date: std::time::SystemTime,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self { start: std::time::Instant::now(), date: std::time::SystemTime::now() }
    }

    /// The date of the start, for captures that have dates.
    pub fn date(&self) -> std::time::SystemTime {
        self.date
    }

    /// Time since the start; it never runs backwards.
    pub fn now(&self) -> Instant {
        // 64 bits of nanoseconds last for 584 years.
        Instant::from_nanos(self.start.elapsed().as_nanos() as u64)
    }
}
