//! Driver's view of the TX FIFO: all that it knows without asking.
//!
//! TX_DS is a flag, not a count: two payloads that leave between two looks at it count as one. So the driver keeps an
//! upper bound of what is in the FIFO, and corrects it by TX_FULL whenever STATUS passes by.

use crate::wire::register::status;

/// Payloads that fit into the TX FIFO. 7.4.
const DEPTH: u8 = 3;

/// At most how many payloads the TX FIFO holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fifo {
    at_most: u8,
    /// The TX_DS that stands in STATUS has been counted.
    counted: bool,
    /// A payload was seen to have left before its TX_DS, which comes later by the delay of an interrupt: that one is not counted.
    ahead: bool,
}

impl Fifo {
    /// A payload more surely fits.
    pub(super) const fn has_room(self) -> bool {
        self.at_most < DEPTH
    }

    /// Payloads in it, at most.
    pub(super) const fn at_most(self) -> u8 {
        self.at_most
    }

    /// STATUS as a transaction shifted it out; `clears` when the same transaction clears TX_DS. Says whether it shows a
    /// TX_DS that was not seen yet.
    pub(super) fn saw(&mut self, octet: u8, clears: bool) -> bool {
        let stands = octet & status::TX_DS != 0;
        let new = stands && !self.counted;
        self.counted = stands && !clears;
        if new && !core::mem::take(&mut self.ahead) {
            self.at_most = self.at_most.saturating_sub(1);
        }
        if octet & status::TX_FULL != 0 {
            self.at_most = DEPTH;
        } else if self.at_most == DEPTH {
            (self.at_most, self.ahead) = (DEPTH - 1, true);
        }
        new
    }

    /// A payload was written.
    pub(super) fn wrote(&mut self) {
        self.at_most = (self.at_most + 1).min(DEPTH);
    }

    /// FIFO_STATUS says that it is empty.
    pub(super) fn is_empty(&mut self) {
        (self.at_most, self.ahead) = (0, self.at_most > 0);
    }

    /// It is empty, and no TX_DS is on its way.
    pub(super) fn reset(&mut self) {
        (self.at_most, self.ahead) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: u8 = status::RX_P_NO;

    #[test]
    fn a_flag_that_stands_counts_once() {
        let mut fifo = Fifo::default();
        (0..3).for_each(|_| fifo.wrote());
        assert!(!fifo.has_room());
        assert!(fifo.saw(NOTHING | status::TX_DS, false));
        assert!(!fifo.saw(NOTHING | status::TX_DS, true), "the same flag, now cleared");
        assert_eq!(fifo.at_most(), 2);
        assert!(fifo.saw(NOTHING | status::TX_DS, true), "another one");
        assert_eq!(fifo.at_most(), 1);
    }

    #[test]
    fn two_that_left_between_two_looks_leave_a_bound_that_is_too_high_and_never_too_low() {
        let mut fifo = Fifo::default();
        (0..3).for_each(|_| fifo.wrote());
        fifo.saw(NOTHING | status::TX_DS, true);
        assert_eq!(fifo.at_most(), 2, "one is in it");
        fifo.wrote();
        assert!(!fifo.has_room(), "two are in it");
        fifo.saw(NOTHING, false);
        assert!(fifo.has_room(), "TX_FULL is 0, so at most two are");
    }

    #[test]
    fn who_was_seen_to_leave_before_the_flag_counts_once() {
        let mut fifo = Fifo::default();
        (0..3).for_each(|_| fifo.wrote());
        fifo.saw(NOTHING, false);
        assert_eq!(fifo.at_most(), 2, "no longer full, and TX_DS still on its way");
        assert!(fifo.saw(NOTHING | status::TX_DS, true));
        assert_eq!(fifo.at_most(), 2, "the same payload");
        fifo.is_empty();
        fifo.wrote();
        fifo.saw(NOTHING | status::TX_DS, true);
        assert_eq!(fifo.at_most(), 1, "the flag is of a payload before it was empty");
    }

    #[test]
    fn a_full_fifo_is_full_whatever_was_counted() {
        let mut fifo = Fifo::default();
        fifo.saw(NOTHING | status::TX_FULL, false);
        assert_eq!((fifo.at_most(), fifo.has_room()), (3, false));
        fifo.reset();
        assert_eq!(fifo.at_most(), 0);
    }
}
