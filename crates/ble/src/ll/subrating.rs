//! Connection subrating: which of its events a connection uses. Core 6.2, Vol 6, Part B, 4.5.1 and 5.1.19.
//!
//! Of every `factor` events one is subrated and used; of those between two of them the ones behind an event that carried something, up
//! to the continuation number. Nobody sends or listens in the rest.

/// Parameters of a subrated connection, as LL_SUBRATE_IND has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubrateUpdate {
    /// Events of which one is subrated, 1 to 500.
    pub factor: u16,
    /// Event counter of a subrated event.
    pub base: u16,
    /// Peripheral latency, in subrated events.
    pub latency: u16,
    /// Events behind one that carried something which are used as well, less than the factor.
    pub continuation: u16,
    /// Supervision timeout in units of 10 ms.
    pub timeout: u16,
}

/// Parameters that an end asks for, or finds acceptable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubrateRange {
    /// Least factor.
    pub factor_min: u16,
    /// Largest factor.
    pub factor_max: u16,
    /// Longest peripheral latency, in subrated events.
    pub latency_max: u16,
    /// Least continuation number.
    pub continuation: u16,
    /// Longest supervision timeout in units of 10 ms.
    pub timeout: u16,
}

/// Largest factor, and largest product of it with one more than the latency. Core 6.2, Vol 6, Part B, 4.5.1.
pub const FACTOR_MAX: u16 = 500;

impl SubrateRange {
    /// The acceptable parameters after a reset: nothing but what there is. Core 6.2, Vol 4, Part E, 7.8.123.
    pub const AFTER_RESET: Self =
        Self { factor_min: 1, factor_max: 1, latency_max: 0, continuation: 0, timeout: 0x0c80 };

    /// True if its values are those that HCI and the air allow. Core 6.2, Vol 4, Part E, 7.8.123.
    pub fn is_valid(&self) -> bool {
        (1..=self.factor_max).contains(&self.factor_min)
            && self.factor_max <= FACTOR_MAX
            && u32::from(self.factor_max) * (u32::from(self.latency_max) + 1) <= FACTOR_MAX.into()
            && self.continuation < self.factor_max
            && (0x000a..=0x0c80).contains(&self.timeout)
    }

    /// The parameters that a central makes of this for itself: the largest factor.
    pub fn chosen(&self, base: u16) -> SubrateUpdate {
        SubrateUpdate {
            factor: self.factor_max,
            base,
            latency: self.latency_max,
            continuation: self.continuation.min(self.factor_max - 1),
            timeout: self.timeout,
        }
    }

    /// The parameters that a central which finds this acceptable grants for `asked`; none where it has to refuse. Core 6.2, Vol 6,
    /// Part B, 5.1.20.
    pub fn granted(&self, asked: &Self, base: u16) -> Option<SubrateUpdate> {
        let agrees = asked.latency_max <= self.latency_max
            && asked.timeout <= self.timeout
            && asked.factor_max >= self.factor_min
            && asked.factor_min <= self.factor_max;
        let factor = asked.factor_max.min(self.factor_max).max(1);
        agrees.then(|| SubrateUpdate {
            factor,
            base,
            latency: asked.latency_max.min(FACTOR_MAX / factor - 1),
            continuation: asked.continuation.max(self.continuation).min(factor - 1),
            timeout: asked.timeout,
        })
    }
}

impl SubrateUpdate {
    /// True if its values hold together at an interval of `interval_us`. Core 6.2, Vol 6, Part B, 4.5.1.
    pub fn is_valid(&self, interval_us: u64) -> bool {
        let events = u64::from(self.factor) * (u64::from(self.latency) + 1);
        (1..=u64::from(FACTOR_MAX)).contains(&events)
            && self.continuation < self.factor
            && (0x000a..=0x0c80).contains(&self.timeout)
            && 2 * events * interval_us < u64::from(self.timeout) * 10_000
    }
}

/// Position of a connection among its events, as its event counter moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subrating {
    factor: u16,
    continuation: u16,
    /// Events since the last subrated one, less than the factor: what (connEventCount - connSubrateBaseEvent) mod connSubrateFactor is,
    /// through every wrap of the counter.
    since: u16,
    /// Events that are used because one before them carried something.
    left: u16,
}

impl Default for Subrating {
    /// A fresh connection's: every event is subrated.
    fn default() -> Self {
        Self { factor: 1, continuation: 0, since: 0, left: 0 }
    }
}

/// The two upper bits of an event counter.
const fn quarter(counter: u16) -> u16 {
    counter >> 14
}

impl Subrating {
    /// The position that `update` gives a connection whose event has the number `counter`.
    ///
    /// Where it was queued before the counter wrapped and comes behind that, its base event is of the time before. Core 6.2, Vol 6,
    /// Part B, 5.1.19.
    pub fn at(counter: u16, update: &SubrateUpdate) -> Self {
        let wrapped = quarter(update.base) == 0b11 && quarter(counter) == 0;
        let distance = i32::from(counter) - i32::from(update.base) + if wrapped { 0x1_0000 } else { 0 };
        let factor = update.factor.max(1);
        let since = distance.rem_euclid(factor.into()) as u16;
        Self { factor, continuation: update.continuation, since, left: 0 }
    }

    /// Events of which one is subrated.
    pub fn factor(&self) -> u16 {
        self.factor
    }

    /// Continuation number.
    pub fn continuation(&self) -> u16 {
        self.continuation
    }

    /// True if the coming event is subrated.
    pub fn is_subrated(&self) -> bool {
        self.since == 0
    }

    /// True if the coming event is used: a subrated one, or a continuation of what the last ones carried.
    pub fn is_used(&self) -> bool {
        self.is_subrated() || self.left > 0
    }

    /// Moves on to the next event, from one that carried something or nothing.
    pub fn advance(&mut self, carried: bool) {
        self.left = match carried {
            true => self.continuation,
            // What was before a subrated event does not count behind it.
            false if self.is_subrated() => 0,
            false => self.left.saturating_sub(1),
        };
        self.since = (self.since + 1) % self.factor;
    }

    /// Moves back by one event in which nothing was carried.
    pub fn step_back(&mut self) {
        self.since = (self.since + self.factor - 1) % self.factor;
        self.left = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn update(factor: u16, base: u16, continuation: u16) -> SubrateUpdate {
        SubrateUpdate { factor, base, latency: 0, continuation, timeout: 400 }
    }

    /// Counters that are used of the `events` from `counter` on, where those in `carrying` carry something.
    fn used(counter: u16, update: &SubrateUpdate, events: u16, carrying: &[u16]) -> Vec<u16> {
        let mut subrating = Subrating::at(counter, update);
        let counters = (0..events).map(|event| counter.wrapping_add(event));
        counters
            .filter(|counter| {
                let is_used = subrating.is_used();
                subrating.advance(is_used && carrying.contains(counter));
                is_used
            })
            .collect()
    }

    /// The examples of the specification. Core 6.2, Vol 6, Part B, 5.1.19 and figure 5.5.
    #[test]
    fn events_are_those_of_the_examples() {
        assert_eq!(used(33, &update(5, 32, 0), 25, &[]), [37, 42, 47, 52, 57]);
        assert_eq!(used(42, &update(3, 38, 0), 16, &[]), [44, 47, 50, 53, 56]);
        assert_eq!(used(65_520, &update(10, 12_002, 0), 50, &[]), [65_522, 65_532, 6, 16, 26]);
        // The same parameters in a PDU that was queued behind the wrap are another phase.
        assert_eq!(used(6, &update(10, 12_002, 0), 30, &[]), [12, 22, 32]);
        // Queued before the wrap and received behind it, the base event is of the time before.
        assert_eq!(used(6, &update(10, 65_532, 0), 24, &[]), [6, 16, 26]);
    }

    /// (connEventCount - connSubrateBaseEvent) mod connSubrateFactor, and the rule for the base event at a wrap, for every factor.
    #[test]
    fn events_are_those_of_the_formula_through_a_wrap() {
        for factor in 1..=FACTOR_MAX {
            let base = 65_000 + factor % 97;
            let mut subrating = Subrating::at(65_100, &update(factor, base, 0));
            let mut wrapped_base = u32::from(base);
            for event in 65_100..=66_600_u32 {
                if event == 0x1_0000 {
                    let factor = u32::from(factor);
                    wrapped_base = (factor - (0x1_0000 - wrapped_base) % factor) % factor;
                }
                let distance = i64::from(event % 0x1_0000) - i64::from(wrapped_base);
                let expected = distance.rem_euclid(factor.into()) == 0;
                assert_eq!(subrating.is_subrated(), expected, "{factor}: {event}");
                subrating.advance(false);
            }
        }
    }

    #[test]
    fn what_was_carried_is_continued_up_to_the_next_subrated_event() {
        let eight = update(8, 0, 2);
        assert_eq!(used(0, &eight, 17, &[]), [0, 8, 16]);
        assert_eq!(used(0, &eight, 17, &[0]), [0, 1, 2, 8, 16]);
        // Each of them that carries something has as many behind it.
        assert_eq!(used(0, &eight, 17, &[0, 2, 3]), [0, 1, 2, 3, 4, 5, 8, 16]);
        assert_eq!(used(0, &eight, 17, &[8, 9, 10, 11, 12, 13, 14, 15]), [0, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        // What was carried before a subrated event that carried nothing does not count.
        let four = update(4, 0, 3);
        assert_eq!(used(0, &four, 9, &[0, 3]), [0, 1, 2, 3, 4, 8]);
        assert_eq!(used(0, &four, 9, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(used(0, &update(1, 0, 0), 4, &[1]), [0, 1, 2, 3], "without subrating every event is used");
    }

    #[test]
    fn steps_back_end_where_they_began() {
        for factor in [1, 2, 7, 500] {
            let fresh = Subrating::at(12, &update(factor, 3, 0));
            let mut moved = fresh;
            (0..1_000).for_each(|_| moved.advance(false));
            (0..1_000).for_each(|_| moved.step_back());
            assert_eq!(moved, fresh, "{factor}");
        }
    }

    #[test]
    fn a_central_grants_what_both_find_acceptable() {
        let range = |factor_min, factor_max, latency_max, continuation, timeout| SubrateRange {
            factor_min,
            factor_max,
            latency_max,
            continuation,
            timeout,
        };
        let own = range(2, 20, 3, 1, 400);
        let granted = |asked: &SubrateRange| own.granted(asked, 7).map(|g| (g.factor, g.latency, g.continuation));
        assert_eq!(granted(&range(1, 10, 2, 0, 400)), Some((10, 2, 1)));
        assert_eq!(granted(&range(10, 50, 3, 4, 300)), Some((20, 3, 4)));
        assert_eq!(granted(&range(1, 2, 0, 1, 400)), Some((2, 0, 1)));
        assert_eq!(granted(&range(1, 1, 0, 0, 400)), None, "too often");
        assert_eq!(granted(&range(21, 30, 0, 0, 400)), None, "too seldom");
        assert_eq!(granted(&range(1, 10, 4, 0, 400)), None, "too much latency");
        assert_eq!(granted(&range(1, 10, 0, 0, 401)), None, "too long a timeout");
        assert_eq!(SubrateRange::AFTER_RESET.granted(&range(1, 10, 0, 0, 400), 0).map(|g| g.factor), Some(1));
        assert!(own.is_valid() && SubrateRange::AFTER_RESET.is_valid());
        assert!(!range(1, 500, 1, 0, 400).is_valid() && !range(0, 2, 0, 0, 400).is_valid());
        assert!(!range(1, 4, 0, 4, 400).is_valid() && !range(3, 2, 0, 0, 400).is_valid());
    }

    #[test]
    fn a_timeout_is_more_than_two_turns() {
        // 50 ms, every tenth: 500 ms, of which two are 1 s.
        assert!(update(10, 0, 0).is_valid(50_000));
        assert!(!SubrateUpdate { timeout: 100, ..update(10, 0, 0) }.is_valid(50_000));
        assert!(SubrateUpdate { timeout: 101, ..update(10, 0, 0) }.is_valid(50_000));
        assert!(!update(10, 0, 10).is_valid(50_000) && !update(0, 0, 0).is_valid(50_000));
        assert!(!SubrateUpdate { latency: 1, ..update(500, 0, 0) }.is_valid(1));
    }
}
