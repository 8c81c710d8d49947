//! Cycles of a CPU as virtual time.

use airtime_core::Instant;

/// Rate of the timers. Arm AN505, clocks.
const TIMER_HERTZ: u64 = 20_000_000;

/// Clock of a CPU: cycles since the run began, which never run backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    hertz: u64,
}

impl Clock {
    /// A clock of so many cycles a second.
    pub(crate) fn new(hertz: u32) -> Self {
        assert!(hertz > 0, "a clock that stands still executes nothing");
        Self { hertz: hertz.into() }
    }

    /// Cycles that are over at `now`.
    pub(crate) fn cycles(self, now: Instant) -> u64 {
        scaled(now.as_nanos(), self.hertz, 1_000_000_000)
    }

    /// First instant at which so many cycles are over.
    pub(crate) fn instant(self, cycles: u64) -> Instant {
        Instant::from_nanos(scaled_up(cycles, 1_000_000_000, self.hertz))
    }

    /// Ticks of the timers that are over after so many cycles.
    pub(crate) fn ticks(self, cycles: u64) -> u64 {
        scaled(cycles, TIMER_HERTZ, self.hertz)
    }

    /// First cycle at which so many ticks are over.
    pub(crate) fn at_tick(self, ticks: u64) -> u64 {
        scaled_up(ticks, self.hertz, TIMER_HERTZ)
    }

    /// Cycles in a microsecond, at least one.
    pub(crate) fn per_microsecond(self) -> u64 {
        (self.hertz / 1_000_000).max(1)
    }
}

fn scaled(value: u64, by: u64, of: u64) -> u64 {
    u64::try_from(u128::from(value) * u128::from(by) / u128::from(of)).unwrap_or(u64::MAX)
}

fn scaled_up(value: u64, by: u64, of: u64) -> u64 {
    u64::try_from((u128::from(value) * u128::from(by)).div_ceil(of.into())).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_of_a_cycle_is_when_it_is_over() {
        for hertz in [64_000_000, 128_000_000, 33_333_333] {
            let clock = Clock::new(hertz);
            for cycles in [0, 1, 2, 3, 64, 1_000_003, 64_000_000 * 86_400] {
                let at = clock.instant(cycles);
                assert!(clock.cycles(at) >= cycles, "{cycles} at {hertz}");
                assert!(
                    cycles == 0 || clock.cycles(at.saturating_back(airtime_core::Duration::from_nanos(1))) < cycles
                );
                assert!(clock.ticks(clock.at_tick(cycles)) >= cycles);
            }
        }
    }
}
