//! Tally of the arrivals of a numbered flow: lost, late, twice.

/// Order of an arrival in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ahead of everything before it; numbers between were skipped and may still come.
    Next,
    /// Behind one with a higher number: the network reordered.
    Late,
    /// Here before, or so late that this is not known any more.
    Again,
}

/// Distance behind the highest number at which an arrival can still be told from a repetition.
pub const WINDOW: u64 = 128;

/// The books of a numbered flow at its receiver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Arrivals with a number of their own.
    pub arrived: u64,
    /// Arrivals behind one with a higher number, of those.
    pub late: u64,
    /// Repetitions, which are no arrivals.
    pub again: u64,
    /// One more than the highest number that was heard.
    pub heard_of: u64,
    /// Bit *n*: number `heard_of - 1 - n` has arrived.
    window: u128,
}

impl Tally {
    /// Books number `sequence`.
    pub fn note(&mut self, sequence: u64) -> Order {
        if sequence >= self.heard_of {
            let ahead = (sequence - self.heard_of).saturating_add(1);
            self.window = u32::try_from(ahead).ok().and_then(|by| self.window.checked_shl(by)).unwrap_or(0) | 1;
            // The highest number of all would have no successor; no source counts that far.
            self.heard_of = sequence.saturating_add(1);
            self.arrived += 1;
            return Order::Next;
        }
        let behind = self.heard_of - 1 - sequence;
        let mask = if behind < WINDOW { 1 << behind } else { 0 };
        if mask == 0 || self.window & mask != 0 {
            self.again += 1;
            return Order::Again;
        }
        self.window |= mask;
        self.arrived += 1;
        self.late += 1;
        Order::Late
    }

    /// Numbers below the highest heard that have not arrived.
    ///
    /// What was lost behind the last arrival is not known here: the sender's count minus [`arrived`](Self::arrived) is.
    pub fn missing(&self) -> u64 {
        self.heard_of - self.arrived
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use proptest::prelude::*;

    #[test]
    fn arrivals_are_told_apart() {
        let mut tally = Tally::default();
        let orders = [0, 1, 4, 3, 3, 4, 2, 200, 60].map(|sequence| tally.note(sequence));
        use Order::{Again, Late, Next};
        assert_eq!(orders, [Next, Next, Next, Late, Again, Again, Late, Next, Again]);
        assert_eq!((tally.arrived, tally.late, tally.again, tally.missing()), (6, 2, 3, 195));
    }

    #[test]
    fn a_wild_number_costs_nothing_but_itself() {
        let mut tally = Tally::default();
        assert_eq!(tally.note(u64::MAX), Order::Next);
        assert_eq!(tally.note(u64::MAX), Order::Next, "it has no successor to tell it from");
        assert_eq!(tally.note(7), Order::Again);
    }

    proptest! {
        /// Within the window the books agree with a set of all numbers.
        #[test]
        fn the_window_agrees_with_a_set(steps in prop::collection::vec(0u64..WINDOW, 0..200)) {
            let (mut tally, mut seen) = (Tally::default(), BTreeSet::new());
            for (at, back) in steps.iter().enumerate() {
                // A number at most a window below the highest possible one.
                let sequence = (at as u64).saturating_sub(*back);
                let order = tally.note(sequence);
                let highest = seen.last().copied();
                let fresh = seen.insert(sequence);
                prop_assert_eq!(order != Order::Again, fresh);
                prop_assert_eq!(order == Order::Next, fresh && highest.is_none_or(|h| sequence > h));
            }
            prop_assert_eq!(tally.arrived, seen.len() as u64);
            prop_assert_eq!(tally.missing(), seen.last().map_or(0, |h| h + 1) - seen.len() as u64);
        }
    }
}
