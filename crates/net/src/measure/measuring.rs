//! Measuring a run of IP traffic: the warm-up, the steady state, and the arrivals after the senders have ended.

use core::cell::RefCell;

use airtime_core::event_loop::{Plant, STEPS_BETWEEN_LOOKS, Stop};
use airtime_core::ledger::{Account, Ledger};
use airtime_core::{Duration, EventLoop, Instant};
use airtime_keys::Run;
use airtime_link::Percentiles;

use super::outcome::Outcome;
use super::tally::{Flow, Tally};
use crate::traffic::{Traffic, Transport};

/// A run that waits for the rest of its traffic ends when nothing has arrived for this long: longer than a TCP timeout
/// after two losses (RFC 6298, 2.4 and 5.5), and one of lwIP. *Assumed*.
const QUIET: Duration = Duration::from_secs(5);

/// Periods in which a run is measured, with the tally of its applications.
pub struct Measuring<'a> {
    tally: &'a RefCell<Tally>,
    start: Instant,
    steady_from: Instant,
    end: Instant,
    /// Transfers that have a size, when they do.
    transfers: Option<usize>,
    stop: Stop<'a>,
}

/// A steady state that is over.
#[derive(Debug)]
pub struct Steady<B> {
    /// Counts of the link when it began.
    pub before: B,
    /// End of the steady state.
    pub until: Instant,
    /// Length of the steady state.
    pub length: Duration,
    /// Octets and packets that both directions carried in it.
    pub flows: [Flow; 2],
}

impl<'a> Measuring<'a> {
    /// A run whose traffic starts at `start`, and which ends early when `stop` says so.
    pub fn new(run: &Run, traffic: &Traffic, start: Instant, tally: &'a RefCell<Tally>, stop: Stop<'a>) -> Self {
        let (steady_from, end) = (start + run.warmup, start + run.duration);
        Self { tally, start, steady_from, end, transfers: transfers(traffic), stop }
    }

    /// Runs through the warm-up and the steady state, which ends with the senders, or earlier when all transfers that have a
    /// size are through. `begin` opens the link's books between the two.
    pub fn steady<P: Plant, B>(
        &self,
        events: &mut EventLoop,
        plant: &mut P,
        begin: impl FnOnce(&mut P, Instant) -> B,
    ) -> Steady<B> {
        let warm = events.run_unless(plant, self.steady_from, self.stop);
        let from = if warm { self.steady_from } else { events.now() };
        let earlier = self.tally.borrow().flows;
        let before = begin(plant, from);
        self.tally.borrow_mut().restart_counts();
        let whole = warm && self.run_to_end(events, plant);
        let until = if whole { self.end } else { events.now() };
        events.run_until(plant, until);
        let tally = self.tally.borrow();
        let flows = [0, 1].map(|direction: usize| tally.flows[direction].since(&earlier[direction]));
        Steady { before, until, length: until.saturating_since(from), flows }
    }

    /// Runs until the senders end, all transfers that have a size are through, or nobody wants the rest; says if it was the first.
    fn run_to_end(&self, events: &mut EventLoop, plant: &mut impl Plant) -> bool {
        if self.transfers.is_none() {
            return events.run_unless(plant, self.end, self.stop);
        }
        let mut steps = 0;
        while !self.is_through() {
            if steps == 0 && (self.stop)() {
                return false;
            }
            steps = (steps + 1) % STEPS_BETWEEN_LOOKS;
            if !events.step(plant, self.end) {
                return true;
            }
        }
        false
    }

    /// Outcome of the run so far: the books of the link up to the end of the steady state and as they were before it, delays that
    /// the link has found where datagrams do not say theirs, and what it has `counted`.
    pub fn outcome<A: Account, B, C>(
        &self,
        steady: &Steady<B>,
        [ledger, before]: [&Ledger<A>; 2],
        delays: Option<Percentiles>,
        counted: C,
    ) -> Outcome<A, C> {
        assert!(ledger.balances(), "the books of a link balance");
        let tally = self.tally.borrow();
        Outcome {
            ledger: ledger.clone(),
            steady_ledger: ledger.since(before),
            setup: tally.first_arrival.map(|first| first.saturating_since(self.start)),
            steady: steady.length,
            flows: steady.flows,
            series: tally.series.clone(),
            latency: tally.delays.percentiles().or(delays),
            round_trips: tally.round_trips.percentiles(),
            counted,
            overrun: None,
            finished: self.is_finished(),
            random_draws: 0,
            steps: 0,
        }
    }

    /// Runs on until nothing arrives any more: from the end of the senders to the last arrival.
    pub fn drain(&self, events: &mut EventLoop, plant: &mut impl Plant) -> Duration {
        loop {
            let last = self.tally.borrow().last_arrival.unwrap_or(self.end).max(self.end);
            if events.now() >= last + QUIET || !events.run_unless(plant, last + QUIET, self.stop) {
                return last - self.end;
            }
        }
    }

    /// True if no transfer that has a size is left.
    pub fn is_finished(&self) -> bool {
        self.transfers.is_none_or(|transfers| self.tally.borrow().finished >= transfers)
    }

    /// True if there were such transfers, and all are over.
    fn is_through(&self) -> bool {
        self.transfers.is_some() && self.is_finished()
    }
}

fn transfers(traffic: &Traffic) -> Option<usize> {
    let senders = (0..2).filter(|end| traffic.direction.sends(*end)).count();
    match traffic.transport() {
        Transport::Tcp { size: Some(_), .. } => Some(senders * usize::from(traffic.flows)),
        _ => None,
    }
}
