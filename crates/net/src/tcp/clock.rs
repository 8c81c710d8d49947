//! The one place where virtual time becomes smoltcp's and back: now floors to its microseconds, deadlines are whole ones.

use airtime_core::Instant;

/// `at` for smoltcp: the microsecond that has begun.
pub fn floor(at: Instant) -> smoltcp::time::Instant {
    smoltcp::time::Instant::from_micros_const((at.as_nanos() / 1_000) as i64)
}

/// Deadline for a smoltcp that wants to be polled at `at`: strictly after `now`, because at `now` it was polled until
/// it had nothing left to do.
///
/// A deadline within the microsecond that has begun would come before `now`, so it moves to the next whole one.
pub fn deadline(at: smoltcp::time::Instant, now: Instant) -> Instant {
    let at = Instant::from_nanos(at.total_micros().max(0) as u64 * 1_000);
    let next = Instant::from_nanos((now.as_nanos() / 1_000 + 1) * 1_000);
    at.max(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn now_floors_and_deadlines_come_later() {
        let now = Instant::from_nanos(1_234_567);
        assert_eq!(floor(now).total_micros(), 1_234);
        assert_eq!(deadline(floor(now), now).as_nanos(), 1_235_000);
        assert_eq!(deadline(smoltcp::time::Instant::from_micros_const(0), now).as_nanos(), 1_235_000);
        assert_eq!(deadline(smoltcp::time::Instant::from_micros_const(1_300), now).as_nanos(), 1_300_000);
        let whole = Instant::from_nanos(1_000);
        assert_eq!(deadline(floor(whole), whole).as_nanos(), 2_000);
    }
}
