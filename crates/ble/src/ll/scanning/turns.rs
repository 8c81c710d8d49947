//! Turns of a scanner at the radio, where activities take it from each other. `ull_scan.c` of Zephyr, `ull_scan_enable`.

use airtime_core::{Duration, Instant};

use super::Scanner;
use crate::ll::ticker::{READY, Ticker};
use crate::ll::turns::{Activity, Claim};
use crate::personality;

/// Turns of a scanner: one for each cycle of its windows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turns {
    /// Set once the windows have a place among the turns of others; before that it claims none.
    placed: bool,
    /// Number of the cycle whose turn comes next.
    next: u64,
    /// Turns in a row in which it was passed over.
    passed_over: u64,
    /// Number of the last cycle that it had its turn in.
    had: Option<u64>,
}

impl Turns {
    /// Gives the scanner the turn that was next, or passes it over.
    pub fn give(&mut self, has_turn: bool) {
        if has_turn {
            (self.had, self.passed_over) = (Some(self.next), 0);
        } else {
            self.passed_over += 1;
        }
        self.next += 1;
    }
}

impl Scanner {
    /// True until the windows have a place.
    pub(crate) fn wants_place(&self) -> bool {
        !self.turns.placed
    }

    /// Puts the first window where a radio starts at `start`.
    pub(crate) fn place(&mut self, start: Instant) {
        self.started = start + READY;
        self.turns.placed = true;
    }

    /// Claim to its next turn, once it has a place.
    pub(crate) fn claim(&self, ticker: Ticker, activity: Activity) -> Option<Claim> {
        let cycle = self.setup.cycle();
        let start = (self.started + cycle * self.turns.next).saturating_back(READY);
        let claim = Claim::new(activity, ticker, start, cycle, Some(self.setup.length()));
        // A scan without a pause keeps no more than its interval.
        let keeps = claim.keeps.min(ticker.ticks(cycle));
        self.turns.placed.then_some(Claim { keeps, passed_over: self.turns.passed_over, ..claim })
    }

    /// Instant at which its next turn takes the radio; far in the future where it claims none.
    pub(crate) fn takes(&self, personality: &personality::Controller) -> Instant {
        let ticker = Ticker::of_turns(personality);
        let claim = ticker.and_then(|ticker| Some((ticker, self.claim(ticker, Activity::Scanner)?)));
        claim.map_or(Instant::FAR_FUTURE, |(ticker, claim)| ticker.takes(claim.takes))
    }

    /// Time from the start of its radio that the windows of a cycle take.
    pub(crate) fn length(&self) -> Duration {
        self.setup.length()
    }

    /// Tells if it listens at `now` when the radio is free: in a cycle that it had its turn in, or at any time if it scans without a
    /// pause, because such a scan is resumed after what has taken the radio from it (`lll_scan.c`, `is_abort_cb`).
    pub(super) fn may_listen(&self, now: Instant) -> bool {
        let cycle = || now.saturating_since(self.started) / self.setup.cycle();
        !self.turns.placed || self.setup.length() >= self.setup.cycle() || self.turns.had == Some(cycle())
    }
}
