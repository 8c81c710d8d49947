//! Pace of a source: at a constant bit rate, or as iperf3 paces.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};

/// Rule by which a source keeps to its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Datagram *n* leaves at `n × size / rate`, to the nanosecond.
    #[default]
    Constant,
    /// Every millisecond as many datagrams leave at once as bring the average since the start up to the rate
    /// (iperf 3, src/iperf_api.c, `iperf_check_throttle`: the average of the whole test against the target, asked by a timer
    /// of 1000 µs and after each datagram).
    Iperf3,
}

/// iperf 3, src/iperf_api.h, `DEFAULT_PACING_TIMER`.
const PACING_TIMER: Duration = Duration::from_millis(1);

/// The sending times of one source.
#[derive(Clone, Debug)]
pub struct Pacer {
    pace: Pace,
    /// Bits of payload per second; at least 1.
    rate: u64,
    /// Bits of payload in a datagram.
    bits: u64,
    start: Instant,
    end: Instant,
    sent: u64,
    /// The next time of the timer; of `Iperf3` only.
    tick: Instant,
}

impl Pacer {
    /// Datagrams of `octets` at `rate`, from `start` on for `duration`.
    ///
    /// # Panics
    /// When the rate is zero or the datagram is empty.
    pub fn new(pace: Pace, rate: Bitrate, octets: usize, start: Instant, duration: Duration) -> Self {
        assert!(rate.0 > 0 && octets > 0, "a source sends something");
        Self { pace, rate: rate.0, bits: octets as u64 * 8, start, end: start + duration, sent: 0, tick: start }
    }

    /// Instant at which the next datagram is due; none when the time of the test is over.
    pub fn deadline(&self) -> Option<Instant> {
        let next = match self.pace {
            Pace::Constant => self.start + Duration::from_nanos(self.nanos(self.sent)),
            Pace::Iperf3 => self.tick,
        };
        (next < self.end).then_some(next)
    }

    /// Tells if a datagram leaves at `now`; to be asked until it says no.
    pub fn take(&mut self, now: Instant) -> bool {
        while self.deadline().is_some_and(|due| due <= now) {
            if self.pace == Pace::Constant || self.below_the_rate(now) {
                self.sent += 1;
                return true;
            }
            self.tick += PACING_TIMER;
        }
        false
    }

    /// Datagrams sent so far.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Instant at which the source stops for good.
    pub fn end(&self) -> Instant {
        self.end
    }

    /// True if the average since the start is below the target. The first datagram leaves before there is an average.
    fn below_the_rate(&self, now: Instant) -> bool {
        let elapsed = u128::from((now.min(self.end) - self.start).as_nanos());
        self.sent == 0 || u128::from(self.sent * self.bits) * 1_000_000_000 < u128::from(self.rate) * elapsed
    }

    /// Nanoseconds that `datagrams` take at the rate, rounded down.
    fn nanos(&self, datagrams: u64) -> u64 {
        (u128::from(datagrams) * u128::from(self.bits) * 1_000_000_000 / u128::from(self.rate)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The sending times in µs of a pacer that is woken at its deadlines.
    fn times(mut pacer: Pacer) -> Vec<u64> {
        let mut times = Vec::new();
        while let Some(now) = pacer.deadline() {
            while pacer.take(now) {
                times.push(now.as_nanos() / 1_000);
            }
            assert!(pacer.deadline().is_none_or(|next| next > now), "stands still at {now}");
        }
        times
    }

    #[test]
    fn a_constant_rate_is_exact_and_does_not_drift() {
        // 32 octets at 185 kbit/s: 256 / 185 000 s = 1383.783… µs.
        let start = Instant::from_nanos(1_000_000);
        let pacer = Pacer::new(Pace::Constant, Bitrate(185_000), 32, start, Duration::from_secs(10));
        let times = times(pacer);
        assert_eq!(times[..4], [1_000, 2_383, 3_767, 5_151]);
        // 10 s × 185 000 / 256 = 7226.56: numbers 0 to 7226.
        assert_eq!(times.len(), 7_227);
        assert_eq!(times[7_000], 1_000 + 7_000 * 256 * 1_000 / 185);
    }

    #[test]
    fn iperf_catches_up_with_its_average_every_millisecond() {
        // 200 octets at 4 Mbit/s: 1600 bits every 400 µs; the average is asked each millisecond.
        let pacer = Pacer::new(Pace::Iperf3, Bitrate(4_000_000), 200, Instant::ZERO, Duration::from_millis(4));
        // After 1 ms 4000 bits are due: 3 datagrams, one of them sent at once; after 2 ms 8000: 5; after 3 ms 12 000: 8.
        assert_eq!(times(pacer), [0, 1_000, 1_000, 2_000, 2_000, 3_000, 3_000, 3_000]);
    }

    #[test]
    fn iperf_bursts_after_a_stall() {
        let mut pacer = Pacer::new(Pace::Iperf3, Bitrate(1_000_000), 125, Instant::ZERO, Duration::from_secs(1));
        assert!(pacer.take(Instant::ZERO) && !pacer.take(Instant::ZERO));
        let late = Instant::ZERO + Duration::from_millis(50);
        let mut burst = 0;
        while pacer.take(late) {
            burst += 1;
        }
        assert_eq!(burst, 49, "50 datagrams are due after 50 ms, one was sent");
    }

    #[test]
    fn both_paces_send_the_same_amount() {
        for rate in [64_000, 200_000, 600_000, 1_500_000] {
            let count = |pace| times(Pacer::new(pace, Bitrate(rate), 32, Instant::ZERO, Duration::from_secs(5))).len();
            let (constant, iperf) = (count(Pace::Constant), count(Pace::Iperf3));
            // The last millisecond of iperf has no timer any more.
            assert!(constant.abs_diff(iperf) as u64 <= rate / 256_000 + 1, "{rate}: {constant} against {iperf}");
        }
    }
}
