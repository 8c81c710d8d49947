//! A pattern of which every octet is known, and the sum of any stretch of it.

/// Octets after which the pattern begins again. It is a prime (2^13 - 1): whatever header, chunk, segment or packet is displaced,
/// repeated or left out, unless it is a multiple of that long, the octets in its place are others.
///
/// What cannot show: octets in the place of others that are a multiple of 8,191 away. In a stream of segments of 1,440 octets those
/// are 8,191 segments on, and among datagrams the 8,191st has the same body.
pub(super) const PERIOD: usize = 8_191;

/// 2^64 divided by the golden ratio, odd (Knuth, The Art of Computer Programming, vol. 3, 6.4).
const RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// Octets of the tables: two periods, so that one from any place of the first on lies in one piece.
const PLACES: usize = 2 * PERIOD;

/// The pattern: a table, since to copy and to compare octets is the least that can be done with them.
static OCTETS: [u8; PLACES] = octets();

/// Sums of RFC 1071 over the first octets of the table, for each number of them, as if they began at an even place.
static SUMS: [u32; PLACES + 1] = sums();

/// Words of a multiplicative hash, from that of one on, the first octet in the low place.
const fn octets() -> [u8; PLACES] {
    let mut octets = [0; PLACES];
    let mut at = 0;
    while at < PLACES {
        let place = at % PERIOD;
        let product = (place as u64 / 8 + 1).wrapping_mul(RATIO);
        octets[at] = ((product ^ (product >> 32)) >> (8 * (place % 8))) as u8;
        at += 1;
    }
    octets
}

const fn sums() -> [u32; PLACES + 1] {
    let octets = octets();
    let mut sums = [0; PLACES + 1];
    let mut at = 0;
    while at < PLACES {
        let high = at.is_multiple_of(2);
        sums[at + 1] = sums[at] + if high { (octets[at] as u32) << 8 } else { octets[at] as u32 };
        at += 1;
    }
    sums
}

/// Places in the tables of the octets from `offset` on, `len` of them: from a place to another, one period after the
/// other.
#[inline]
fn places(offset: u64, mut len: usize) -> impl Iterator<Item = (usize, usize)> {
    let from = (offset % PERIOD as u64) as usize;
    core::iter::from_fn(move || {
        let octets = len.min(PERIOD);
        len -= octets;
        (octets > 0).then_some((from, from + octets))
    })
}

/// The octets of the pattern from `offset` on, `len` of them.
pub(crate) fn stretches(offset: u64, len: usize) -> impl Iterator<Item = &'static [u8]> {
    places(offset, len).map(|(from, to)| &OCTETS[from..to])
}

/// The sum of RFC 1071 over the octets of the pattern from `offset` on, `len` of them, not yet folded, as if they began at an even
/// place.
pub(crate) fn sum(offset: u64, len: usize) -> u64 {
    let (mut sum, mut before) = (0, 0);
    for (from, to) in places(offset, len) {
        let octets = u64::from(SUMS[to] - SUMS[from]);
        // Octets that are high ones in the table and low ones here, or the other way round, change places: 2^16 is one to this sum.
        sum += octets << (8 * ((from + before) % 2));
        before += to - from;
    }
    sum
}

/// Writes the octets of the pattern from `offset` on.
pub fn pattern(offset: u64, mut out: &mut [u8]) {
    for stretch in stretches(offset, out.len()) {
        let (piece, rest) = out.split_at_mut(stretch.len());
        piece.copy_from_slice(stretch);
        out = rest;
    }
}

/// Tells if `octets` are those of the pattern from `offset` on.
pub fn is_pattern(offset: u64, mut octets: &[u8]) -> bool {
    stretches(offset, octets.len()).all(|stretch| {
        let (piece, rest) = octets.split_at(stretch.len());
        octets = rest;
        piece == stretch
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::{self, fold};
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    /// Lengths around nothing, words, datagrams and the period.
    const LENGTHS: [usize; 12] = [0, 1, 2, 7, 8, 9, 40, 1_454, PERIOD - 1, PERIOD, PERIOD + 1, 2 * PERIOD + 3];

    /// The octet at `offset`, from the definition.
    fn octet(offset: u64) -> u8 {
        let at = offset % PERIOD as u64;
        let product = ((at >> 3) + 1).wrapping_mul(RATIO);
        ((product ^ (product >> 32)) >> (8 * (at & 7))) as u8
    }

    #[test]
    fn every_offset_and_length_is_a_stretch_of_the_octets_with_its_plain_sum() {
        let octets: Vec<u8> = (0..4 * PERIOD as u64).map(octet).collect();
        let mut out = alloc::vec![0; 3 * PERIOD];
        for offset in 0..PERIOD {
            // Long ones at some offsets: they take their time.
            let lengths = if offset % 64 == 0 || offset + 10 > PERIOD { &LENGTHS[..] } else { &LENGTHS[..8] };
            for &len in lengths {
                let expected = &octets[offset..offset + len];
                pattern(offset as u64, &mut out[..len]);
                assert_eq!(&out[..len], expected, "{len} octets from {offset}");
                assert!(is_pattern(offset as u64, expected));
                let sum = sum(offset as u64, len);
                assert_eq!(fold(sum), fold(checksum::sum(expected)), "{len} octets from {offset}");
            }
        }
    }

    #[test]
    fn offsets_beyond_the_period_are_places_in_it() {
        for offset in [PERIOD as u64, 1_000_003, 1 << 32, 65_537 * 12_345, u64::MAX - 3] {
            let mut octets = [0; 20];
            pattern(offset, &mut octets);
            // Behind the last offset there is none: no stream is that long.
            for (at, byte) in (offset..=u64::MAX).zip(&octets) {
                assert_eq!(*byte, octet(at), "{offset} + {}", at - offset);
            }
            assert_eq!(fold(sum(offset, 20)), fold(checksum::sum(&octets)));
            assert!(is_pattern(offset, &octets) && !is_pattern(offset - 1, &octets));
        }
    }

    #[test]
    fn it_does_not_depend_on_where_it_is_cut() {
        let mut whole = [0; 100];
        for offset in [5, PERIOD as u64 - 50] {
            pattern(offset, &mut whole);
            for cut in 0..=100 {
                let mut parts = [0; 100];
                pattern(offset, &mut parts[..cut]);
                pattern(offset + cut as u64, &mut parts[cut..]);
                assert_eq!(whole, parts);
            }
        }
    }

    #[test]
    fn a_changed_octet_shows_wherever_it_is() {
        let mut octets = [0; PERIOD + 10];
        pattern(77, &mut octets);
        for at in 0..octets.len() {
            octets[at] ^= 0x10;
            assert!(!is_pattern(77, &octets), "octet {at}");
            octets[at] ^= 0x10;
        }
    }

    #[test]
    fn no_four_octets_come_twice_in_a_period() {
        let mut octets = [0; PERIOD + 3];
        pattern(0, &mut octets);
        assert_eq!(octets.windows(4).collect::<BTreeSet<_>>().len(), PERIOD);
    }
}
