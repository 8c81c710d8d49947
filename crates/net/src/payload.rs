//! The octets of a test: a stamp at the head of every datagram, and a pattern that shows what was damaged.

use airtime_core::Instant;

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
    /// Writes the stamp and fills the rest with the pattern of this sequence number.
    ///
    /// # Panics
    /// When `payload` is shorter than [`STAMP_OCTETS`].
    pub fn fill(self, payload: &mut [u8]) {
        let (head, rest) = payload.split_at_mut(STAMP_OCTETS);
        head[..8].copy_from_slice(&self.sequence.to_be_bytes());
        head[8..].copy_from_slice(&self.sent_at.as_nanos().to_be_bytes());
        pattern(self.start(), rest);
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
fn octet(offset: u64) -> u8 {
    (word(offset >> 3) >> (8 * (offset & 7))) as u8
}

/// Octets from `offset` to where the next whole word begins, at most `len`.
fn to_the_next_word(offset: u64, len: usize) -> usize {
    len.min((offset.wrapping_neg() & 7) as usize)
}

/// Writes the octets of the pattern from `offset` on.
pub fn pattern(offset: u64, out: &mut [u8]) {
    let (head, rest) = out.split_at_mut(to_the_next_word(offset, out.len()));
    for (at, byte) in (offset..=u64::MAX).zip(head.iter_mut()) {
        *byte = octet(at);
    }
    let mut product = (offset.wrapping_add(7) >> 3).wrapping_mul(RATIO);
    let (words, tail) = rest.as_chunks_mut();
    for octets in words {
        *octets = mixed(product).to_le_bytes();
        product = product.wrapping_add(RATIO);
    }
    tail.copy_from_slice(&mixed(product).to_le_bytes()[..tail.len()]);
}

/// Whether `octets` are those of the pattern from `offset` on.
pub fn is_pattern(offset: u64, octets: &[u8]) -> bool {
    let (head, rest) = octets.split_at(to_the_next_word(offset, octets.len()));
    let mut product = (offset.wrapping_add(7) >> 3).wrapping_mul(RATIO);
    // Differences are gathered instead of looked at one by one: octets of a test are nearly always right.
    let mut difference = 0;
    let (words, tail) = rest.as_chunks();
    for octets in words {
        difference |= u64::from_le_bytes(*octets) ^ mixed(product);
        product = product.wrapping_add(RATIO);
    }
    difference == 0
        && tail == &mixed(product).to_le_bytes()[..tail.len()]
        && (offset..=u64::MAX).zip(head).all(|(at, byte)| *byte == octet(at))
}

#[cfg(test)]
mod tests {
    use super::*;

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
