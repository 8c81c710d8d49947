//! Origin of time: the date at which a run starts.

use airtime_core::{Duration, Instant};

/// The wall clock at [`Instant::ZERO`] of a run, in nanoseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    unix: Duration,
}

impl Origin {
    /// Runs in virtual time begin at 2000-01-01T00:00:00Z, so that the same seed gives the same bytes. *Assumed*: any
    /// instant would do, and this one is seen at a glance not to be when the capture was made.
    pub const VIRTUAL: Self = Self::from_unix(Duration::from_secs(946_684_800));

    /// A run that began `unix` after 1970-01-01T00:00:00Z.
    pub const fn from_unix(unix: Duration) -> Self {
        Self { unix }
    }

    /// Nanoseconds from 1970-01-01T00:00:00Z to `at`.
    pub fn unix_nanos(self, at: Instant) -> u64 {
        (Instant::from_nanos(self.unix.as_nanos()) + (at - Instant::ZERO)).as_nanos()
    }
}

impl Default for Origin {
    fn default() -> Self {
        Self::VIRTUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_runs_begin_with_the_year_2000() {
        // 30 years of 365 days with 7 leap days between them: 1972 to 1996.
        let seconds = (30 * 365 + 7) * 24 * 3600;
        assert_eq!(Origin::VIRTUAL.unix_nanos(Instant::from_nanos(5)), seconds * 1_000_000_000 + 5);
    }
}
