//! Table of deadlines: a handful of things are due, and the earliest of them is what matters.

use crate::Instant;

/// The deadlines of `PLACES` things. What is never due is due [far in the future](Instant::FAR_FUTURE).
///
/// Each is packed into one word, with its place below it: the smallest is the earliest, and of several the first.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines<const PLACES: usize>([u64; PLACES]);

impl<const PLACES: usize> Deadlines<PLACES> {
    /// Bits of a place.
    const PLACE_BITS: u32 = usize::BITS - (PLACES - 1).leading_zeros();
    /// Nanoseconds that are never reached: 73 years of eight places.
    const NEVER: u64 = u64::MAX >> Self::PLACE_BITS;

    /// A table in which nothing is ever due.
    pub const fn new() -> Self {
        let mut due = [0; PLACES];
        let mut place = 0;
        while place < PLACES {
            due[place] = Self::packed(place, Self::NEVER);
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
        self.0[place] = Self::packed(place, at.as_nanos());
    }

    /// Deadline of `place`, [`Instant::FAR_FUTURE`] where it has none.
    #[inline]
    pub fn at(&self, place: usize) -> Instant {
        Self::instant(self.0[place])
    }

    /// Earliest deadline and its place: the lowest one of several that are due at once.
    #[inline]
    pub fn earliest(&self) -> (Instant, usize) {
        // Which is next is what no predictor knows: a minimum is a selection, and no branch where it stands outside of a loop.
        let due = self.0.iter().copied().fold(self.0[0], u64::min);
        (Self::instant(due), due as usize & !(usize::MAX << Self::PLACE_BITS))
    }

    #[inline]
    const fn packed(place: usize, at: u64) -> u64 {
        let at = if at < Self::NEVER { at } else { Self::NEVER };
        at << Self::PLACE_BITS | place as u64
    }

    /// Instant of a packed deadline; far in the future if never.
    #[inline]
    fn instant(due: u64) -> Instant {
        let at = due >> Self::PLACE_BITS;
        if at == Self::NEVER { Instant::FAR_FUTURE } else { Instant::from_nanos(at) }
    }
}

impl<const PLACES: usize> Default for Deadlines<PLACES> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_found_and_of_several_the_first() {
        let mut deadlines = Deadlines::<8>::new();
        assert_eq!(deadlines.earliest().0, Instant::FAR_FUTURE);
        let at = Instant::from_nanos;
        for (place, nanos, earliest) in [(6, 7, (7, 6)), (3, 9, (7, 6)), (1, 7, (7, 1)), (6, 0, (0, 6)), (7, 0, (0, 6))]
        {
            deadlines.set(place, at(nanos));
            assert_eq!(deadlines.at(place), at(nanos));
            assert_eq!(deadlines.earliest(), (at(earliest.0), earliest.1));
        }
        for place in 0..8 {
            deadlines.set(place, Instant::FAR_FUTURE);
        }
        assert_eq!(deadlines.earliest().0, Instant::FAR_FUTURE);
    }

    #[test]
    fn what_is_due_after_a_lifetime_is_never_due() {
        const NEVER: u64 = Deadlines::<8>::NEVER;
        let mut deadlines = Deadlines::<8>::new();
        for (nanos, never) in [(NEVER - 1, false), (NEVER, true), (NEVER + 1, true), (u64::MAX - 1, true)] {
            deadlines.set(0, Instant::from_nanos(nanos));
            assert_eq!(deadlines.at(0) == Instant::FAR_FUTURE, never, "{nanos}");
        }
    }

    #[test]
    fn any_number_of_places_will_do() {
        let mut one = Deadlines::<1>::new();
        one.set(0, Instant::from_nanos(5));
        assert_eq!(one.earliest(), (Instant::from_nanos(5), 0));
        let mut five = Deadlines::<5>::new();
        for place in (0..5).rev() {
            five.set(place, Instant::from_nanos(7));
            assert_eq!(five.earliest(), (Instant::from_nanos(7), place));
        }
    }
}
