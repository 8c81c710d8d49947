//! Cause of a stall: the reason that the air of a link stood still between two events.
//!
//! The rule is the ledger's (`airtime_ble::ledger`), seen from one end: what either end said of the event comes first,
//! then what this end's own sender lacked. So the two ends of a link may name a gap differently.

use airtime_ble::host::Starved;
use airtime_ble::ledger::{Account, starving};
use airtime_ble::trace::EventEnd;
use airtime_core::Instant;

/// Closing of an event by one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closing {
    /// Instant at which it did; its last packet may end later.
    pub at: Instant,
    /// Anchor of the event, if anything of it was on the air.
    pub anchor: Option<Instant>,
    /// Since when nothing was on the air, if that is known to be before the event.
    pub idle_since: Option<Instant>,
    pub counter: u16,
    pub exchanges: u16,
    pub end: EventEnd,
    pub had_data: bool,
    pub starved: Option<Starved>,
}

/// Events that an end did not take part in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Skips {
    /// Those the peripheral announced to sleep through: first and last counter.
    sleeping: Option<(u16, u16)>,
    /// The last one that another activity took.
    other: Option<u16>,
}

impl Skips {
    /// An end skips the event `counter`.
    pub fn skip(&mut self, counter: u16, latency: bool) {
        if !latency {
            self.other = Some(counter);
            return;
        }
        let first = match self.sleeping {
            Some((first, last)) if last.wrapping_add(1) == counter => first,
            _ => counter,
        };
        self.sleeping = Some((first, counter));
    }

    /// The peripheral takes part again from `counter` on.
    pub fn awake(&mut self, counter: u16) {
        if let Some((first, _)) = self.sleeping {
            self.sleeping = (counter != first).then(|| (first, counter.wrapping_sub(1)));
        }
    }

    fn sleeps(&self, counter: u16) -> bool {
        self.sleeping.is_some_and(|(first, last)| counter.wrapping_sub(first) <= last.wrapping_sub(first))
    }
}

/// Account of the pause after an event that one end closed as `own` and the other, if it took part, as `peer`.
pub(super) fn cause(own: &Closing, peer: Option<&Closing>, skips: &Skips) -> Account {
    let peer = peer.filter(|peer| peer.counter == own.counter);
    let said = |end| own.end == end || peer.is_some_and(|peer| peer.end == end);
    if skips.sleeps(own.counter) {
        Account::Latency
    } else if said(EventEnd::Cap) {
        Account::Cap
    } else if said(EventEnd::Tail) {
        Account::Tail
    } else if said(EventEnd::OtherActivity) || skips.other == Some(own.counter) {
        Account::OtherLink
    } else if said(EventEnd::Errors) || (said(EventEnd::Silence) && !said(EventEnd::Empty)) {
        Account::Loss
    } else if own.had_data {
        // It came too late for the event.
        starving(Some(Starved::LateHost), peer.and_then(|peer| peer.starved))
    } else {
        starving(own.starved, peer.and_then(|peer| peer.starved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOSED: Closing = Closing {
        at: Instant::ZERO,
        anchor: None,
        idle_since: None,
        counter: 7,
        exchanges: 1,
        end: EventEnd::Empty,
        had_data: false,
        starved: Some(Starved::Credits),
    };

    #[test]
    fn what_an_end_says_comes_before_what_it_lacks() {
        use EventEnd::{Cap, Empty, Errors, OtherActivity, Silence, Tail};
        let table = [
            (Empty, Empty, Account::IdleCredits),
            (Empty, Silence, Account::IdleCredits),
            (Silence, Silence, Account::Loss),
            (Errors, Empty, Account::Loss),
            (Empty, Tail, Account::Tail),
            (Tail, Cap, Account::Cap),
            (Silence, OtherActivity, Account::OtherLink),
        ];
        for (own, peer, expected) in table {
            let (own, peer) = (Closing { end: own, ..CLOSED }, Closing { end: peer, ..CLOSED });
            assert_eq!(cause(&own, Some(&peer), &Skips::default()), expected, "{own:?} {peer:?}");
        }
        let late = Closing { had_data: true, ..CLOSED };
        assert_eq!(cause(&late, None, &Skips::default()), Account::IdleHost);
        let earlier = Closing { end: Cap, counter: 6, ..CLOSED };
        assert_eq!(cause(&CLOSED, Some(&earlier), &Skips::default()), Account::IdleCredits, "of another event");
    }

    #[test]
    fn skipped_events() {
        let mut skips = Skips::default();
        skips.skip(6, true);
        skips.skip(7, true);
        assert_eq!(cause(&CLOSED, None, &skips), Account::Latency);
        skips.awake(7);
        assert_eq!(cause(&CLOSED, None, &skips), Account::IdleCredits);
        skips.skip(8, true);
        skips.awake(8);
        assert_eq!(cause(&CLOSED, None, &skips), Account::IdleCredits, "awake before it slept at all");
        skips.skip(7, false);
        assert_eq!(cause(&CLOSED, None, &skips), Account::OtherLink);
    }
}
