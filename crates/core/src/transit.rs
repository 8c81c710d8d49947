//! Payload under way, between the air and its application: booked when it was on the air, told apart when its fate is known.

use crate::ledger::{Account, Ledger};
use crate::{Duration, Instant};

/// Payload of one direction that was on the air, and whose fate is open.
///
/// Payload that is on the air goes to an account for what is under way, and from there to where it belongs once that is known: to
/// payload when it arrives at its application, to what became of it when it does not. One octet is as good as another, so what
/// arrives takes the place of what was on the air first, whichever packet it was in; what arrives of an earlier time, of which
/// nothing is under way any more, takes the place of the next that is on the air. So payload is what was on the air or what arrived
/// since [`begin`](Self::begin), whichever is less: what is measured begins and ends with the two as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transit<A> {
    under_way: A,
    payload: A,
    open: Duration,
    ahead: Duration,
}

impl<A: Account> Transit<A> {
    /// Nothing is under way. What is goes to the account `under_way`, and to `payload` when it arrives.
    pub fn new(under_way: A, payload: A) -> Self {
        Self { under_way, payload, open: Duration::ZERO, ahead: Duration::ZERO }
    }

    /// Books payload on the air up to `until`; how much that was.
    pub fn aired(&mut self, ledger: &mut Ledger<A>, until: Instant) -> Duration {
        let span = until.saturating_since(ledger.cursor());
        ledger.book(self.under_way, until);
        self.open += span;
        let early = core::mem::take(&mut self.ahead);
        self.arrived(ledger, early);
        span
    }

    /// Payload of `span` of the air has arrived at its application.
    pub fn arrived(&mut self, ledger: &mut Ledger<A>, span: Duration) {
        let found = self.ended(ledger, self.payload, span);
        self.ahead += span - found;
    }

    /// Payload of `span` of the air has come to its end as what `account` says; how much of it was under way.
    pub fn ended(&mut self, ledger: &mut Ledger<A>, account: A, span: Duration) -> Duration {
        let found = span.min(self.open);
        self.open -= found;
        ledger.transfer(self.under_way, account, found);
        found
    }

    /// A time begins that is measured: what is under way stays booked as that.
    pub fn begin(&mut self) {
        (self.open, self.ahead) = (Duration::ZERO, Duration::ZERO);
    }

    /// Air of the payload that is under way.
    pub fn open(&self) -> Duration {
        self.open
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    crate::accounts! {
        /// Three accounts.
        pub enum Three {
            Payload = "payload", "it arrived";
            UnderWay = "under_way", "it may arrive";
            Dropped = "dropped", "it did not";
        }
    }

    fn ns(ns: u64) -> Duration {
        Duration::from_nanos(ns)
    }

    fn start() -> (Ledger<Three>, Transit<Three>) {
        (Ledger::new(Instant::ZERO), Transit::new(Three::UnderWay, Three::Payload))
    }

    fn booked(ledger: &Ledger<Three>) -> [u64; 3] {
        assert!(ledger.balances());
        [Three::Payload, Three::UnderWay, Three::Dropped].map(|account| ledger.of(account).as_nanos())
    }

    #[test]
    fn payload_is_what_arrives() {
        assert_eq!(Three::LEGEND[1], (Three::UnderWay.name(), Three::UnderWay.meaning()));
        let (mut ledger, mut transit) = start();
        assert_eq!(transit.aired(&mut ledger, Instant::from_nanos(100)), ns(100));
        assert_eq!(booked(&ledger), [0, 100, 0]);
        transit.arrived(&mut ledger, ns(30));
        assert_eq!(transit.ended(&mut ledger, Three::Dropped, ns(50)), ns(50));
        assert_eq!((booked(&ledger), transit.open()), ([30, 20, 50], ns(20)));
    }

    #[test]
    fn what_arrives_of_an_earlier_time_takes_the_place_of_the_next() {
        let (mut ledger, mut transit) = start();
        transit.aired(&mut ledger, Instant::from_nanos(100));
        transit.begin();
        let before = ledger.clone();
        transit.arrived(&mut ledger, ns(40));
        assert_eq!(booked(&ledger), [0, 100, 0], "what was booked before stays booked");
        transit.aired(&mut ledger, Instant::from_nanos(130));
        transit.aired(&mut ledger, Instant::from_nanos(190));
        assert_eq!(booked(&ledger.since(&before)), [40, 50, 0]);
    }

    proptest! {
        #[test]
        fn payload_is_the_lesser_of_what_was_on_the_air_and_what_arrived(
            steps in proptest::collection::vec((any::<bool>(), 0u64..1_000), 0..100),
        ) {
            let (mut ledger, mut transit) = start();
            let (mut aired, mut arrived) = (0, 0);
            for (on_air, span) in steps {
                if on_air {
                    aired += span;
                    transit.aired(&mut ledger, Instant::from_nanos(aired));
                } else {
                    arrived += span;
                    transit.arrived(&mut ledger, ns(span));
                }
                let payload = aired.min(arrived);
                prop_assert_eq!(booked(&ledger), [payload, aired - payload, 0]);
            }
        }
    }
}
