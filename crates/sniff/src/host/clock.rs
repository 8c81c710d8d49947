//! Time of a log, by a computer's clock, which is set now and then.

use airtime_core::Instant;

/// From here on back a stamp is of a clock that was set. *Assumed*: packets that are written out of order are closer, for they wait for a
/// thread at most.
const SET_BACK_NS: u64 = 1_000_000_000;
/// Time goes no further, 146 years: stamps beyond are none.
const LAST_NS: u64 = u64::MAX / 4;

/// Follows the stamps of a log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// The stamp that counts as the beginning.
    origin: Option<i64>,
    /// The one until the packet before, if that was stamped by a clock that was set back.
    former: Option<i64>,
    now_ns: u64,
    /// Stamps before that of the packet in front of them.
    pub backwards: u64,
}

impl Clock {
    /// Time of the next packet: not before the one in front of it, and on from there where the clock was set back.
    pub fn at(&mut self, unix_ns: i64) -> Instant {
        let origin = *self.origin.get_or_insert(unix_ns);
        let since = |origin: i64| {
            u64::try_from(unix_ns.saturating_sub(origin))
                .ok()
                .filter(|ns| *ns <= LAST_NS)
                .filter(|ns| *ns >= self.now_ns)
        };
        // One packet with an odd stamp is no clock that was set: the next one goes on from those in front of it.
        let former = self.former.take().filter(|former| since(*former).is_some());
        let origin = former.unwrap_or(origin);
        self.origin = Some(origin);
        let now_ns = since(origin);
        if let Some(now_ns) = now_ns {
            self.now_ns = now_ns;
        } else {
            self.backwards += 1;
            let apart = i128::from(unix_ns) - i128::from(origin) - i128::from(self.now_ns);
            if apart.unsigned_abs() >= SET_BACK_NS.into() {
                self.former = Some(origin);
                self.origin = Some(unix_ns.saturating_sub(self.now_ns as i64));
            }
        }
        Instant::from_nanos(self.now_ns)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Times of packets with these stamps, in ms, and how many went back.
    fn times(stamps_ms: &[i64]) -> (Vec<u64>, u64) {
        let mut clock = Clock::default();
        let times = stamps_ms.iter().map(|ms| clock.at(ms * 1_000_000).as_nanos() / 1_000_000).collect();
        (times, clock.backwards)
    }

    #[test]
    fn time_goes_on_behind_a_clock_that_was_set_back() {
        let hour = 3_600_000;
        assert_eq!(times(&[hour, hour + 50, 70, 100, 2 * hour]), (Vec::from([0, 50, 50, 80, 2 * 3_600_000 - 20]), 1));
        assert_eq!(times(&[-5, 0, -hour, -hour + 7, -2 * hour, 7 - 2 * hour]).0, [0, 5, 5, 12, 12, 19]);
    }

    #[test]
    fn packets_out_of_order_move_no_clock() {
        assert_eq!(times(&[5000, 5900, 5000, 5950]), (Vec::from([0, 900, 900, 950]), 1));
        // A second, and a packet without a stamp.
        assert_eq!(times(&[5000, 6000, 5000, 5010]).0, [0, 1000, 1000, 1010]);
        assert_eq!(times(&[5000, 6000, 0, 6010, 6020]), (Vec::from([0, 1000, 1000, 1010, 1020]), 1));
    }

    #[test]
    fn stamps_as_far_apart_as_they_can_be_written_are_followed() {
        let mut clock = Clock::default();
        let mut before = Instant::ZERO;
        for unix_ns in [i64::MIN, i64::MAX, 0, i64::MIN, i64::MAX, i64::MIN, 0, 7] {
            let at = clock.at(unix_ns);
            assert!(at >= before);
            before = at;
        }
    }
}
