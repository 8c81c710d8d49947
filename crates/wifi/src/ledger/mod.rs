//! The books of the air, made from the trace alone: every nanosecond of the channel is booked to one account.
//!
//! What was on the air is known when an exchange is over. What was idle before it is booked by what the stages did
//! meanwhile: a list remembers when the cause changed, and the cursor follows it.
//!
//! Payload is what came to its application, where somebody tells what that is ([`Books::came`]): what was on the air is under way
//! until then, or until it is dropped.

mod accounts;
mod counts;
mod fates;
mod feed;
mod shares;
#[cfg(test)]
mod tests;

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Ledger};

pub use accounts::Account;
pub use counts::{Counts, FOLLOWED, MSDUS};
pub use feed::Direction;

use crate::network::{AP, Observer};
use crate::trace::{Activity, DropPoint, MpduFate, OnAir, PpduOutcome, Queue, Stage};
use fates::Fates;
use feed::Stages;
use shares::Shares;

/// Causes that are remembered. An exchange lasts for some milliseconds; what changes more often than this within one is
/// booked to the earlier cause.
const CAUSES_MAX: usize = 4_096;

/// The books of one channel.
#[derive(Clone, Debug)]
pub struct Books {
    direction: Direction,
    ledger: Ledger<Account>,
    counts: Counts,
    stages: Stages,
    /// Causes of idle air, each with the instant it holds from; the first is the one at the cursor.
    causes: VecDeque<(Instant, Account)>,
    /// Account of the air after the last exchange, up to when the channel counts as idle again.
    after: Account,
    /// Set once the first payload has been sent.
    streaming: bool,
    /// Payload whose arrival will be told; none where nobody tells, and what came by air has arrived.
    fates: Option<Fates>,
}

/// Part of what came by air from which on it is the limit that it does not come to its application: a twentieth, *assumed*. Less are
/// the packets that are under way at the end.
const LEFT_PARTS: u64 = 20;

impl Books {
    /// Books from `start` on.
    pub fn new(start: Instant, direction: Direction) -> Self {
        let stages = Stages::new();
        let cause = stages.cause(direction);
        Self {
            direction,
            ledger: Ledger::new(start),
            counts: Counts::default(),
            stages,
            causes: VecDeque::from([(start, cause)]),
            after: Account::Ifs,
            streaming: false,
            fates: None,
        }
    }

    /// Books that are told what [arrived](Self::came): until then what was on the air is under way. Payload counts as much air as it
    /// takes at `best`, the fastest rate in 10³ bit/s.
    #[must_use]
    pub fn awaiting(self, best: u32) -> Self {
        Self { fates: Some(Fates::new(best)), ..self }
    }

    /// Payload of `octets` has come to its application, up (0) or down (1).
    pub fn came(&mut self, direction: usize, octets: u64) {
        if let Some(fates) = self.fates.as_mut().filter(|_| self.streaming) {
            fates.came(&mut self.ledger, direction, octets);
        }
    }

    /// Payload of `octets` has come to its end behind the air as what `account` says.
    pub fn ended(&mut self, direction: usize, account: Account, octets: u64) {
        if let Some(fates) = &mut self.fates {
            fates.ended(&mut self.ledger, direction, account, octets);
        }
    }

    /// The accounts, as far as they are booked.
    pub fn ledger(&self) -> &Ledger<Account> {
        &self.ledger
    }

    /// The accounts up to `now`. An exchange that is not over is taken as idle so far.
    pub fn ledger_at(&self, now: Instant) -> Ledger<Account> {
        let mut standing = self.clone();
        standing.idle(now);
        standing.ledger
    }

    /// Counters so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ends the warm-up: forgets what was counted. The accounts up to `now`, as [`ledger_at`](Self::ledger_at) has them,
    /// for [`Ledger::since`].
    pub fn begin_measuring(&mut self, now: Instant) -> Ledger<Account> {
        self.counts = Counts::default();
        self.fates.iter_mut().for_each(Fates::begin);
        self.idle(now);
        self.ledger.clone()
    }

    /// The account that the most time outside the payload went to.
    pub fn bottleneck(ledger: &Ledger<Account>) -> Account {
        let lost = [Account::Undelivered, Account::Dropped].map(|account| ledger.of(account));
        // Where more comes by air than is taken in, nothing on the air is the limit, however long it takes.
        if (lost[0] + lost[1]) * LEFT_PARTS > lost[0] + lost[1] + payload(ledger) {
            return if lost[0] > lost[1] { Account::Undelivered } else { Account::Dropped };
        }
        ledger
            .entries()
            .filter(|(account, _)| !matches!(account, Account::PayloadUp | Account::PayloadDown | Account::Setup))
            .max_by_key(|(account, time)| (*time, core::cmp::Reverse(*account)))
            .map_or(Account::IdleApp, |(account, _)| account)
    }

    /// Books idle air up to `until`, by its causes.
    fn idle(&mut self, until: Instant) {
        while self.causes.get(1).is_some_and(|(from, _)| *from <= until) {
            let (next, cause) = (self.causes[1].0, self.causes[0].1);
            self.book(cause, next);
            self.causes.pop_front();
        }
        let (_, cause) = self.causes[0];
        self.book(cause, until);
    }

    fn book(&mut self, account: Account, until: Instant) {
        self.ledger.book(if self.streaming { account } else { Account::Setup }, until);
    }

    /// The cause of idle air may be another one from `now` on.
    fn changed(&mut self, now: Instant) {
        let cause = self.stages.cause(self.direction);
        let full = self.causes.len() >= CAUSES_MAX;
        match self.causes.back_mut() {
            Some((_, last)) if *last == cause => {}
            // Several changes at one instant are one.
            Some((from, last)) if *from == now => *last = cause,
            _ => {
                if full {
                    let (second, _) = self.causes[1];
                    self.idle(second);
                }
                self.causes.push_back((now, cause));
            }
        }
    }

    /// An exchange of station or access point.
    fn own(&mut self, on_air: &OnAir) {
        let shares = Shares::of(on_air);
        self.count(on_air, &shares);
        if !self.streaming && shares.payload > 0 {
            self.ledger.book(Account::Setup, on_air.ready.min(on_air.start));
            self.streaming = true;
        }
        self.idle(on_air.ready.min(on_air.start));
        self.book(Account::Ifs, (on_air.ready + on_air.ifs).min(on_air.start));
        self.book(Account::Backoff, on_air.start);
        if on_air.outcome == PpduOutcome::Collided {
            self.book(Account::Collision, on_air.end);
        } else if on_air.rts {
            self.book(Account::RtsCts, on_air.end);
        } else {
            self.carried(on_air, &shares);
            self.book(Account::Preamble, on_air.end);
        }
        if let Some((start, end)) = on_air.response {
            self.book(Account::Ifs, start);
            self.book(if on_air.rts { Account::RtsCts } else { Account::BlockAck }, end);
        }
        self.after = match on_air.outcome {
            PpduOutcome::Heard => Account::Ifs,
            PpduOutcome::Collided => Account::Collision,
            PpduOutcome::NoResponse | PpduOutcome::ResponseDamaged => Account::Loss,
        };
    }

    /// The octets of a PPDU of station or access point.
    fn carried(&mut self, on_air: &OnAir, shares: &Shares) {
        let direction = usize::from(on_air.from == AP);
        for (account, share) in shares.split(direction == 0, on_air.phy.rate_kbps()) {
            let until = (self.ledger.cursor() + share).min(on_air.end);
            match &mut self.fates {
                Some(fates) if self.streaming && [Account::PayloadUp, Account::PayloadDown].contains(&account) => {
                    fates.aired(&mut self.ledger, direction, shares.payload, until);
                }
                _ => self.book(account, until),
            }
        }
        if let (Some(fates), Some(mpdu)) = (&mut self.fates, on_air.mpdus.iter().rev().find(|mpdu| mpdu.payload > 0)) {
            fates.carried_by(direction, mpdu);
        }
    }

    /// An exchange of others.
    fn others(&mut self, on_air: &OnAir) {
        self.counts.others += 1;
        let contends = on_air.ready.min(on_air.start);
        self.idle(contends);
        self.book(Account::OtherStations, on_air.start);
        let collided = on_air.outcome == PpduOutcome::Collided;
        if !collided {
            self.counts.others_new += on_air.mpdus.iter().filter(|mpdu| mpdu.fate == MpduFate::New).count() as u64;
        }
        let account = if collided { Account::Collision } else { Account::OtherStations };
        let end = on_air.response.map_or(on_air.end, |(_, end)| end);
        self.book(account, end);
        self.after = account;
    }

    fn count(&mut self, on_air: &OnAir, shares: &Shares) {
        let counts = &mut self.counts;
        counts.ppdus += 1;
        counts.rts += u64::from(on_air.rts);
        counts.followed += u64::from(on_air.follows);
        counts.mpdus += on_air.mpdus.len() as u64;
        counts.collisions += u64::from(on_air.outcome == PpduOutcome::Collided);
        let damaged = on_air.outcome == PpduOutcome::ResponseDamaged;
        counts.response_damaged += u64::from(damaged);
        counts.no_response += u64::from(damaged || on_air.outcome == PpduOutcome::NoResponse);
        counts.management += shares.managements;
        if on_air.outcome == PpduOutcome::Collided {
            counts.lost += on_air.mpdus.len() as u64;
            return;
        }
        counts.new += shares.new;
        counts.msdus += shares.msdus;
        counts.duplicates += shares.duplicates;
        counts.lost += shares.losses;
        counts.missed += shares.misses;
        counts.tcp_acks += shares.tcp_acks;
        counts.payload[usize::from(on_air.from == AP)] += shares.payload;
    }
}

impl Observer for Books {
    fn on_air(&mut self, on_air: &OnAir) {
        // The response that did not come was waited for.
        if self.after != Account::Ifs {
            self.book(self.after, on_air.idle_since);
        }
        if on_air.from <= AP {
            self.own(on_air)
        } else {
            self.others(on_air)
        }
        // What the stages did under the exchange is no cause of anything.
        let cursor = self.ledger.cursor();
        self.idle(cursor);
    }

    fn dropped(&mut self, _: Instant, at: DropPoint, octets: u32) {
        if let Some(fates) = self.fates.as_mut().filter(|_| self.streaming) {
            fates.dropped(&mut self.ledger, self.direction, at, octets);
        }
    }

    fn stage(&mut self, now: Instant, stage: Stage, activity: Activity) {
        self.stages.does(stage, activity);
        self.changed(now);
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        if self.stages.holds(queue, depth) {
            self.changed(now);
        }
    }
}

/// Time of the payload in `ledger`, both ways.
pub fn payload(ledger: &Ledger<Account>) -> Duration {
    ledger.of(Account::PayloadUp) + ledger.of(Account::PayloadDown)
}
