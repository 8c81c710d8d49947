//! Turns of this controller's activities at its one radio, where events take it from each other.

use airtime_core::{Duration, Instant};

use super::{Controller, Holder};
use crate::ll::connection::Connection;
use crate::ll::scanning::Scanner;
use crate::ll::ticker::{READY, Ticker};
use crate::ll::turns::{Activity, Claim, Claims};
use crate::words::Role;

/// Space for the jitter of three neighbours that a further link or scan window is given: eight times 16 us (`ull_sched.c`).
const JITTER: Duration = Duration::from_micros(8 * 16);

/// State of the turns at a radio.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The activity that had its turn last, and the tick until which it keeps the radio.
    last: Option<(Activity, u64)>,
    /// Room for claims, used again and again.
    claims: Claims,
}

impl Controller {
    /// The timer of turns, if there are any to give: always where events are cut; where they are planned, between links and a scan that
    /// a time is kept for. Advertising fits itself in between planned events.
    pub(super) fn ticker(&self) -> Option<Ticker> {
        let ticker = Ticker::of_turns(&self.personality)?;
        let seeks = || usize::from(self.initiator.is_some() || self.scanning.is_on());
        let links = || self.connections.iter().flatten().count();
        (self.cuts() || links() > 0 && links() + seeks() > 1).then_some(ticker)
    }

    /// True of a controller that cuts its events.
    pub(super) fn cuts(&self) -> bool {
        self.personality.prepare_lead.is_some()
    }

    /// Tells if the connection in `slot`, whose event is due, has its turn; otherwise it is passed over.
    pub(super) fn takes_turn(&mut self, slot: usize, now: Instant) -> bool {
        let Some(ticker) = self.ticker() else { return true };
        let prepares = |c: &Self| {
            let connection = c.connections[slot].as_ref().filter(|c| !c.has_turn && c.event.is_none());
            connection.map(|connection| ticker.prepares(connection.radio_start()))
        };
        if let Some(due) = prepares(self) {
            self.give_turns(ticker, now, due);
            // An event that runs beyond its own next turn holds up those behind it.
            if prepares(self).is_some_and(|still| still <= due) {
                self.give_connection(slot, now, false);
            }
        }
        self.connections[slot].as_ref().is_some_and(|c| c.has_turn)
    }

    /// Tells if the connection in `slot`, whose event is due, leaves the radio to another one that begins before its first exchange could be
    /// over, where events are planned and no time is kept for them: a link that is about to be lost goes before others, and one that was
    /// blocked before one that was not, so that two on one anchor alternate.
    // sdk-nrfxlib, softdevice_controller/doc/scheduling.rst: the priorities, and that what was requested first of two alike has its turn; a
    // blocked event is requested again when it is blocked, one that ran when it is over. *Assumed* of controllers without such a document.
    pub(super) fn yields(&self, slot: usize, now: Instant) -> bool {
        let Some(own) = self.connections[slot].as_ref().filter(|_| self.ticker().is_none()) else { return false };
        let rank = |connection: &Connection| (connection.is_starving(now), connection.passed_over);
        let over = own.begins(&self.personality) + own.longest_exchange();
        let mut others = self.connections.iter().flatten().filter(|c| c.link != own.link && c.ended.is_none());
        others.any(|c| c.event.is_none() && c.begins(&self.personality) < over && rank(c) > rank(own))
    }

    /// Tells if the advertiser at `index`, whose event is due, has its turn; otherwise it is put off or passed over.
    pub(super) fn advertiser_takes_turn(&mut self, index: usize, now: Instant) -> bool {
        let Some(ticker) = self.ticker().filter(|_| self.cuts()) else { return true };
        let due = self.advertising.running().iter().nth(index).filter(|a| !a.has_turn);
        if let Some(claim) = due.map(|advertiser| advertiser.claim(ticker, index)) {
            self.give_turns(ticker, now, claim.takes);
        }
        let Some(advertiser) = self.advertising.running_mut().get_mut(index) else { return false };
        // It is too late for a place that was found between its prepare and now.
        if !advertiser.has_turn && advertiser.deadline() <= now {
            advertiser.pass_over();
        }
        advertiser.has_turn
    }

    /// Gives scanner and initiator the turns that are due, and a place if they have none yet.
    pub(super) fn take_scanning_turns(&mut self, now: Instant) {
        let Some(ticker) = self.ticker() else { return };
        if let Some(length) = self.scanning.scanner().filter(|scanner| scanner.wants_place()).map(Scanner::length) {
            let start = self.start_of_scan(ticker, now, length);
            self.scanning.scanner_mut().into_iter().for_each(|scanner| scanner.place(start));
        }
        if let Some(initiator) = self.initiator.as_mut().filter(|initiator| initiator.scanner.wants_place()) {
            initiator.scanner.place(ticker.starts(ticker.taken(now)));
        }
        let initiator = self.initiator.as_ref().and_then(|i| i.scanner.claim(ticker, Activity::Initiator));
        let scanner = self.scanning.scanner().and_then(|s| s.claim(ticker, Activity::Scanner));
        let taken = ticker.taken(now);
        let due = initiator.into_iter().chain(scanner).map(|claim| claim.takes).filter(|takes| *takes <= taken).max();
        if let Some(due) = due {
            self.give_turns(ticker, now, due);
        }
        let follows = self.anchor_to_follow(ticker, now);
        if let Some(initiator) = &mut self.initiator {
            initiator.follows = follows;
        }
    }

    /// Instant at which the radio is taken from an event of the connection in `slot` that is about to begin.
    pub(super) fn taken_from(&mut self, ticker: Ticker, slot: usize) -> Instant {
        let kept = match self.connections.get(slot) {
            Some(Some(connection)) if connection.event.is_none() => self.claim_of(ticker, slot, connection, false),
            _ => None,
        };
        let kept = kept.map_or(self.kept(), |claim| claim.takes + claim.keeps);
        let mut claims = self.claims(ticker, Some(slot));
        // A peripheral knows when its next event is once it has heard the first packet of this one.
        if self.connections.get(slot).is_some_and(|c| c.as_ref().is_some_and(|c| c.waits_for_anchor())) {
            claims.forget(Activity::Connection(slot));
        }
        let next = claims.next(ticker, kept);
        self.turns.claims = claims;
        next.map_or(Instant::FAR_FUTURE, |claim| ticker.takes(claim.takes))
    }

    /// First packet of whatever has its turn next beside the link in `slot`, where events are planned.
    pub(super) fn next_beside(&mut self, ticker: Ticker, slot: usize) -> Instant {
        let mut claims = self.claims(ticker, Some(slot));
        let next = claims.next(ticker, self.kept());
        self.turns.claims = claims;
        let beside = next.filter(|claim| claim.activity != Activity::Connection(slot));
        beside.map_or(Instant::FAR_FUTURE, |claim| claim.starts + READY)
    }

    /// Instant at which the radio is next taken by anything; at once if something that has its turn is about to begin.
    pub(super) fn next_taken(&mut self, ticker: Ticker, now: Instant) -> Instant {
        if self.connections.iter().flatten().any(|c| c.has_turn && c.event.is_none()) {
            return now;
        }
        let mut claims = self.claims(ticker, None);
        let next = claims.next(ticker, self.kept());
        self.turns.claims = claims;
        let Some(next) = next else { return Instant::FAR_FUTURE };
        if self.cuts() { ticker.takes(next.takes) } else { next.starts.saturating_back(self.personality.queue_ahead) }
    }

    /// Gives the turns that take the radio from the event that runs, before its end changes what its own link claims: they were
    /// decided when they were prepared.
    pub(super) fn give_turns_that_cut(&mut self, now: Instant) {
        let (Some(ticker), Holder::Connection(_)) = (self.ticker().filter(|_| self.cuts()), self.holder) else {
            return;
        };
        self.give_turns(ticker, now, ticker.taken(now));
    }

    /// Gives all turns whose prepares are due by tick `until` to whom they belong, in their order.
    pub(super) fn give_turns(&mut self, ticker: Ticker, now: Instant, until: u64) {
        loop {
            let claims = self.claims(ticker, None);
            let first = claims.first(self.kept());
            self.turns.claims = claims;
            match first {
                // The event that runs ends first.
                Some((claim, _)) if self.runs(claim.activity) => return,
                Some((claim, has_turn)) if claim.takes <= until => self.give_turn(ticker, now, &claim, has_turn),
                _ => return,
            }
        }
    }

    fn runs(&self, activity: Activity) -> bool {
        matches!(activity, Activity::Connection(slot) if self.connections[slot].as_ref().is_some_and(|c| c.event.is_some()))
    }

    /// Tick until which the radio is kept; an activity that is over keeps it no longer.
    fn kept(&self) -> u64 {
        let Some((activity, until)) = self.turns.last else { return 0 };
        let goes_on = match activity {
            Activity::Connection(slot) => self.connections.get(slot).is_some_and(Option::is_some),
            Activity::Advertiser(_) => !self.advertising.running().is_empty(),
            Activity::Scanner => self.scanning.is_on(),
            Activity::Initiator => self.initiator.is_some(),
        };
        if goes_on { until } else { 0 }
    }

    fn give_turn(&mut self, ticker: Ticker, now: Instant, claim: &Claim, has_turn: bool) {
        if has_turn {
            self.turns.last = Some((claim.activity, claim.takes + claim.keeps));
        }
        match claim.activity {
            Activity::Connection(slot) => self.give_connection(slot, now, has_turn),
            Activity::Advertiser(index) => self.give_advertiser(ticker, index, claim, has_turn),
            Activity::Scanner => {
                if let Some(scanner) = self.scanning.scanner_mut() {
                    scanner.turns.give(has_turn);
                }
            }
            Activity::Initiator => {
                if let Some(initiator) = &mut self.initiator {
                    initiator.scanner.turns.give(has_turn);
                }
            }
        }
    }

    fn give_connection(&mut self, slot: usize, now: Instant, has_turn: bool) {
        let Some(connection) = self.connections[slot].as_mut() else { return };
        connection.has_turn = has_turn;
        if has_turn {
            connection.passed_over = 0;
            connection.starving = false;
        } else {
            connection.passed_over += 1;
            self.with(slot, now, |connection, ctx| connection.skip(ctx));
        }
    }

    /// Gives the advertiser its turn; one that is passed over finds another place in the time of its random delay, if there is any.
    fn give_advertiser(&mut self, ticker: Ticker, index: usize, claim: &Claim, has_turn: bool) {
        let (kept, mut room) = (self.kept(), self.claims(ticker, None));
        let Some(advertiser) = self.advertising.running_mut().get_mut(index) else { return };
        if has_turn {
            advertiser.take_turn();
        } else {
            let window = claim.keeps + ticker.ticks(advertiser.window());
            match room.place_in(ticker, claim, window, kept).filter(|_| !advertiser.is_deferred()) {
                Some(tick) => advertiser.defer(ticker.starts(tick) + READY),
                None => advertiser.pass_over(),
            }
        }
        self.turns.claims = room;
    }

    /// Claims of all activities to their next turns: those of the connection in `about`, which is about to begin an event, to the
    /// one after it.
    fn claims(&mut self, ticker: Ticker, about: Option<usize>) -> Claims {
        let mut claims = core::mem::take(&mut self.turns.claims);
        claims.clear();
        for (slot, connection) in self.connections.iter().enumerate() {
            let Some(connection) = connection.as_deref().filter(|c| c.ended.is_none()) else { continue };
            let runs = connection.event.is_some() || about == Some(slot);
            if runs || !connection.has_turn {
                claims.extend(self.claim_of(ticker, slot, connection, runs));
            }
        }
        for (index, advertiser) in self.advertising.running().iter().enumerate() {
            if self.cuts() && !advertiser.active && !advertiser.has_turn {
                claims.push(advertiser.claim(ticker, index));
            }
        }
        let initiator = self.initiator.as_ref().map(|initiator| (Activity::Initiator, &initiator.scanner));
        let scanner = self.scanning.scanner().map(|scanner| (Activity::Scanner, scanner));
        claims.extend(initiator.into_iter().chain(scanner).filter_map(|(who, scanner)| scanner.claim(ticker, who)));
        claims
    }

    /// Claim of a connection to its coming event, or to the one after the event that runs.
    fn claim_of(&self, ticker: Ticker, slot: usize, connection: &Connection, runs: bool) -> Option<Claim> {
        let start = if runs { connection.next_radio_start(ticker) } else { connection.radio_start() };
        let keeps = self.personality.slot_reservation;
        let claim = Claim::new(Activity::Connection(slot), ticker, start, connection.timing.interval, keeps);
        let passed_over = if runs { 0 } else { connection.passed_over };
        Some(Claim { passed_over, forced: connection.starving && !runs, ..claim })
    }

    /// Start of the radio for a scan that begins now: behind the first of our links with room behind it for `length`, if there is
    /// one (`ull_scan_enable`).
    pub(super) fn start_of_scan(&mut self, ticker: Ticker, now: Instant, length: Duration) -> Instant {
        let behind = self.link_with_room(ticker, now, length);
        let tick = behind.map(|claim| claim.takes + claim.keeps + ticker.ticks(JITTER));
        ticker.starts(tick.unwrap_or_else(|| ticker.taken(now)))
    }

    /// The link of ours as a central behind which there is room for `length` from the start of a radio.
    fn link_with_room(&mut self, ticker: Ticker, now: Instant, length: Duration) -> Option<Claim> {
        let taken = ticker.taken(now);
        let mut links = core::mem::take(&mut self.turns.claims);
        links.clear();
        for (slot, connection) in self.connections.iter().enumerate() {
            let ours = connection.as_deref().filter(|c| c.ended.is_none() && c.role == Role::Central);
            let Some(connection) = ours else { continue };
            let runs = connection.event.is_some() || ticker.prepares(connection.radio_start()) <= taken;
            links.extend(self.claim_of(ticker, slot, connection, runs));
        }
        let behind = links.with_room_behind(ticker.lead() + ticker.ticks(length) + ticker.ticks(JITTER));
        self.turns.claims = links;
        behind
    }

    /// Anchor of the link behind which a further one is put: the first with room behind it, where links keep a time.
    pub(super) fn anchor_to_follow(&mut self, ticker: Ticker, now: Instant) -> Option<Instant> {
        let length = self.personality.slot_reservation.filter(|_| self.cuts())?;
        let claim = self.link_with_room(ticker, now, length)?;
        let Activity::Connection(slot) = claim.activity else { return None };
        Some(self.connections[slot].as_ref()?.anchor)
    }
}
