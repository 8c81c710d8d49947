//! Table of deadlines: a handful of things are due, and the earliest of them is what matters.

use crate::Instant;

/// Bits of a place.
const PLACE_BITS: u32 = 3;

/// Deadline packed into one word, with its place below it: the smallest is the earliest, and of several the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due(u64);

impl Due {
    /// Nanoseconds that are never reached: 73 years.
    const NEVER: u64 = u64::MAX >> PLACE_BITS;

    #[inline]
    const fn new(place: usize, at: u64) -> Self {
        let at = if at < Self::NEVER { at } else { Self::NEVER };
        Self(at << PLACE_BITS | place as u64)
    }

    /// Instant of the deadline; [far in the future](Instant::FAR_FUTURE) if never.
    #[inline]
    fn at(self) -> Instant {
        let at = self.0 >> PLACE_BITS;
        if at == Self::NEVER { Instant::FAR_FUTURE } else { Instant::from_nanos(at) }
    }
}

/// The deadlines of up to [`PLACES`](Self::PLACES) things. What is never due is due [far in the future](Instant::FAR_FUTURE).
#[derive(Clone, Copy, Debug)]
pub struct Deadlines([Due; Self::PLACES]);

impl Deadlines {
    /// Number of places: as many as two hosts with two radios each have nodes.
    pub const PLACES: usize = 1 << PLACE_BITS;

    /// Nothing is ever due.
    pub const fn new() -> Self {
        let mut due = [Due(0); Self::PLACES];
        let mut place = 0;
        while place < Self::PLACES {
            due[place] = Due::new(place, Due::NEVER);
            place += 1;
        }
        Self(due)
    }

    /// Sets the deadline of `place`.
    ///
    /// # Panics
    /// When there is no such place; so do the others that name one.
    #[inline]
    pub fn set(&mut self, place: usize, at: Instant) {
        self.0[place] = Due::new(place, at.as_nanos());
    }

    /// Deadline of `place`.
    #[inline]
    pub fn at(&self, place: usize) -> Instant {
        self.0[place].at()
    }

    /// Earliest deadline and its place: the lowest one of several that are due at once.
    #[inline]
    pub fn earliest(&self) -> (Instant, usize) {
        // Which is next is what no predictor knows: a minimum is a selection, and no branch where it stands outside of a loop.
        let due = self.0.iter().copied().fold(self.0[0], Due::min);
        (due.at(), due.0 as usize % Self::PLACES)
    }
}

impl Default for Deadlines {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_found_and_of_several_the_first() {
        let mut deadlines = Deadlines::new();
        assert_eq!(deadlines.earliest().0, Instant::FAR_FUTURE);
        let at = Instant::from_nanos;
        for (place, nanos, earliest) in [(6, 7, (7, 6)), (3, 9, (7, 6)), (1, 7, (7, 1)), (6, 0, (0, 6)), (7, 0, (0, 6))]
        {
            deadlines.set(place, at(nanos));
            assert_eq!(deadlines.at(place), at(nanos));
            assert_eq!(deadlines.earliest(), (at(earliest.0), earliest.1));
        }
        for place in 0..Deadlines::PLACES {
            deadlines.set(place, Instant::FAR_FUTURE);
        }
        assert_eq!(deadlines.earliest().0, Instant::FAR_FUTURE);
    }

    #[test]
    fn what_is_due_after_a_lifetime_is_never_due() {
        let mut deadlines = Deadlines::new();
        for (nanos, never) in
            [(Due::NEVER - 1, false), (Due::NEVER, true), (Due::NEVER + 1, true), (u64::MAX - 1, true)]
        {
            deadlines.set(0, Instant::from_nanos(nanos));
            assert_eq!(deadlines.at(0) == Instant::FAR_FUTURE, never, "{nanos}");
        }
    }
}
