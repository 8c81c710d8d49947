//! Neighbours in the secondary channel of a PPDU of 40 MHz. IEEE Std 802.11-2020, 10.23.2.5.
//!
//! They are one queue with Poisson arrivals. If both cells hear each other, the neighbours wait while a PPDU of 40 MHz is under way, and
//! what they could not send comes after it; a PPDU of 20 MHz in the primary channel leaves them alone.

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant};

use super::generate::exponential;
use super::{Cell, Secondary, WidePolicy};
use crate::air::{Access, Timing, Width};
use crate::cell::contend::Queue;

/// Exchanges that wait at most: more load than the channel takes is dropped.
const WAITING_MAX: u32 = 1_000;

/// The cell in the secondary channel.
#[derive(Debug)]
pub(super) struct Neighbours {
    config: Secondary,
    slot: Duration,
    space: Duration,
    pifs: Duration,
    stream: Stream,
    /// The next arrival.
    arrival: Instant,
    waiting: u32,
    /// Start of the exchange that comes next, if one waits.
    start: Instant,
    /// Start and end of the last exchange that has begun.
    last: (Instant, Instant),
    /// Nothing starts before this, and the space and backoff behind it.
    blocked_until: Instant,
}

impl Neighbours {
    pub(super) fn new(config: Secondary, timing: &Timing, seed: u64) -> Self {
        let mut stream = stream(seed, "cell/secondary");
        let arrival = Instant::ZERO + exponential(&mut stream, config.every);
        Self {
            config,
            slot: timing.slot,
            space: timing.aifs(Access::BEST_EFFORT.aifsn),
            pifs: timing.pifs(),
            stream,
            arrival,
            waiting: 0,
            start: Instant::FAR_FUTURE,
            last: (Instant::ZERO, Instant::ZERO),
            blocked_until: Instant::ZERO,
        }
    }

    /// True if both cells hear each other.
    pub(super) fn heard(&self) -> bool {
        self.config.heard
    }

    /// Tells if the secondary channel has been idle for PIFS at `now`.
    fn idle(&mut self, now: Instant) -> bool {
        self.advance(now);
        now >= self.last.1 + self.pifs
    }

    /// A PPDU of 40 MHz from `start` to `end`: whoever waits goes on waiting.
    pub(super) fn defer_until(&mut self, start: Instant, end: Instant) {
        self.advance(start);
        self.blocked_until = end;
        if self.waiting > 0 {
            self.contend(end);
        }
    }

    /// MPDUs among those `sent` from `start` to `end` that an exchange overlaps. Time is shared evenly among them.
    pub(super) fn overlaps(&mut self, start: Instant, end: Instant, sent: u64) -> u64 {
        let count = u64::from(sent.count_ones()).max(1);
        let share = (end - start).as_nanos() / count;
        let (mut hit, mut rest) = (0, sent);
        for order in 0..count {
            let bit = rest & rest.wrapping_neg();
            rest &= rest.wrapping_sub(1);
            let from = start + Duration::from_nanos(share * order);
            self.advance(from);
            let before = self.last.1 > from;
            self.advance(from + Duration::from_nanos(share));
            if before || self.last.1 > from {
                hit |= bit;
            }
        }
        hit
    }

    /// Plays everything up to `to`.
    fn advance(&mut self, to: Instant) {
        while self.arrival.min(self.start) <= to {
            if self.arrival <= self.start {
                let at = self.arrival;
                self.arrival += exponential(&mut self.stream, self.config.every);
                self.waiting = (self.waiting + 1).min(WAITING_MAX);
                if self.waiting == 1 {
                    self.contend(at);
                }
                continue;
            }
            self.last = (self.start, self.start + self.config.exchange);
            self.waiting -= 1;
            self.start = Instant::FAR_FUTURE;
            if self.waiting > 0 {
                self.contend(self.last.1);
            }
        }
    }

    /// The exchange in front begins a space and a backoff after `ready`, or after what keeps it waiting.
    fn contend(&mut self, ready: Instant) {
        let from = ready.max(self.last.1).max(self.blocked_until);
        let slots = self.stream.below(u64::from(Access::BEST_EFFORT.cw_min) + 1);
        self.start = from + self.space + self.slot * slots;
    }
}

impl Cell {
    /// Tells if a PPDU of 40 MHz has to be narrowed at `now`.
    pub(super) fn narrow(&mut self, now: Instant) -> bool {
        match &mut self.neighbours {
            Some(neighbours) if neighbours.config.heard => !neighbours.idle(now),
            _ => false,
        }
    }

    /// Tells if queue `place` transmits at `at`; if it leaves the channel alone for the secondary one's sake it backs
    /// off again.
    pub(super) fn may_send(&mut self, place: usize, at: Instant) -> bool {
        let Some(neighbours) = &mut self.neighbours else { return true };
        let contender = &mut self.contenders[place];
        let station = contender.station.index();
        let wide = contender.queue == Queue::Data
            && self.stations[station].config.rate.highest().width == Width::Mhz40
            && neighbours.config.heard
            && neighbours.config.policy == WidePolicy::Defer;
        if !wide || neighbours.idle(at) {
            return true;
        }
        self.stations[station].counters.narrowed += 1;
        contender.contention.deferred(&mut self.streams[station]);
        // The next slot ends a slot after this one, also when none was drawn.
        contender.contention.resume(at + self.config.timing.slot);
        false
    }
}
