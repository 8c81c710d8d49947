//! A tenth of many cases, for tests that take too long for every change.

/// Variable of the environment that asks for the whole of every long test, where it is 1.
pub const WHOLE: &str = "AIRTIME_WHOLE";

/// Tells if the long tests are to run whole.
pub fn is_whole() -> bool {
    std::env::var_os(WHOLE).is_some_and(|value| value == "1")
}

/// The whole of a long test where that is asked for, such as a number of connections, and a tenth of it otherwise.
pub fn whole_or_tenth(whole: u64) -> u64 {
    if is_whole() { whole } else { whole / 10 }
}

/// Chooser of cases: one of every ten, each time at another place among them, so that a grid is covered evenly in all of its
/// directions; every case where the whole is asked for. The same cases are chosen each time.
#[derive(Debug)]
pub struct Tenth {
    whole: bool,
    seen: u64,
}

impl Tenth {
    /// A tenth, or the whole as [`is_whole`] says.
    #[expect(clippy::new_without_default, reason = "it depends on the environment")]
    pub fn new() -> Self {
        Self { whole: is_whole(), seen: 0 }
    }

    /// The same, begun behind so many cases: where there are few, it is from there that every kind has one.
    pub fn behind(cases: u64) -> Self {
        Self { seen: cases, ..Self::new() }
    }

    /// Tells if the next case is chosen.
    pub fn takes(&mut self) -> bool {
        let (ten, place) = (self.seen / 10, self.seen % 10);
        self.seen += 1;
        self.whole || drawn(ten) % 10 == place
    }

    /// Those of the next `cases` that are chosen.
    pub fn of<T>(&mut self, cases: impl IntoIterator<Item = T>) -> Vec<T> {
        cases.into_iter().filter(|_| self.takes()).collect()
    }
}

/// The number of a stream of SplitMix64 that is at this place. Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
fn drawn(place: u64) -> u64 {
    let mut z = (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_one_of_every_ten_at_every_place() {
        let mut tenth = Tenth { whole: false, seen: 0 };
        let chosen = [tenth.of(0..500), tenth.of(500..1_000)].concat();
        let tens: Vec<u64> = chosen.iter().map(|case| case / 10).collect();
        assert_eq!(tens, (0..100).collect::<Vec<u64>>());
        let of_place = |place| chosen.iter().filter(|case| **case % 10 == place).count();
        assert!((0..10).all(|place| (3..20).contains(&of_place(place))), "{chosen:?}");
    }

    #[test]
    fn the_whole_is_every_case() {
        assert_eq!(Tenth { whole: true, seen: 0 }.of(0..25).len(), 25);
    }
}
