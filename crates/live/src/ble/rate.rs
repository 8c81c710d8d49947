//! Payload of a stream by the second, and in its steady state.

use airtime_core::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// Seconds that are kept: a day. Of those after it there is only their sum.
const SECONDS_MAX: usize = 86_400;

/// Payload of one stream, from its first octet to its last.
#[derive(Clone, Debug)]
pub struct Rate {
    warmup: Duration,
    first: Option<Instant>,
    last: Instant,
    octets: u64,
    /// Octets of the warm-up.
    warm: u64,
    /// Begin of the steady state, and the octets by then.
    steady: Option<(Instant, u64)>,
    seconds: Vec<u64>,
}

impl Rate {
    /// No octet yet, of a stream whose first `warmup` is not its steady state.
    pub fn new(warmup: Duration) -> Self {
        Self { warmup, first: None, last: Instant::ZERO, octets: 0, warm: 0, steady: None, seconds: Vec::new() }
    }

    /// A new stream begins: the one before is over.
    pub fn restart(&mut self) {
        *self = Self::new(self.warmup);
    }

    /// Counts `octets` of payload that have come at `now`.
    pub fn note(&mut self, now: Instant, octets: u64) {
        let first = *self.first.get_or_insert(now);
        self.last = now;
        self.octets += octets;
        let second = ((now - first).as_nanos() / SECOND.as_nanos()) as usize;
        if second < SECONDS_MAX {
            self.seconds.resize(self.seconds.len().max(second + 1), 0);
            self.seconds[second] += octets;
        }
        if now - first < self.warmup {
            self.warm += octets;
        } else if self.steady.is_none() {
            self.steady = Some((now, self.octets));
        }
    }

    /// Payload per second of each whole second that is over, in 10³ bit/s.
    pub fn series_kbps(&self) -> Vec<f64> {
        let whole = self.seconds.len().saturating_sub(1);
        self.seconds[..whole].iter().map(|octets| kbps(*octets, SECOND)).collect()
    }

    /// The same of each whole second that is over by `now`: one without an octet counts as that.
    pub fn series_by(&self, now: Instant) -> Vec<f64> {
        let took = self.first.map_or(Duration::ZERO, |first| now.max(self.last) - first);
        let whole = (took.as_nanos() / SECOND.as_nanos()).min(SECONDS_MAX as u64) as usize;
        (0..whole).map(|second| kbps(self.seconds.get(second).copied().unwrap_or(0), SECOND)).collect()
    }

    /// Payload per second from the first octet to the last, in 10³ bit/s.
    pub fn goodput_kbps(&self) -> Option<f64> {
        let took = self.last - self.first?;
        (!took.is_zero()).then(|| kbps(self.octets, took))
    }

    /// The same of the steady state, once it has lasted a second.
    pub fn steady_kbps(&self) -> Option<f64> {
        let (since, octets) = self.steady?;
        let took = self.last - since;
        (took >= SECOND).then(|| kbps(self.octets - octets, took))
    }

    /// Payload per second from the end of the warm-up to `now`, in 10³ bit/s, once that has lasted a second: a silence counts.
    pub fn steady_by(&self, now: Instant) -> Option<f64> {
        let took = now.max(self.last).saturating_since(self.first? + self.warmup);
        (took >= SECOND).then(|| kbps(self.octets - self.warm, took))
    }
}

fn kbps(octets: u64, time: Duration) -> f64 {
    (octets as f64 * 8e7 / time.as_nanos() as f64).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn a_stream_has_its_seconds_and_its_steady_state() {
        let mut rate = Rate::new(Duration::from_secs(2));
        assert_eq!((rate.goodput_kbps(), rate.steady_kbps()), (None, None));
        // 400 kbps for 2 s, then 800, from the seventh second on: when the server started says nothing.
        (0..20).for_each(|unit| rate.note(at(7_000 + 100 * unit), 5_000));
        (0..31).for_each(|unit| rate.note(at(9_000 + 100 * unit), 10_000));
        assert_eq!(rate.series_kbps(), [400.0, 400.0, 800.0, 800.0, 800.0]);
        assert_eq!(rate.steady_kbps(), Some(800.0));
        assert_eq!(rate.goodput_kbps(), Some(656.0));
        // By a time in which nothing has come, that counts.
        assert_eq!(rate.steady_by(at(12_000)), Some(826.7));
        assert_eq!(rate.steady_by(at(15_000)), Some(413.3));
        assert_eq!(rate.series_by(at(14_500)), [400.0, 400.0, 800.0, 800.0, 800.0, 80.0, 0.0]);
        rate.restart();
        assert_eq!((rate.series_by(at(20_000)), rate.steady_by(at(20_000))), (vec![], None));
        rate.note(at(20_000), 5_000);
        assert_eq!((rate.steady_by(at(22_999)), rate.steady_by(at(23_000))), (None, Some(0.0)));
        assert_eq!((rate.series_kbps(), rate.steady_kbps()), (vec![], None));
    }
}
