//! Unslotted CSMA-CA of one frame. 6.2.5.1.

use airtime_core::Duration;
use airtime_core::random::Stream;

use super::{Backoff, MacConfig};
use crate::air::{UNIT_BACKOFF, mean_backoff};

/// Number of backoffs (NB) and backoff exponent (BE) of one attempt to access the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsmaCa {
    min_be: u8,
    max_be: u8,
    max_backoffs: u8,
    backoff: Backoff,
    busy: u8,
    exponent: u8,
}

impl CsmaCa {
    /// An access that has not begun.
    pub const fn new(config: &MacConfig) -> Self {
        let MacConfig { min_be, max_be, max_backoffs, backoff, .. } = *config;
        Self { min_be, max_be, max_backoffs, backoff, busy: 0, exponent: min_be }
    }

    /// Begins anew: NB = 0, BE = macMinBe.
    pub const fn begin(&mut self) {
        (self.busy, self.exponent) = (0, self.min_be);
    }

    /// The next backoff.
    pub fn draw(&self, stream: &mut Stream) -> Duration {
        match self.backoff {
            // One value is left, and nothing to draw.
            Backoff::Random if self.exponent == 0 => Duration::ZERO,
            Backoff::Random => UNIT_BACKOFF * stream.below(1 << self.exponent),
            Backoff::Mean => mean_backoff(self.exponent),
        }
    }

    /// The channel was busy: NB and BE grow. True when another backoff follows, false when the channel counts as taken.
    pub fn busy(&mut self) -> bool {
        self.busy += 1;
        self.exponent = (self.exponent + 1).min(self.max_be);
        self.busy <= self.max_backoffs
    }
}
