//! The octets of a test: a stamp at the head of every datagram, and a pattern that shows what was damaged.

use airtime_core::Instant;

use crate::checksum::fold;

/// Octets of a [`Stamp`]: no datagram of a test is smaller.
pub const STAMP_OCTETS: usize = 16;

/// The head of a datagram: which it is, and when it was handed to the tunnel. Both are big endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Datagrams of the flow that were sent before it.
    pub sequence: u64,
    /// When it was sent.
    pub sent_at: Instant,
}

impl Stamp {
    /// Writes the stamp and fills the rest with the pattern of this sequence number. Returns the sum of RFC 1071 over all of it, not
    /// yet folded.
    ///
    /// # Panics
    /// When `payload` is shorter than [`STAMP_OCTETS`].
    pub fn fill(self, payload: &mut [u8]) -> u64 {
        let (head, rest) = payload.split_at_mut(STAMP_OCTETS);
        let (sequence, sent_at) = (self.sequence, self.sent_at.as_nanos());
        head[..8].copy_from_slice(&sequence.to_be_bytes());
        head[8..].copy_from_slice(&sent_at.to_be_bytes());
        halves(sequence) + halves(sent_at) + pattern(self.start(), rest)
    }

    /// Reads the stamp of `payload`; none when it is too short or when an octet behind the stamp is not of the pattern.
    pub fn read(payload: &[u8]) -> Option<Self> {
        let (head, rest) = payload.split_at_checked(STAMP_OCTETS)?;
        let (sequence, sent_at) = head.split_at(8);
        let stamp = Self {
            sequence: u64::from_be_bytes(sequence.try_into().ok()?),
            sent_at: Instant::from_nanos(u64::from_be_bytes(sent_at.try_into().ok()?)),
        };
        is_pattern(stamp.start(), rest).then_some(stamp)
    }

    /// Where in the pattern this datagram begins: apart for neighbours, so that a swap of their bodies shows.
    fn start(self) -> u64 {
        self.sequence.wrapping_mul(65_537)
    }
}

/// 2⁶⁴ divided by the golden ratio, odd (Knuth, The Art of Computer Programming, vol. 3, 6.4).
const RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// The eight octets of the pattern from `8 × index` on, the first in the low place.
///
/// A multiplicative hash of the word that the offset lies in: no period that a header, a chunk or a packet could share.
fn word(index: u64) -> u64 {
    mixed(index.wrapping_mul(RATIO))
}

/// The word whose index times [`RATIO`] is `product`. From word to word that grows by the ratio: a sum for each instead of a
/// product lets several be made at once.
fn mixed(product: u64) -> u64 {
    product ^ (product >> 32)
}

/// The octet of the pattern at `offset`.
#[cfg(test)]
fn octet(offset: u64) -> u8 {
    (word(offset >> 3) >> (8 * (offset & 7))) as u8
}

/// Octets from `offset` to where the next whole word begins, at most `len`; and these octets, the first in the low place.
fn head(offset: u64, len: usize) -> (usize, u64) {
    let octets = len.min((offset.wrapping_neg() & 7) as usize);
    (octets, first(octets, word(offset >> 3) >> (8 * (offset & 7))))
}

/// The first octets of a word, at most seven.
fn first(octets: usize, word: u64) -> u64 {
    word & ((1 << (8 * octets)) - 1)
}

/// The product of the first whole word at or behind `offset`.
fn product(offset: u64) -> u64 {
    (offset.wrapping_add(7) >> 3).wrapping_mul(RATIO)
}

/// A word to the sum of RFC 1071, to which any power of 2^16 is one, with room for many more.
fn halves(word: u64) -> u64 {
    (word & 0xffff_ffff) + (word >> 32)
}

/// Writes the octets of the pattern from `offset` on. Returns the sum of RFC 1071 over them, not yet folded, as if they began at
/// an even place: it costs less here, where they are in hand.
pub fn pattern(offset: u64, out: &mut [u8]) -> u64 {
    let (split, head) = head(offset, out.len());
    let (start, rest) = out.split_at_mut(split);
    start.copy_from_slice(&head.to_le_bytes()[..split]);
    let mut product = product(offset);
    // The sum of whole words loses its carries. Without the upper halves, whose sum does not, it is that of the lower ones.
    let (mut sum, mut upper) = (0_u64, 0);
    let (words, tail) = rest.as_chunks_mut();
    for octets in words {
        let word = mixed(product);
        *octets = word.to_le_bytes();
        sum = sum.wrapping_add(word);
        upper += product >> 32;
        product = product.wrapping_add(RATIO);
    }
    let last = first(tail.len(), mixed(product));
    tail.copy_from_slice(&last.to_le_bytes()[..tail.len()]);
    let lower = sum.wrapping_sub(upper << 32);
    // In words the first octet is in the low place. Behind an odd number of octets it is so in the sum, too.
    let rest = fold(lower + upper + halves(last));
    u64::from(fold(halves(head)).swap_bytes()) + u64::from(if split % 2 == 0 { rest.swap_bytes() } else { rest })
}

/// Whether `octets` are those of the pattern from `offset` on.
pub fn is_pattern(offset: u64, octets: &[u8]) -> bool {
    let (split, head) = head(offset, octets.len());
    let (start, rest) = octets.split_at(split);
    let mut product = product(offset);
    // Differences are gathered instead of looked at one by one: octets of a test are nearly always right.
    let mut difference = 0;
    let (words, tail) = rest.as_chunks();
    for octets in words {
        difference |= u64::from_le_bytes(*octets) ^ mixed(product);
        product = product.wrapping_add(RATIO);
    }
    difference == 0 && tail == &mixed(product).to_le_bytes()[..tail.len()] && start == &head.to_le_bytes()[..split]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum;

    const STAMP: Stamp = Stamp { sequence: 0x0102, sent_at: Instant::from_nanos(1_000_000_007) };

    #[test]
    fn a_stamp_is_big_endian_at_the_head() {
        let mut payload = [0; 20];
        STAMP.fill(&mut payload);
        assert_eq!(payload[..16], [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0x3b, 0x9a, 0xca, 0x07]);
        assert_eq!(Stamp::read(&payload), Some(STAMP));
    }

    #[test]
    fn a_changed_octet_shows() {
        let mut payload = [0; 64];
        STAMP.fill(&mut payload);
        for at in STAMP_OCTETS..64 {
            let mut damaged = payload;
            damaged[at] ^= 0x10;
            assert_eq!(Stamp::read(&damaged), None, "octet {at}");
        }
        assert_eq!(Stamp::read(&payload[..15]), None, "no room for a stamp");
    }

    #[test]
    fn bodies_of_neighbours_are_apart() {
        let (mut a, mut b) = ([0; 48], [0; 48]);
        STAMP.fill(&mut a);
        Stamp { sequence: STAMP.sequence + 1, ..STAMP }.fill(&mut b);
        a[16..].copy_from_slice(&b[16..]);
        assert_eq!(Stamp::read(&a), None);
    }

    #[test]
    fn what_is_summed_while_it_is_written_is_the_plain_sum() {
        let mut octets = [0; 1_472];
        for len in (0..70).chain([1_454, 1_472]) {
            for offset in (0..9).chain([1 << 40, 65_537 * 12_345, u64::MAX - 3]) {
                let sum = pattern(offset, &mut octets[..len]);
                assert_eq!(fold(sum), fold(checksum::sum(&octets[..len])), "{len} octets from {offset}");
                assert!(is_pattern(offset, &octets[..len]));
            }
            let stamped = &mut octets[..len.max(STAMP_OCTETS)];
            assert_eq!(fold(STAMP.fill(stamped)), fold(checksum::sum(stamped)), "a stamp and {len} octets");
        }
    }

    #[test]
    fn the_pattern_does_not_depend_on_where_it_is_cut() {
        let mut whole = [0; 100];
        pattern(5, &mut whole);
        let mut parts = [0; 100];
        pattern(5, &mut parts[..33]);
        pattern(38, &mut parts[33..]);
        assert_eq!(whole, parts);
        assert!(is_pattern(38, &whole[33..]) && !is_pattern(37, &whole[33..]));
    }

    #[test]
    fn words_and_octets_are_one_pattern() {
        for offset in [0, 1, 7, 8, 9, 1_000_003, u64::MAX - 3] {
            for len in 0..20 {
                let mut octets = [0; 20];
                pattern(offset, &mut octets[..len]);
                // Behind the last offset there is none: no stream is that long.
                for (at, byte) in (offset..=u64::MAX).zip(&octets[..len]) {
                    assert_eq!(*byte, octet(at), "{offset} + {}", at - offset);
                }
            }
        }
    }
}
