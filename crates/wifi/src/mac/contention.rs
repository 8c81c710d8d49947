//! Contention of one queue for the channel: DCF (IEEE Std 802.11-2020, 10.3.4) or EDCA (10.23.2).
//!
//! No slot is an event. While the channel is idle only the end of the inter-frame space is kept, and what is left of the backoff
//! behind it; the slots that have passed are counted when the channel becomes busy.

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

use crate::air::Access;

/// Rule for the number of slots of a backoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Backoff {
    /// Uniform over 0 to the contention window. 10.3.3.
    #[default]
    Random,
    /// Half of the contention window exactly, so that a run equals the closed form; stations with equal slots take turns instead of
    /// colliding.
    Mean,
}

/// Space, backoff and contention window of one queue.
#[derive(Clone, Debug)]
pub struct Contention {
    access: Access,
    slot: Duration,
    backoff: Backoff,
    window: u16,
    failures: u8,
    /// Slots that are left, counted from `count_from` on.
    left: Duration,
    /// End of the inter-frame space of this idle time.
    count_from: Instant,
}

impl Contention {
    /// A queue that has not contended yet: no backoff is under way.
    pub fn new(access: Access, slot: Duration, backoff: Backoff) -> Self {
        let window = access.cw_min;
        Self { access, slot, backoff, window, failures: 0, left: Duration::ZERO, count_from: Instant::ZERO }
    }

    /// Parameters of the contention.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The contention window now.
    pub fn window(&self) -> u16 {
        self.window
    }

    /// End of the inter-frame space of this idle time.
    pub fn count_from(&self) -> Instant {
        self.count_from
    }

    /// True once no slot is left. Up to date while the channel is busy.
    pub fn is_over(&self) -> bool {
        self.left.is_zero()
    }

    /// The channel is idle; its inter-frame space ends at `count_from`.
    pub fn resume(&mut self, count_from: Instant) {
        self.count_from = count_from;
    }

    /// The channel is busy from `now` on: slots that have passed are counted.
    pub fn freeze(&mut self, now: Instant) {
        if now < self.count_from || self.left.is_zero() {
            return;
        }
        let idle = (now - self.count_from) / self.slot;
        // EDCA counts at every slot boundary, the one at the end of the space included (10.23.2.4); DCF at the end of each idle
        // slot behind it (10.3.4.3).
        let slots = if self.access.edca { idle + 1 } else { idle };
        self.left = self.left.saturating_sub(self.slot * slots);
    }

    /// Begins a new backoff. 10.3.3.
    pub fn draw(&mut self, stream: &mut Stream) {
        let window = u64::from(self.window);
        self.left = match self.backoff {
            Backoff::Random => self.slot * stream.below(window + 1),
            Backoff::Mean => self.slot * window / 2,
        };
    }

    /// Instant at which it may transmit, if the channel stays idle and it has had a frame since `ready`.
    pub fn access_at(&self, ready: Instant) -> Instant {
        let at = self.count_from + self.left;
        if ready <= at {
            return at;
        }
        if !self.access.edca {
            // The channel has been idle for the whole space: at once. 10.3.4.2.
            return ready;
        }
        // EDCA acts at slot boundaries only. 10.23.2.4.
        let since = (ready - self.count_from).as_nanos();
        self.count_from + Duration::from_nanos(since.next_multiple_of(self.slot.as_nanos()))
    }

    /// Its transmission was answered, or needed no answer: the window is the smallest again, and a backoff follows.
    pub fn succeeded(&mut self, stream: &mut Stream) {
        self.failures = 0;
        self.window = self.access.cw_min;
        self.draw(stream);
    }

    /// Its transmission failed: the window doubles up to the largest, and becomes the smallest again after `limit` failures in a row;
    /// a backoff follows. 10.3.3, 10.23.2.2.
    pub fn failed(&mut self, limit: Option<u8>, stream: &mut Stream) {
        self.failures = self.failures.saturating_add(1);
        if limit.is_some_and(|limit| self.failures >= limit) {
            self.failures = 0;
            self.window = self.access.cw_min;
        } else {
            self.window = (self.window.saturating_mul(2).saturating_add(1)).min(self.access.cw_max);
        }
        self.draw(stream);
    }

    /// It had to leave the channel alone although it was its turn; a backoff with the same window follows.
    pub fn deferred(&mut self, stream: &mut Stream) {
        self.draw(stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::random::stream;

    const SLOT: Duration = Duration::from_micros(9);

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    /// A queue with `slots` left and its space over at 100 µs.
    fn counting(access: Access, slots: u64) -> Contention {
        let mut queue = Contention::new(access, SLOT, Backoff::Random);
        queue.left = SLOT * slots;
        queue.resume(at(100));
        queue
    }

    #[test]
    fn dcf_counts_idle_slots_and_edca_one_more() {
        // Access, slots left, busy from, slots left afterwards.
        let table = [
            (Access::DCF, 5, 99, 5),
            (Access::DCF, 5, 100, 5),
            (Access::DCF, 5, 108, 5),
            (Access::DCF, 5, 109, 4),
            (Access::DCF, 5, 127, 2),
            (Access::BEST_EFFORT, 5, 99, 5),
            (Access::BEST_EFFORT, 5, 100, 4),
            (Access::BEST_EFFORT, 5, 109, 3),
            (Access::BEST_EFFORT, 1, 100, 0),
            (Access::BEST_EFFORT, 2, 190, 0),
        ];
        for (access, slots, busy, left) in table {
            let mut queue = counting(access, slots);
            queue.freeze(at(busy));
            assert_eq!(queue.left, SLOT * left, "{access:?} {slots} {busy}");
        }
    }

    #[test]
    fn a_late_frame_goes_at_once_with_dcf_and_at_a_boundary_with_edca() {
        for (access, ready, expected) in [
            (Access::DCF, 60, 118),
            (Access::DCF, 118, 118),
            (Access::DCF, 121, 121),
            (Access::BEST_EFFORT, 60, 118),
            (Access::BEST_EFFORT, 121, 127),
            (Access::BEST_EFFORT, 127, 127),
        ] {
            assert_eq!(counting(access, 2).access_at(at(ready)), at(expected), "{access:?} {ready}");
        }
    }

    #[test]
    fn the_window_doubles_and_starts_again_after_the_limit() {
        let mut stream = stream(1, "window");
        let mut queue = Contention::new(Access::DCF, SLOT, Backoff::Random);
        let windows: alloc::vec::Vec<u16> = (0..9)
            .map(|_| {
                queue.failed(Some(7), &mut stream);
                queue.window()
            })
            .collect();
        assert_eq!(windows, [31, 63, 127, 255, 511, 1023, 15, 31, 63]);
        let mut queue = Contention::new(Access::DCF, SLOT, Backoff::Random);
        (0..20).for_each(|_| queue.failed(None, &mut stream));
        assert_eq!(queue.window(), 1_023);
        queue.succeeded(&mut stream);
        assert_eq!(queue.window(), 15);
    }

    #[test]
    fn a_mean_backoff_is_half_the_window_and_draws_nothing() {
        let mut stream = stream(1, "mean");
        let mut queue = Contention::new(Access::BEST_EFFORT, SLOT, Backoff::Mean);
        queue.succeeded(&mut stream);
        queue.resume(at(37));
        assert_eq!(queue.access_at(Instant::ZERO), Instant::from_nanos(37_000 + 67_500));
        assert_eq!(stream.drawn(), 0);
    }
}
