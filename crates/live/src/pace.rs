//! A plant paced against the wall clock.
//!
//! Events carry exact virtual times, so a late wake-up changes when they are computed, never when they
//! happen. How late is measured.

use airtime_core::{Duration, EventLoop, Instant, Plant, Touched};

use crate::figures::Spans;

/// When late, so much virtual time is made up for at a turn; then sockets are read again, so that what
/// arrived meanwhile is not held up by everything that is still to do.
const CATCH_UP: Duration = Duration::from_millis(1);

/// The event loop with the wall clock as its limit.
#[derive(Debug)]
pub struct Pacer {
    events: EventLoop,
    lag: Spans,
}

impl Pacer {
    /// A pacer at time zero over the nodes of `plant`.
    pub fn new(plant: &impl Plant) -> Self {
        Self { events: EventLoop::new(Instant::ZERO, plant), lag: Spans::new() }
    }

    /// Up to when everything was processed.
    pub fn now(&self) -> Instant {
        self.events.now()
    }

    /// When the next event is due, if any is.
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
            self.lag.record(wall().saturating_since(due));
            self.events.step(plant, target);
        }
        self.events.run_until(plant, target);
        target == until
    }
}
