//! Turns of the procedures that this side starts: one runs at a time and the others wait.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant};

use super::Local;

/// Longest a procedure may take. Core 6.0, Vol 6, Part B, 5.2.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(40);

/// Procedures of our own that may wait behind the running one; a host that asks for more is told to wait itself.
const WAITING_MAX: usize = 8;

/// The procedure of ours that runs, and those that wait behind it.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    running: Option<Local>,
    started: Instant,
    waiting: VecDeque<Local>,
}

impl Turn {
    /// Takes a procedure in; gives it back if it is to begin now. What goes beyond the limit is left out.
    pub fn ask(&mut self, local: Local, now: Instant) -> Option<Local> {
        if self.running.is_some() {
            if !self.is_full() {
                self.waiting.push_back(local);
            }
            return None;
        }
        self.running = Some(local);
        self.started = now;
        Some(local)
    }

    /// The running procedure is over; gives the one that is to begin now.
    pub fn over(&mut self, now: Instant) -> Option<Local> {
        self.running = None;
        let next = self.waiting.pop_front()?;
        self.ask(next, now)
    }

    /// Forgets what waits.
    pub fn forget_waiting(&mut self) {
        self.waiting.clear();
    }

    /// The procedure that runs.
    pub fn running(&self) -> Option<Local> {
        self.running
    }

    /// True while one runs.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// True while no further procedure can wait.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= WAITING_MAX
    }

    /// True while a procedure like this runs or waits.
    pub fn has(&self, like: impl Fn(&Local) -> bool) -> bool {
        self.running.iter().chain(&self.waiting).any(like)
    }

    /// Instant at which the running procedure has taken too long.
    pub fn deadline(&self) -> Instant {
        if self.running.is_some() { self.started + RESPONSE_TIMEOUT } else { Instant::FAR_FUTURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_first_begins_and_eight_wait_in_order() {
        let mut turn = Turn::default();
        assert_eq!(turn.deadline(), Instant::FAR_FUTURE);
        assert_eq!(turn.ask(Local::Features, Instant::ZERO), Some(Local::Features));
        for map in 0..10 {
            assert_eq!(turn.is_full(), map >= 8);
            assert_eq!(turn.ask(Local::ChannelMap(map), Instant::ZERO), None);
        }
        let later = Instant::ZERO + Duration::from_secs(1);
        let maps: Vec<_> = core::iter::from_fn(|| turn.over(later)).collect();
        assert_eq!(maps, [0, 1, 2, 3, 4, 5, 6, 7].map(Local::ChannelMap));
        assert!(!turn.is_busy());
    }

    #[test]
    fn each_has_forty_seconds_from_its_own_beginning() {
        let mut turn = Turn::default();
        turn.ask(Local::Features, Instant::ZERO);
        turn.ask(Local::Version, Instant::ZERO);
        assert_eq!(turn.deadline(), Instant::ZERO + RESPONSE_TIMEOUT);
        let later = Instant::ZERO + Duration::from_secs(1);
        assert_eq!(turn.over(later), Some(Local::Version));
        assert_eq!(turn.deadline(), later + RESPONSE_TIMEOUT);
        turn.ask(Local::Length, later);
        turn.forget_waiting();
        assert_eq!(turn.over(later), None);
    }
}
