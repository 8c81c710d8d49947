//! The wall clock as virtual time. Nothing else that is live reads a clock.

use airtime_core::{Duration, Instant};

/// Longest time that is waited for: three generations, so that adding it to the time never overflows.
pub const TIME_MAX: Duration = Duration::from_secs(100 * 365 * 86_400);

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

    /// Seconds since 1970 by the date of the start: what programs that print dates print.
    pub fn unix_seconds(&self) -> f64 {
        let since = self.date.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        since.as_secs_f64() + self.now().as_nanos() as f64 / 1e9
    }
}
