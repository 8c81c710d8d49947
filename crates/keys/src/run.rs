//! Keys that every link has: length and repeats of a run.

use airtime_core::Duration;

use crate::{Fault, Keys};

/// Keys of a plan's `[run]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "run")]
pub struct Run {
    /// Virtual time from the connection to the end.
    #[key(range = "1ms"..="24h", default = "60s")]
    pub duration: Duration,
    /// Left out of the steady state, from the first SDU or value.
    #[key(range = "0us"..="24h", default = "2s")]
    pub warmup: Duration,
    /// Seed of the first run.
    #[key(range = 0..=9_223_372_036_854_775_807, default = 1)]
    pub seed: u64,
    /// Runs with seed, seed + 1, ...; what draws no random number is run once.
    #[key(range = 1..=1_000, default = 3)]
    pub repeat: u32,
}

impl Run {
    /// Refuses a run that ends before it is warm.
    ///
    /// # Errors
    /// When the duration is not longer than the warm-up.
    pub fn check(&self) -> Result<(), Fault> {
        if self.warmup < self.duration {
            return Ok(());
        }
        let Self { duration, warmup, .. } = self;
        let what = alloc::format!("`run.duration`: {duration} is not longer than the warm-up of {warmup}");
        Err(Fault::new(what).about([Self::DURATION, Self::WARMUP]))
    }
}
