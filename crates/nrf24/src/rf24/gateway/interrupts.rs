//! The flag that an interrupt handler sets: `gotInterrupt` of RF24Gateway.

use core::cell::Cell;

use airtime_core::{Duration, Instant};

/// Interrupts on their way to the flag, and the flag: each is seen `wake` after IRQ has fallen, by a thread of its own.
#[derive(Debug)]
pub(super) struct Interrupts {
    wake: Duration,
    /// Instants at which the first and the last of them since the flag was cleared are seen.
    seen: Cell<Option<[Instant; 2]>>,
}

impl Interrupts {
    /// No interrupt; `wake` passes from each to its handler.
    pub const fn new(wake: Duration) -> Self {
        Self { wake, seen: Cell::new(None) }
    }

    /// IRQ has fallen at `now`.
    pub fn fell(&self, now: Instant) {
        let at = now + self.wake;
        self.seen.set(Some([self.seen.get().map_or(at, |[first, _]| first), at]));
    }

    /// State of the flag at `now`.
    pub fn is_set(&self, now: Instant) -> bool {
        self.seen.get().is_some_and(|[first, _]| first <= now)
    }

    /// Clears the flag at `now`; an interrupt whose handler is yet to run sets it again.
    pub fn clear(&self, now: Instant) {
        self.seen.set(
            self.seen
                .get()
                .filter(|[_, last]| *last > now)
                .map(|[first, last]| [if first > now { first } else { last }, last]),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_micros(us)
    }

    #[test]
    fn the_flag_is_set_when_the_handler_runs_and_until_it_is_cleared() {
        let interrupts = Interrupts::new(Duration::from_micros(30));
        assert!(!interrupts.is_set(at(0)));
        interrupts.fell(at(100));
        assert_eq!([129, 130, 500].map(|us| interrupts.is_set(at(us))), [false, true, true]);
        interrupts.fell(at(480));
        // The second is on its way.
        interrupts.clear(at(500));
        assert_eq!([500, 509, 510].map(|us| interrupts.is_set(at(us))), [false, false, true]);
        interrupts.clear(at(510));
        assert!(!interrupts.is_set(at(9_000)));
        // Two on their way: the flag is set when the first is seen.
        interrupts.fell(at(10_000));
        interrupts.fell(at(10_020));
        interrupts.clear(at(10_010));
        assert_eq!([10_029, 10_030].map(|us| interrupts.is_set(at(us))), [false, true]);
    }
}
