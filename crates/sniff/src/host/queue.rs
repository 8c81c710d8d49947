//! The controller's buffers for ACL data, and the packets in them. Core 6.0, Vol 4, Part E, 4.1.1.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant};

/// Packets that are remembered with the time they were handed over; a controller has fewer buffers.
const WAITING_MAX: usize = 1024;

/// Buffers that all connections of a controller share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controller {
    buffers: Option<(u16, u16)>,
    taken: u64,
}

impl Controller {
    /// The controller has said how many buffers of how many octets it has.
    pub fn set(&mut self, octets: u16, count: u16) {
        self.buffers = Some((octets, count));
    }

    /// Octets and number of its buffers, where the log has them.
    pub const fn buffers(&self) -> Option<(u16, u16)> {
        self.buffers
    }

    pub fn reset(&mut self) {
        self.taken = 0;
    }

    pub fn take(&mut self) {
        self.taken += 1;
    }

    pub fn give_back(&mut self, count: u64) {
        self.taken = self.taken.saturating_sub(count);
    }

    /// Tells if there is no room for another packet, as far as the log says how much room there is.
    pub fn is_full(&self) -> bool {
        self.buffers.is_some_and(|(_, count)| self.taken >= u64::from(count))
    }
}

/// Packets of one connection that the controller holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Instant>,
    /// Packets beyond those.
    beyond: u64,
    /// The most that were held at once.
    pub most: u64,
    /// Packets that the controller was done with.
    pub completed: u64,
    /// Sum and greatest of the times that they were held.
    held_sum: Duration,
    /// The longest that one was held.
    pub held_longest: Duration,
}

impl Queue {
    pub fn push(&mut self, now: Instant) {
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back(now);
        } else {
            self.beyond += 1;
        }
        self.most = self.most.max(self.len());
    }

    /// The controller is done with `count` packets; gives how many of them it held.
    pub fn pop(&mut self, now: Instant, count: u16) -> u64 {
        let before = self.len();
        for _ in 0..count {
            if let Some(since) = self.waiting.pop_front() {
                let held = now.saturating_since(since);
                self.held_sum += held;
                self.held_longest = self.held_longest.max(held);
                self.completed += 1;
            }
            if self.beyond > 0 {
                self.beyond -= 1;
                self.waiting.push_back(now);
            }
        }
        before - self.len()
    }

    pub fn len(&self) -> u64 {
        self.waiting.len() as u64 + self.beyond
    }

    /// The time that a packet was held on average.
    pub fn held_mean(&self) -> Option<Duration> {
        (self.completed > 0).then(|| self.held_sum / self.completed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_full_and_given_back() {
        let mut controller = Controller::default();
        (0..9).for_each(|_| controller.take());
        assert!(!controller.is_full(), "nobody knows how many there are");
        controller.reset();
        controller.set(251, 2);
        controller.take();
        assert!(!controller.is_full());
        controller.take();
        assert!(controller.is_full());
        controller.give_back(1);
        assert!(!controller.is_full());
    }

    #[test]
    fn packets_are_held_from_hand_over_to_completion() {
        let at = |ms: u64| Instant::ZERO + Duration::from_millis(ms);
        let mut queue = Queue::default();
        queue.push(at(1));
        queue.push(at(2));
        assert_eq!(queue.pop(at(11), 1), 1);
        assert_eq!(queue.pop(at(32), 5), 1, "it held no more");
        assert_eq!((queue.most, queue.completed, queue.held_longest), (2, 2, Duration::from_millis(30)));
        assert_eq!(queue.held_mean(), Some(Duration::from_millis(20)));
    }
}
