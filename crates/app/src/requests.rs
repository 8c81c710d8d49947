//! Requests of an upload: values that belong together, and that their receiver answers as a whole.
//!
//! Firmware updates go like this: SMP answers each request with a notification once it has written the octets to its flash, and Nordic's
//! older DFU reports the receipt of every so many packets.

use airtime_core::Instant;

use crate::config::Requests;

/// The end that asks: how much of its request is left, and how many have no answer yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking {
    config: Requests,
    left: u16,
    unanswered: u8,
}

impl Asking {
    pub(crate) fn new(config: Requests) -> Self {
        Self { config, left: 0, unanswered: 0 }
    }

    /// Tells if a value may go: of the request that was begun, or of another.
    pub(crate) fn may_send(&self) -> bool {
        self.left > 0 || self.unanswered < self.config.outstanding.max(1)
    }

    /// Takes the next value, of `most` octets where the request has as many left; returns how long it is.
    pub(crate) fn take(&mut self, most: u16) -> u16 {
        if self.left == 0 {
            self.left = self.config.octets.max(1);
            self.unanswered += 1;
        }
        let len = most.min(self.left);
        self.left -= len;
        len
    }

    /// An answer has come.
    pub(crate) fn answered(&mut self) {
        self.unanswered = self.unanswered.saturating_sub(1);
    }
}

/// The end that answers: what has come of a request, and the requests it works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answering {
    config: Requests,
    come: u32,
    /// Requests that are whole and have no answer.
    whole: u8,
    /// Instant at which the first of them is dealt with.
    done: Instant,
    /// Answers that were given.
    given: u64,
}

impl Answering {
    pub(crate) fn new(config: Requests) -> Self {
        Self { config, come: 0, whole: 0, done: Instant::ZERO, given: 0 }
    }

    /// Takes a value of `len` octets. One after the other, a request takes its time from when it is whole and the one before is done.
    pub(crate) fn arrived(&mut self, now: Instant, len: u16) {
        self.come += u32::from(len);
        let octets = u32::from(self.config.octets.max(1));
        // A sender that is not ours may put several into a value.
        let whole = u8::try_from(self.come / octets).unwrap_or(u8::MAX);
        self.come %= octets;
        if self.whole == 0 {
            self.done = now + self.config.busy;
        }
        self.whole = self.whole.saturating_add(whole);
    }

    /// Tells if there is a request that it works on.
    pub(crate) fn is_busy(&self) -> bool {
        self.whole > 0
    }

    /// Octets and number of the answer that is due at `now`, if one is.
    pub(crate) fn answer(&mut self, now: Instant) -> Option<(u16, u64)> {
        if self.whole == 0 || now < self.done {
            return None;
        }
        self.whole -= 1;
        self.done = now + self.config.busy;
        self.given += 1;
        Some((self.config.answer.max(1), self.given - 1))
    }

    /// Instant of the next answer.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        (self.whole > 0).then_some(self.done)
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Duration;

    use super::*;

    const SMP: Requests = Requests { octets: 384, outstanding: 2, busy: Duration::from_millis(4), answer: 19 };

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_request_is_split_into_values_and_no_more_are_begun_than_may_be_unanswered() {
        let mut asking = Asking::new(SMP);
        let mut values = std::vec::Vec::new();
        while asking.may_send() {
            values.push(asking.take(244));
        }
        assert_eq!(values, [244, 140, 244, 140]);
        asking.answered();
        assert!(asking.may_send());
        assert_eq!((asking.take(244), asking.may_send()), (244, true), "what was begun is finished");
        assert_eq!((asking.take(244), asking.may_send()), (140, false));
    }

    #[test]
    fn each_request_takes_its_time_one_after_the_other() {
        let mut answering = Answering::new(SMP);
        answering.arrived(at(0), 244);
        assert_eq!(answering.deadline(), None);
        answering.arrived(at(1), 140);
        answering.arrived(at(2), 244);
        answering.arrived(at(2), 140);
        assert_eq!((answering.deadline(), answering.answer(at(4))), (Some(at(5)), None));
        assert_eq!(answering.answer(at(5)), Some((19, 0)));
        assert_eq!((answering.deadline(), answering.answer(at(8))), (Some(at(9)), None));
        assert_eq!(answering.answer(at(9)), Some((19, 1)));
        assert_eq!((answering.deadline(), answering.answer(at(20))), (None, None));
    }

    #[test]
    fn several_requests_in_a_value_are_answered_one_by_one() {
        let mut answering = Answering::new(Requests { octets: 20, ..SMP });
        answering.arrived(at(0), 50);
        assert_eq!((answering.answer(at(4)), answering.answer(at(8))), (Some((19, 0)), Some((19, 1))));
        assert!(!answering.is_busy());
        answering.arrived(at(9), 10);
        assert!(answering.is_busy(), "the rest was of the third");
    }

    #[test]
    fn what_takes_no_time_is_answered_at_once() {
        let mut answering = Answering::new(Requests { busy: Duration::ZERO, octets: 20, ..SMP });
        answering.arrived(at(3), 20);
        assert_eq!(answering.answer(at(3)), Some((19, 0)));
        assert_eq!(answering.answer(at(3)), None);
    }
}
