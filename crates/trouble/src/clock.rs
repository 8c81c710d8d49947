//! Between the time of embassy and that of the machines: the one place where they meet.
//!
//! Now is rounded down and a deadline is rounded up, so that a machine woken at its deadline finds
//! that it has come, whatever the tick is.

use airtime_core::{Duration, Instant};
use embassy_time::TICK_HZ;

const NANOS: u128 = 1_000_000_000;

/// Unit of connection intervals. Core 6.0, Vol 6, Part B, 4.5.1.
const INTERVAL_UNIT_US: u64 = 1_250;

/// The time of the driver.
pub(crate) fn now() -> Instant {
    Instant::from_nanos(nanos(embassy_time::Instant::now().as_ticks(), TICK_HZ))
}

/// Instant of embassy's clock at which a timer for `deadline` fires.
pub(crate) fn timer(deadline: Instant) -> embassy_time::Instant {
    embassy_time::Instant::from_ticks(ticks(deadline.as_nanos(), TICK_HZ))
}

/// A span to wait or to ask for, rounded up to whole ticks.
pub(crate) fn span(duration: Duration) -> embassy_time::Duration {
    embassy_time::Duration::from_ticks(ticks(duration.as_nanos(), TICK_HZ))
}

/// A connection interval: the multiple of its unit that the ticks stand for.
pub(crate) fn interval(duration: embassy_time::Duration) -> Duration {
    let units = (duration.as_micros() + INTERVAL_UNIT_US / 2) / INTERVAL_UNIT_US;
    Duration::from_micros(units * INTERVAL_UNIT_US)
}

fn nanos(ticks: u64, hz: u64) -> u64 {
    u64::try_from(u128::from(ticks) * NANOS / u128::from(hz)).unwrap_or(u64::MAX)
}

fn ticks(nanos: u64, hz: u64) -> u64 {
    u64::try_from((u128::from(nanos) * u128::from(hz)).div_ceil(NANOS)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_never_fires_before_its_deadline() {
        for hz in [32_768, 1_000_000, 16_000_000, 1_000_000_000] {
            for deadline in [0, 1, 30_517, 30_518, 999_999_999, 1_000_000_001, 86_400_000_000_007] {
                let fires = ticks(deadline, hz);
                assert!(nanos(fires, hz) >= deadline, "{deadline} ns at {hz} Hz");
                assert!(fires == 0 || nanos(fires - 1, hz) < deadline, "and not a tick later");
            }
        }
    }

    #[test]
    fn an_interval_is_a_multiple_of_its_unit_whatever_the_tick_is() {
        let ticks_of_7_5_ms = embassy_time::Duration::from_micros(7_507);
        assert_eq!(interval(ticks_of_7_5_ms), Duration::from_micros(7_500));
        assert_eq!(interval(embassy_time::Duration::from_millis(4_000)), Duration::from_secs(4));
    }
}
