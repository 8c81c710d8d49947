//! Order of a stream: counts of SDUs that did not come, came twice, or late.

use core::ops::Add;

use crate::payload;

/// SDUs that were not simply the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Gaps {
    /// Numbers passed over that have not come since.
    pub lost: u64,
    /// Numbers that had come before.
    pub duplicated: u64,
    /// Numbers that came after a later one.
    pub reordered: u64,
}

impl Gaps {
    /// True if the stream was whole.
    pub const fn is_none(&self) -> bool {
        self.lost == 0 && self.duplicated == 0 && self.reordered == 0
    }
}

impl Add for Gaps {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self {
            lost: self.lost + rhs.lost,
            duplicated: self.duplicated + rhs.duplicated,
            reordered: self.reordered + rhs.reordered,
        }
    }
}

/// Order of one channel's numbers: the next one expected, and which of the 64 before it came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    next: u64,
    /// Bit `i` is set when `next - 1 - i` came.
    came: u64,
    pub(crate) gaps: Gaps,
}

impl Order {
    /// SDUs so far that were not simply the next one.
    pub const fn gaps(&self) -> Gaps {
        self.gaps
    }

    /// Takes an SDU of `len` octets that begins with `head`: [`payload::sequence`](crate::payload::sequence).
    pub fn note(&mut self, len: u16, head: [u8; 8]) {
        self.take(payload::sequence(len, head), payload::mask(len));
    }

    /// Takes the low bits of a number, those in `mask`.
    pub(crate) fn take(&mut self, number: u64, mask: u64) {
        if mask == 0 {
            return;
        }
        let ahead = number.wrapping_sub(self.next) & mask;
        if ahead <= mask >> 1 {
            self.gaps.lost += ahead;
            self.next = self.next.wrapping_add(ahead).wrapping_add(1);
            self.came = match ahead {
                0..63 => self.came << (ahead + 1) | 1,
                _ => 1,
            };
            return;
        }
        // Behind by 1..: bit 0 stands for the number just before the next one.
        let bit = (self.next.wrapping_sub(1).wrapping_sub(number)) & mask;
        let late = bit < 64 && self.came & 1 << bit == 0 && self.gaps.lost > 0;
        if late {
            self.came |= 1 << bit;
            self.gaps.lost -= 1;
            self.gaps.reordered += 1;
        } else {
            self.gaps.duplicated += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gaps(numbers: &[u64], mask: u64) -> Gaps {
        let mut order = Order::default();
        for number in numbers {
            order.take(number & mask, mask);
        }
        order.gaps
    }

    #[test]
    fn what_is_missing_twice_or_late() {
        let table: &[(&[u64], [u64; 3])] = &[
            (&[0, 1, 2, 3], [0, 0, 0]),
            (&[0, 1, 3, 4], [1, 0, 0]),
            (&[2, 3], [2, 0, 0]),
            (&[0, 1, 1, 2], [0, 1, 0]),
            (&[0, 2, 1, 3], [0, 0, 1]),
            (&[0, 2, 1, 1], [0, 1, 1]),
            (&[0, 100, 1], [99, 1, 0]),
        ];
        for (numbers, [lost, duplicated, reordered]) in table.iter().copied() {
            assert_eq!(gaps(numbers, u64::MAX), Gaps { lost, duplicated, reordered }, "{numbers:?}");
        }
    }

    #[test]
    fn one_octet_numbers_wrap_round() {
        let all: std::vec::Vec<u64> = (0..1_000).collect();
        assert!(gaps(&all, 0xff).is_none());
        let without: std::vec::Vec<u64> = (0..1_000).filter(|n| *n != 256).collect();
        assert_eq!(gaps(&without, 0xff).lost, 1);
    }

    proptest! {
        #[test]
        fn a_whole_stream_with_holes_counts_the_holes(holes in proptest::collection::btree_set(0u64..500, 0..50)) {
            let numbers: std::vec::Vec<u64> = (0..=500).filter(|n| !holes.contains(n)).collect();
            let expected = Gaps { lost: holes.len() as u64, ..Gaps::default() };
            prop_assert_eq!(gaps(&numbers, u64::MAX), expected);
        }
    }
}
