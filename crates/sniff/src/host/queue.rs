//! The controller's buffers for ACL data, and the packets in them. Core 6.0, Vol 4, Part E, 4.1.1.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant};

/// Packets that are remembered with the time they were handed over; a controller has fewer buffers.
const WAITING_MAX: usize = 1024;

/// Buffers of a controller that packets of LE are held in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controller {
    buffers: Option<(u16, u16)>,
    apart: bool,
}

impl Controller {
    /// The controller has said how many buffers of how many octets it has: for LE alone, or for whatever has none of its own.
    pub const fn set(&mut self, octets: u16, count: u16, le: bool) {
        self.apart |= le;
        if le || !self.apart {
            self.buffers = Some((octets, count));
        }
    }

    /// Octets and number of its buffers, where the log has them.
    pub const fn buffers(&self) -> Option<(u16, u16)> {
        self.buffers
    }

    /// Tells if LE has buffers of its own, which packets of BR/EDR do not fill.
    pub const fn is_apart(&self) -> bool {
        self.apart
    }

    /// Tells if there is no room for another packet beside `held`, as far as the log says how much room there is.
    pub fn is_full(&self, held: u64) -> bool {
        self.buffers.is_some_and(|(_, count)| held >= u64::from(count))
    }
}

/// Packets of one connection that the controller holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Times that they were handed over at, and whether they are of the stream.
    waiting: VecDeque<(Instant, bool)>,
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
    /// A packet is handed over, of the stream or another.
    pub fn push(&mut self, now: Instant, stream: bool) {
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back((now, stream));
        } else {
            self.beyond += 1;
        }
        self.most = self.most.max(self.len());
    }

    /// The controller is done with `count` packets; tells if any of them was of the stream.
    pub fn pop(&mut self, now: Instant, count: u16) -> bool {
        let mut any = false;
        for _ in 0..count {
            if let Some((since, stream)) = self.waiting.pop_front() {
                any |= stream;
                let held = now.saturating_since(since);
                self.held_sum += held;
                self.held_longest = self.held_longest.max(held);
                self.completed += 1;
            }
            if self.beyond > 0 {
                self.beyond -= 1;
                // So many are only of a stream.
                self.waiting.push_back((now, true));
            }
        }
        any
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
    fn buffers_of_le_are_its_own_wherever_there_are_some() {
        let mut controller = Controller::default();
        assert!(!controller.is_full(9), "nobody knows how many there are");
        controller.set(1021, 8, false);
        assert!(!controller.is_full(7) && controller.is_full(8) && !controller.is_apart());
        controller.set(251, 2, true);
        controller.set(1021, 8, false);
        assert_eq!((controller.buffers(), controller.is_apart()), (Some((251, 2)), true));
        assert!(!controller.is_full(1) && controller.is_full(2));
    }

    #[test]
    fn packets_are_held_from_hand_over_to_completion() {
        let at = |ms: u64| Instant::ZERO + Duration::from_millis(ms);
        let mut queue = Queue::default();
        queue.push(at(1), false);
        queue.push(at(2), true);
        assert!(!queue.pop(at(11), 1));
        assert!(queue.pop(at(32), 5), "it held one more");
        assert!(!queue.pop(at(40), 1), "it held no more");
        assert_eq!((queue.most, queue.completed, queue.held_longest), (2, 2, Duration::from_millis(30)));
        assert_eq!(queue.held_mean(), Some(Duration::from_millis(20)));
    }
}
