//! Rate of the next PPDU: always the same, or the one that has worked best.
//!
//! The second is Minstrel in idea (Linux, `net/mac80211/rc80211_minstrel_ht.c`): the success of every rate is an exponentially
//! weighted mean over intervals, the expected throughput decides, and now and then another rate is tried, with a single MPDU. One
//! stream, one guard interval, one width; no retry chains.

use alloc::boxed::Box;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

use crate::air::Phy;

/// Rate control of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateConfig {
    /// Always this.
    Fixed(Phy),
    /// Like Minstrel, among the MCS of this PHY up to its own.
    Minstrel {
        /// Format, width, guard interval, and the highest MCS; where it begins.
        highest: Phy,
        /// Interval between updates of the statistics: 50 ms in Linux (`update_interval`, `HZ / 20`).
        interval: Duration,
        /// One PPDU of so many tries another rate: one in ten in the first Minstrel (`lookaround_rate_mrr`, 10 %).
        sample_every: u16,
        /// Weight of the past in percent: 75 in Linux (`EWMA_LEVEL` 96 of 128).
        past_percent: u8,
    },
}

impl RateConfig {
    /// Minstrel with the constants of Linux, up to `highest`.
    pub const fn minstrel(highest: Phy) -> Self {
        Self::Minstrel { highest, interval: Duration::from_millis(50), sample_every: 10, past_percent: 75 }
    }

    /// The highest rate that it may choose.
    pub const fn highest(self) -> Phy {
        match self {
            Self::Fixed(phy) | Self::Minstrel { highest: phy, .. } => phy,
        }
    }
}

/// A [`RateConfig`] at work towards one receiver.
#[derive(Clone, Debug)]
pub enum Rate {
    /// Always this.
    Fixed(Phy),
    /// Like Minstrel.
    Minstrel(Box<Minstrel>),
}

impl Rate {
    /// The rate of a station that has sent nothing yet.
    pub fn new(config: RateConfig) -> Self {
        match config {
            RateConfig::Fixed(phy) => Self::Fixed(phy),
            RateConfig::Minstrel { highest, interval, sample_every, past_percent } => {
                Self::Minstrel(Box::new(Minstrel::new(highest, interval, sample_every, past_percent)))
            }
        }
    }

    /// Transmission parameters of the next PPDU, with a flag for a probe: a single MPDU at another rate than the best.
    pub fn next(&mut self, now: Instant, stream: &mut Stream) -> (Phy, bool) {
        match self {
            Self::Fixed(phy) => (*phy, false),
            Self::Minstrel(minstrel) => minstrel.next(now, stream),
        }
    }

    /// Transmission parameters that serve best so far: those of a PPDU that follows another in its TXOP.
    pub fn best(&self) -> Phy {
        match self {
            Self::Fixed(phy) => *phy,
            Self::Minstrel(minstrel) => Phy { mcs: minstrel.best, ..minstrel.highest },
        }
    }

    /// Of `sent` MPDUs at `phy`, `acked` were acknowledged.
    pub fn report(&mut self, phy: Phy, sent: u32, acked: u32) {
        if let Self::Minstrel(minstrel) = self {
            minstrel.report(phy, sent, acked);
        }
    }
}

/// Probabilities are in parts of 65,536: integers are the same everywhere.
const ONE: u32 = 65_536;

/// Below a tenth Linux takes a rate for useless (`MINSTREL_FRAC(10, 100)` in `minstrel_ht_get_tp_avg`).
const USELESS: u32 = ONE / 10;

/// Above nine tenths more success is not counted, so that the faster of two good rates wins (the same function).
const GOOD_ENOUGH: u32 = ONE / 10 * 9;

/// Statistics of one rate.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    /// MPDUs that were sent in this interval.
    sent: u32,
    acked: u32,
    /// Mean success of the intervals before; none while it was never tried.
    success: Option<u32>,
}

/// Statistics of every rate, and the best one.
#[derive(Clone, Debug)]
pub struct Minstrel {
    highest: Phy,
    interval: Duration,
    sample_every: u16,
    past_percent: u32,
    statistics: [Statistics; 12],
    best: u8,
    updated: Option<Instant>,
    ppdus: u16,
}

impl Minstrel {
    fn new(highest: Phy, interval: Duration, sample_every: u16, past_percent: u8) -> Self {
        Self {
            highest,
            interval,
            sample_every: sample_every.max(2),
            past_percent: u32::from(past_percent.min(99)),
            statistics: Default::default(),
            best: highest.mcs,
            updated: None,
            ppdus: 0,
        }
    }

    /// The MCS that serves best so far.
    pub fn best(&self) -> u8 {
        self.best
    }

    fn next(&mut self, now: Instant, stream: &mut Stream) -> (Phy, bool) {
        let since = *self.updated.get_or_insert(now);
        if now.saturating_since(since) >= self.interval {
            self.updated = Some(now);
            self.update();
        }
        let rates = u64::from(self.highest.mcs) + 1;
        if rates == 1 {
            return (self.highest, false);
        }
        self.ppdus += 1;
        if self.ppdus < self.sample_every {
            return (Phy { mcs: self.best, ..self.highest }, false);
        }
        self.ppdus = 0;
        // Any rate but the best one.
        let other = (u64::from(self.best) + 1 + stream.below(rates - 1)) % rates;
        (Phy { mcs: other as u8, ..self.highest }, true)
    }

    fn report(&mut self, phy: Phy, sent: u32, acked: u32) {
        let statistics = &mut self.statistics[usize::from(phy.mcs)];
        statistics.sent += sent;
        statistics.acked += acked;
    }

    fn update(&mut self) {
        for statistics in &mut self.statistics {
            if statistics.sent == 0 {
                continue;
            }
            let now = (u64::from(statistics.acked) * u64::from(ONE) / u64::from(statistics.sent)) as u32;
            statistics.success = Some(match statistics.success {
                None => now,
                Some(before) => (before * self.past_percent + now * (100 - self.past_percent)) / 100,
            });
            (statistics.sent, statistics.acked) = (0, 0);
        }
        let rates = 0..=self.highest.mcs;
        self.best = rates.max_by_key(|&mcs| self.throughput(mcs)).unwrap_or(0);
    }

    /// Throughput that a rate promises: bits per symbol times success; nothing while it is unknown or useless. (Of
    /// equals the slowest serves.)
    fn throughput(&self, mcs: u8) -> u64 {
        let success = match self.statistics[usize::from(mcs)].success {
            Some(success) if success >= USELESS => success.min(GOOD_ENOUGH),
            _ => 0,
        };
        u64::from(success) * u64::from(Phy { mcs, ..self.highest }.bits_per_symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::{Guard, Width};
    use airtime_core::random::stream;

    #[test]
    fn a_single_rate_serves_for_ever() {
        let lowest = Phy::ht(Width::Mhz20, Guard::Ns800, 0);
        let (mut rate, mut draws) = (Rate::new(RateConfig::minstrel(lowest)), stream(1, "rate"));
        // More PPDUs than their counter holds.
        let mut others = (0..=u32::from(u16::MAX)).map(|_| rate.next(Instant::ZERO, &mut draws));
        assert!(others.all(|next| next == (lowest, false)));
    }
}
