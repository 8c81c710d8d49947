//! A plant paced against the wall clock.
//!
//! Events carry exact virtual times, so a late wake-up changes when they are computed, never when they
//! happen. How late is measured.

use airtime_core::{Duration, EventLoop, Instant, Plant, Touched};

use crate::figures::Spans;

/// Most virtual time that is made up for at a turn, when late; then sockets are read again, so that octets which
/// arrived meanwhile are not held up by everything that is still to do.
const CATCH_UP: Duration = Duration::from_millis(1);

/// The event loop with the wall clock as its limit.
#[derive(Debug)]
pub struct Pacer {
    events: EventLoop,
    lag: Spans,
    worst: Duration,
}

impl Pacer {
    /// A pacer at time zero over the nodes of `plant`.
    pub fn new(plant: &impl Plant) -> Self {
        Self { events: EventLoop::new(Instant::ZERO, plant), lag: Spans::new(), worst: Duration::ZERO }
    }

    /// Up to when everything was processed.
    pub fn now(&self) -> Instant {
        self.events.now()
    }

    /// Instant at which the next event is due, if any is.
    pub fn next_due(&self) -> Option<Instant> {
        self.events.next_due()
    }

    /// Steps of the loop so far.
    pub fn steps(&self) -> u64 {
        self.events.steps()
    }

    /// Wall time less due time of every event, when its turn came.
    pub fn lag(&self) -> &Spans {
        &self.lag
    }

    /// Takes the longest lag since it was taken last.
    pub fn take_worst(&mut self) -> Duration {
        std::mem::take(&mut self.worst)
    }

    /// Lets something outside act on the plant at [`now`](Self::now).
    pub fn act<P: Plant, R>(&mut self, plant: &mut P, act: impl FnOnce(&mut P, &mut Touched) -> R) -> R {
        self.events.act(plant, self.events.now(), act)
    }

    /// Processes what is due by `wall()`, in virtual order, but at most 1 ms of it; says whether that
    /// was all.
    pub fn catch_up(&mut self, plant: &mut impl Plant, mut wall: impl FnMut() -> Instant) -> bool {
        let until = wall().max(self.now());
        let Some(due) = self.next_due().filter(|due| *due <= until) else {
            self.events.run_until(plant, until);
            return true;
        };
        let target = until.min(due.max(self.now()) + CATCH_UP);
        while let Some(due) = self.next_due().filter(|due| *due <= target) {
            let lag = wall().saturating_since(due);
            self.lag.record(lag);
            self.worst = self.worst.max(lag);
            self.events.step(plant, target);
        }
        self.events.run_until(plant, target);
        target == until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks every 300 µs and remembers when.
    #[derive(Default)]
    struct Ticks(Vec<u64>);

    impl Plant for Ticks {
        fn nodes(&self) -> usize {
            1
        }
        fn deadline(&self, _node: usize) -> Option<Instant> {
            Some(at(300 * (self.0.len() as u64 + 1)))
        }
        fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
            touched.note(node);
            self.0.push(now.as_nanos() / 1_000);
        }
    }

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    #[test]
    fn what_is_late_is_made_up_for_in_steps_of_a_millisecond() {
        let mut ticks = Ticks::default();
        let mut pacer = Pacer::new(&ticks);
        assert!(pacer.catch_up(&mut ticks, || at(299)));
        assert_eq!((ticks.0.len(), pacer.now()), (0, at(299)));
        // 2.3 ms late: from the tick that is due a millisecond at a time, and every tick at its own time.
        assert!(!pacer.catch_up(&mut ticks, || at(2_600)));
        assert_eq!((ticks.0.as_slice(), pacer.now()), (&[300, 600, 900, 1_200][..], at(1_300)));
        assert!(!pacer.catch_up(&mut ticks, || at(2_600)));
        assert_eq!(pacer.now(), at(2_500));
        assert!(pacer.catch_up(&mut ticks, || at(2_600)));
        assert_eq!(ticks.0, [300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400]);
        let lag = pacer.lag().summary().unwrap();
        assert!(lag.count == 8 && (lag.max_us - 2_300.0).abs() < 22.0, "{lag:?}");
        assert_eq!(pacer.take_worst(), Duration::from_micros(2_300));
        assert_eq!(pacer.take_worst(), Duration::ZERO);
    }

    #[test]
    fn a_clock_that_stands_still_moves_nothing_back() {
        let mut ticks = Ticks::default();
        let mut pacer = Pacer::new(&ticks);
        pacer.catch_up(&mut ticks, || at(1_000));
        assert!(pacer.catch_up(&mut ticks, || at(900)));
        assert_eq!(pacer.now(), at(1_000));
        assert_eq!(pacer.next_due(), Some(at(1_200)));
    }
}
