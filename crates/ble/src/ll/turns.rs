//! Turns at the radio: the activity that has it next, where several claim it.
//!
//! Zephyr's timer keeps a time for each event from its prepare on. An event that would begin in another's time is passed over, and so
//! is one in whose time another would begin that has waited longer, or that is about to lose its link (`ticker.c`, `ticker_worker`
//! and `ticker_resolve_collision`). What was not passed over takes the radio, whatever is on the air then.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::ticker::Ticker;

/// Time left between an activity that is put off and the next one. `HAL_TICKER_RESCHEDULE_MARGIN`.
const RESCHEDULE_MARGIN: Duration = Duration::from_micros(150);

/// Activity of a controller that claims the radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// The connection in this slot.
    Connection(usize),
    /// The advertiser at this index.
    Advertiser(usize),
    /// Scanner.
    Scanner,
    /// Initiator.
    Initiator,
}

/// Claim of an activity to the radio: its next turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub activity: Activity,
    /// Start of its radio.
    pub starts: Instant,
    /// Time from one turn to the next.
    pub every: Duration,
    /// Tick at which it takes the radio.
    pub takes: u64,
    /// Ticks from one turn to the next.
    pub period: u64,
    /// Ticks from `takes` on that are kept for it.
    pub keeps: u64,
    /// Turns in a row in which it was passed over.
    pub passed_over: u64,
    /// Set if its link is about to be lost.
    pub forced: bool,
}

impl Claim {
    /// A claim to a turn whose radio starts at `starts` and that is `keeps` long from there on, and to one `every` so often.
    pub fn new(activity: Activity, ticker: Ticker, starts: Instant, every: Duration, keeps: Option<Duration>) -> Self {
        Self {
            activity,
            starts,
            every,
            takes: ticker.prepares(starts),
            period: ticker.ticks(every),
            keeps: keeps.map_or(0, |keeps| ticker.lead() + ticker.ticks(keeps)),
            passed_over: 0,
            forced: false,
        }
    }

    /// Ticks since its last turn at a tick no later than its next.
    fn age(&self, at: u64) -> u64 {
        (self.period * (1 + self.passed_over)).saturating_sub(self.takes - at)
    }

    /// True if it goes before `current`, in whose time it would begin.
    fn goes_before(&self, current: &Self) -> bool {
        match (self.forced, current.forced) {
            (true, false) => true,
            (false, true) => false,
            _ => self.age(current.takes) > current.age(current.takes),
        }
    }

    /// The claim after it was passed over.
    fn next(self, ticker: Ticker) -> Self {
        let starts = self.starts + self.every;
        Self { starts, takes: ticker.prepares(starts), passed_over: self.passed_over + 1, ..self }
    }
}

/// Claims of all activities of one controller.
#[derive(Debug, Default)]
pub(crate) struct Claims(Vec<Claim>);

impl Claims {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn push(&mut self, claim: Claim) {
        self.0.push(claim);
    }

    pub fn forget(&mut self, activity: Activity) {
        self.0.retain(|claim| claim.activity != activity);
    }

    pub fn extend(&mut self, claims: impl IntoIterator<Item = Claim>) {
        self.0.extend(claims);
    }

    /// The claim whose turn comes first, and if it has it: `kept` is the tick until which the one before keeps the radio.
    pub fn first(&self, kept: u64) -> Option<(Claim, bool)> {
        let index = (0..self.0.len()).min_by_key(|index| self.0[*index].takes)?;
        Some((self.0[index], self.has_turn(index, kept)))
    }

    fn has_turn(&self, index: usize, kept: u64) -> bool {
        let current = &self.0[index];
        if current.keeps == 0 {
            return true;
        }
        let within = |next: &Claim| next.keeps > 0 && next.takes <= current.takes + current.keeps;
        let rivals = self.0.iter().enumerate().filter(|(other, next)| *other != index && within(next));
        current.takes >= kept && !rivals.into_iter().any(|(_, next)| next.goes_before(current))
    }

    /// The next claim that will have its turn. Those before it are passed over.
    pub fn next(&mut self, ticker: Ticker, kept: u64) -> Option<Claim> {
        loop {
            let index = (0..self.0.len()).min_by_key(|index| self.0[*index].takes)?;
            if self.has_turn(index, kept) {
                return Some(self.0[index]);
            }
            self.0[index] = self.0[index].next(ticker);
        }
    }

    /// Tick within `window` from its turn to which a claim that was passed over is put off: the last in the first gap that is long
    /// enough for it, or the end of the window (`ticker_job_reschedule_in_window`).
    pub fn place_in(&mut self, ticker: Ticker, claim: &Claim, window: u64, kept: u64) -> Option<u64> {
        let margin = ticker.ticks(RESCHEDULE_MARGIN);
        self.0.sort_by_key(|claim| claim.takes);
        let (mut from, mut free, mut placed) = (0, kept.saturating_sub(claim.takes), None);
        for next in self.0.iter().filter(|next| next.activity != claim.activity && next.takes >= claim.takes) {
            if from + claim.keeps > window {
                break;
            }
            let gap = (next.takes - claim.takes) - from;
            let end = if gap > margin { window.min(from + gap - margin) } else { 0 };
            if end > from + claim.keeps && end - claim.keeps >= free {
                return Some(claim.takes + end - claim.keeps);
            }
            from += gap;
            free = gap + next.keeps;
            placed = Some(claim.takes + window - claim.keeps);
        }
        placed
    }

    /// The claim behind which a further link finds `room`: the first of these in the order of their turns with so much between the
    /// time it keeps and the next one's, or else the last (`ull_sched.c`, `after_match_slot_get`).
    pub fn with_room_behind(&mut self, room: u64) -> Option<Claim> {
        self.0.sort_by_key(|claim| claim.takes);
        let gap = self.0.windows(2).find(|pair| pair[1].takes - pair[0].takes > pair[0].keeps + room);
        gap.map(|pair| pair[0]).or(self.0.last().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    fn ticker() -> Ticker {
        Ticker::new(Duration::ZERO, airtime_core::units::Frequency(1_000_000))
    }

    fn claim(activity: Activity, takes: u64, period: u64, keeps: u64) -> Claim {
        let starts = Instant::ZERO + Duration::from_micros(takes);
        Claim::new(activity, ticker(), starts, Duration::from_micros(period), Some(Duration::from_micros(keeps)))
    }

    /// Turns of `claims` up to tick `until`, in their order: a letter for each that has it, small for one that was passed over.
    fn turns(mut claims: Vec<Claim>, until: u64) -> String {
        let mut kept = 0;
        let mut seen = String::new();
        loop {
            let (first, has) = Claims(claims.clone()).first(kept).expect("there are claims");
            if first.takes >= until {
                return seen;
            }
            let letter = match first.activity {
                Activity::Connection(slot) => b'A' + slot as u8,
                Activity::Advertiser(_) => b'V',
                Activity::Scanner => b'S',
                Activity::Initiator => b'I',
            } as char;
            seen.push(if has { letter } else { letter.to_ascii_lowercase() });
            let claim = claims.iter_mut().find(|claim| claim.activity == first.activity).expect("it is one of them");
            *claim = if has {
                Claim { passed_over: 0, forced: false, ..claim.next(ticker()) }
            } else {
                claim.next(ticker())
            };
            kept = if has { first.takes + first.keeps } else { kept };
        }
    }

    #[test]
    fn links_apart_both_have_every_turn() {
        let (a, b) = (Activity::Connection(0), Activity::Connection(1));
        assert_eq!(turns(vec![claim(a, 0, 15_000, 1_121), claim(b, 3_406, 15_000, 1_121)], 45_000), "ABABAB");
    }

    #[test]
    fn links_on_one_anchor_take_turns() {
        let (a, b) = (Activity::Connection(0), Activity::Connection(1));
        assert_eq!(turns(vec![claim(a, 0, 15_000, 1_121), claim(b, 0, 15_000, 1_121)], 60_000), "AbaBAbaB");
        assert_eq!(turns(vec![claim(a, 0, 15_000, 1_121), claim(b, 13, 15_000, 1_121)], 60_000), "AbaBAbaB");
    }

    /// 30 of 60 ms behind a link of 15 ms: one event is cut, two are passed over and one is whole.
    #[test]
    fn a_scan_window_goes_before_a_link() {
        let link = claim(Activity::Connection(0), 0, 15_000, 1_121);
        let scan = claim(Activity::Scanner, 1_249, 60_000, 30_275);
        assert_eq!(turns(vec![link, scan], 120_000), "ASaaAASaaA");
    }

    /// A scan without a pause keeps the radio for its whole interval, and the link has the next one.
    #[test]
    fn a_scan_without_a_pause_and_a_link_take_turns() {
        let link = claim(Activity::Connection(0), 0, 50_000, 1_121);
        let scan = claim(Activity::Scanner, 1_249, 60_000, 60_000);
        let turns = turns(vec![link, scan], 10_000_000);
        let (held, links) = (turns.matches('A').count(), turns.to_ascii_uppercase().matches('A').count());
        assert_eq!((held, links), (100, 200), "{turns}");
    }

    #[test]
    fn a_link_that_is_about_to_be_lost_goes_first() {
        let scan = claim(Activity::Scanner, 0, 60_000, 30_275);
        let link = claim(Activity::Connection(0), 10_000, 15_000, 1_121);
        assert_eq!(turns(vec![scan, link], 10_001), "Sa");
        assert_eq!(turns(vec![scan, Claim { forced: true, ..link }], 10_001), "sA");
    }

    #[test]
    fn room_is_found_behind_the_first_link_with_a_gap() {
        let link = |slot, takes| claim(Activity::Connection(slot), takes, 15_000, 1_596);
        let behind = |links: &[Claim]| Claims(links.to_vec()).with_room_behind(1_724).map(|claim| claim.activity);
        assert_eq!(behind(&[link(0, 0), link(1, 4_156)]), Some(Activity::Connection(0)));
        assert_eq!(behind(&[link(0, 0), link(1, 1_636)]), Some(Activity::Connection(1)));
        assert_eq!(behind(&[]), None);
    }
}
