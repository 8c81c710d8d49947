//! Asking for other connection intervals.

use airtime_core::{Duration, Instant};

use crate::config::IntervalConfig;

/// Number of times that a request is repeated that failed for nothing but bad timing.
const REPEATS_MAX: u8 = 3;

/// Connection intervals between a collision and the next try: a procedure with an instant is over
/// by then, for instants lie at least six events ahead (Core 6.0, Vol 6, Part B, 5.1.1).
const REPEAT_EVENTS: u64 = 10;

/// Shortest and longest interval that will do.
type Range = (Duration, Duration);

/// The requests this end still has to make on one connection.
#[derive(Clone, Debug)]
pub(crate) struct IntervalRequests {
    config: IntervalConfig,
    next: Option<(Instant, Range)>,
    /// Instant at which a request is judged that is not made at once.
    late: Option<Instant>,
    asked: Option<Range>,
    tries: Tries,
}

/// Repetitions of one request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tries {
    repeats: u8,
}

impl Tries {
    /// Instant of the next try behind a request that ended with `status`, if it failed for bad timing and not too often.
    pub(crate) fn again(&mut self, now: Instant, status: u8, interval: Duration) -> Option<Instant> {
        // LL procedure collision, different transaction collision, controller busy.
        let bad_timing = matches!(status, 0x23 | 0x2a | 0x3a);
        (bad_timing && self.repeats < REPEATS_MAX).then(|| {
            self.repeats += 1;
            now + interval * REPEAT_EVENTS
        })
    }
}

impl IntervalRequests {
    pub(crate) fn new(config: &IntervalConfig) -> Self {
        Self { config: *config, next: None, late: None, asked: None, tries: Tries::default() }
    }

    /// Notes when the connection began.
    pub(crate) fn connected(&mut self, now: Instant) {
        let after = self.config.request_after;
        self.late = (!after.is_zero() && self.config.request.is_some()).then_some(now + after);
    }

    /// Makes the first request, if there is one to make on a connection with interval `current` and it was not made before.
    pub(crate) fn begin(&mut self, now: Instant, current: Duration) {
        if self.late.is_none_or(|at| at <= now) {
            self.late = None;
            self.judge(now, current);
        }
    }

    fn judge(&mut self, now: Instant, current: Duration) {
        if let Some(longest) = self.config.request.take() {
            let shortest = self.config.request_from;
            if !shortest.is_some_and(|shortest| (shortest..=longest).contains(&current)) {
                self.next = Some((now, (shortest.unwrap_or(longest), longest)));
            }
        }
    }

    /// The intervals to ask for now, if any; `started` is when the stream did.
    #[inline]
    pub(crate) fn due(&mut self, now: Instant, started: Option<Instant>, current: Duration) -> Option<Range> {
        if self.late.is_some_and(|at| at <= now) {
            self.begin(now, current);
        }
        if self.deadline(started)? > now {
            return None;
        }
        let range = match self.next.take() {
            Some((_, range)) => range,
            None => {
                self.tries = Tries::default();
                let (_, interval) = self.config.change_at.take()?;
                (interval, interval)
            }
        };
        self.asked = Some(range);
        Some(range)
    }

    /// An update ended; one that collided with another procedure is tried again.
    pub(crate) fn updated(&mut self, now: Instant, status: u8, interval: Duration) {
        let Some(asked) = self.asked.take() else { return };
        if let Some(at) = self.tries.again(now, status, interval) {
            self.next = Some((at, asked));
        }
    }

    #[inline]
    pub(crate) fn deadline(&self, started: Option<Instant>) -> Option<Instant> {
        let next = match (self.next, self.config.change_at, started) {
            (Some((at, _)), ..) => Some(at),
            (None, Some((after, _)), Some(started)) => Some(started + after),
            _ => None,
        };
        next.into_iter().chain(self.late).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    const FIFTEEN: Duration = Duration::from_millis(15);
    const THIRTY: Duration = Duration::from_millis(30);

    #[test]
    fn one_request_then_the_change_during_the_stream() {
        let change_at = Some((Duration::from_secs(1), THIRTY));
        let mut requests =
            IntervalRequests::new(&IntervalConfig { request: Some(FIFTEEN), change_at, ..Default::default() });
        assert_eq!(requests.due(at(0), None, THIRTY), None, "not before it begins");
        requests.begin(at(5), THIRTY);
        assert_eq!(requests.due(at(5), None, THIRTY), Some((FIFTEEN, FIFTEEN)));
        requests.begin(at(6), THIRTY);
        assert_eq!(requests.due(at(6), Some(at(6)), THIRTY), None);
        assert_eq!(requests.deadline(Some(at(6))), Some(at(1_006)));
        assert_eq!(requests.due(at(1_006), Some(at(6)), THIRTY), Some((THIRTY, THIRTY)));
        assert_eq!(requests.deadline(Some(at(6))), None);
    }

    #[test]
    fn a_range_is_asked_for_where_the_interval_lies_outside_of_it() {
        for (ms, asked) in [(7, true), (15, false), (20, false), (30, false), (45, true)] {
            let config =
                IntervalConfig { request: Some(THIRTY), request_from: Some(FIFTEEN), ..IntervalConfig::default() };
            let mut requests = IntervalRequests::new(&config);
            requests.begin(at(0), Duration::from_millis(ms));
            assert_eq!(requests.due(at(0), None, THIRTY), asked.then_some((FIFTEEN, THIRTY)), "{ms} ms");
        }
    }

    #[test]
    fn a_collision_is_tried_again_a_refusal_is_not() {
        let mut requests = IntervalRequests::new(&IntervalConfig { request: Some(FIFTEEN), ..Default::default() });
        requests.begin(at(0), THIRTY);
        for n in 0..u64::from(REPEATS_MAX) {
            assert_eq!(requests.due(at(300 * n), None, THIRTY), Some((FIFTEEN, FIFTEEN)));
            requests.updated(at(300 * n), 0x23, THIRTY);
            assert_eq!(requests.deadline(None), Some(at(300 * n + 300)));
        }
        assert_eq!(requests.due(at(900), None, THIRTY), Some((FIFTEEN, FIFTEEN)));
        requests.updated(at(900), 0x3b, THIRTY);
        assert_eq!(requests.deadline(None), None);
    }

    #[test]
    fn a_late_request_is_judged_by_the_interval_there_is_then() {
        for (ms, asked) in [(15, true), (30, false)] {
            let request_after = Duration::from_secs(5);
            let config = IntervalConfig {
                request: Some(Duration::from_millis(50)),
                request_from: Some(THIRTY),
                request_after,
                ..IntervalConfig::default()
            };
            let mut requests = IntervalRequests::new(&config);
            requests.connected(at(0));
            requests.begin(at(100), FIFTEEN);
            assert_eq!(requests.deadline(None), Some(at(5_000)));
            assert_eq!(requests.due(at(4_999), None, FIFTEEN), None);
            let range = (THIRTY, Duration::from_millis(50));
            assert_eq!(requests.due(at(5_000), None, Duration::from_millis(ms)), asked.then_some(range), "{ms} ms");
            assert_eq!(requests.deadline(None), None);
        }
    }
}
