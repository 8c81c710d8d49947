//! Meter of arrivals: totals, whole seconds, steady state.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// Finished seconds that wait for [`Meter::take_second`]; when nobody takes them the oldest go.
const SECONDS_KEPT: u64 = 16;

/// The arrivals of one connection.
#[derive(Clone, Debug)]
pub struct Meter {
    warmup: Duration,
    start: Option<Instant>,
    sdus: u64,
    octets: u64,
    /// Octets of second `n` at `n` modulo [`SECONDS_KEPT`].
    seconds: [u64; SECONDS_KEPT as usize],
    oldest: u64,
    current: u64,
    steady: Option<Steady>,
}

/// Figures of the steady state: SDUs that have arrived after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steady {
    /// Arrival of the first SDU after the warm-up.
    pub first: Instant,
    /// Its octets: they were under way before the measurement began.
    pub first_octets: u64,
    /// Arrival of the last SDU.
    pub last: Instant,
    /// Octets of all of them.
    pub octets: u64,
    /// Number of SDUs.
    pub sdus: u64,
}

impl Steady {
    /// Octets behind the first SDU over the time they took.
    pub fn rate(&self) -> Bitrate {
        Bitrate::of(self.octets - self.first_octets, self.last - self.first)
    }
}

impl Meter {
    /// Nothing has arrived; the steady state will begin `warmup` after the first SDU.
    pub(crate) fn new(warmup: Duration) -> Self {
        Self {
            warmup,
            start: None,
            sdus: 0,
            octets: 0,
            seconds: [0; SECONDS_KEPT as usize],
            oldest: 0,
            current: 0,
            steady: None,
        }
    }

    pub(crate) fn arrived(&mut self, now: Instant, octets: u16) {
        let octets = u64::from(octets);
        let start = *self.start.get_or_insert(now);
        self.sdus += 1;
        self.octets += octets;
        self.roll(start, now);
        self.seconds[Self::place(self.current)] += octets;
        if now.saturating_since(start) < self.warmup {
            return;
        }
        let fresh = Steady { first: now, first_octets: octets, last: now, octets: 0, sdus: 0 };
        let steady = self.steady.get_or_insert(fresh);
        steady.last = now;
        steady.octets += octets;
        steady.sdus += 1;
    }

    /// Arrival of the first SDU.
    pub fn start(&self) -> Option<Instant> {
        self.start
    }

    /// SDUs that have arrived.
    pub fn sdus(&self) -> u64 {
        self.sdus
    }

    /// Octets that have arrived.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// The steady state, if the warm-up is over.
    pub fn steady(&self) -> Option<Steady> {
        self.steady
    }

    /// The oldest whole second since the first SDU that has ended and was not taken yet: its number
    /// from zero, and its octets.
    pub fn take_second(&mut self, now: Instant) -> Option<(u64, u64)> {
        self.roll(self.start?, now);
        let second = self.oldest;
        if second == self.current {
            return None;
        }
        self.oldest += 1;
        Some((second, self.seconds[Self::place(second)]))
    }

    /// Moves on to the second that `now` is in.
    fn roll(&mut self, start: Instant, now: Instant) {
        let second = now.saturating_since(start) / SECOND;
        if second <= self.current {
            return;
        }
        for fresh in (self.current + 1..=second).rev().take(SECONDS_KEPT as usize) {
            self.seconds[Self::place(fresh)] = 0;
        }
        self.current = second;
        self.oldest = self.oldest.max(second.saturating_sub(SECONDS_KEPT - 1));
    }

    fn place(second: u64) -> usize {
        (second % SECONDS_KEPT) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn seconds_count_from_the_first_sdu_and_idle_ones_are_zero() {
        let mut meter = Meter::new(Duration::ZERO);
        assert_eq!(meter.take_second(at(400)), None);
        for ms in [500, 1_499, 1_500, 4_000] {
            meter.arrived(at(ms), 100);
        }
        let taken = core::array::from_fn(|_| meter.take_second(at(4_000)));
        assert_eq!(taken, [Some((0, 200)), Some((1, 100)), Some((2, 0)), None]);
        assert_eq!(meter.take_second(at(4_500)), Some((3, 100)));
        assert_eq!(meter.take_second(at(4_500)), None);
    }

    #[test]
    fn seconds_nobody_takes_are_forgotten() {
        let mut meter = Meter::new(Duration::ZERO);
        for second in 0..40 {
            meter.arrived(at(1_000 * second), second as u16);
        }
        assert_eq!(meter.take_second(at(39_000)), Some((24, 24)));
        meter.arrived(at(1_000_000_000_000), 1);
        assert_eq!(meter.take_second(at(1_000_000_000_000)), Some((999_999_985, 0)));
    }

    #[test]
    fn the_steady_state_begins_with_the_first_sdu_after_the_warm_up() {
        let mut meter = Meter::new(Duration::from_secs(2));
        for ms in (0..=4_000).step_by(500) {
            meter.arrived(at(10 + ms), 1_000);
        }
        let steady = meter.steady().unwrap();
        assert_eq!((steady.first, steady.last), (at(2_010), at(4_010)));
        assert_eq!((steady.sdus, steady.octets), (5, 5_000));
        // Four SDUs of 1000 octets in two seconds.
        assert_eq!(steady.rate(), Bitrate(16_000));
        assert_eq!((meter.sdus(), meter.octets()), (9, 9_000));
    }
}
