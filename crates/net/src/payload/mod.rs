//! The octets of a test: a stamp at the head of every datagram, and a pattern that shows what was damaged.

mod pattern;

use airtime_core::Instant;

pub use pattern::{is_pattern, pattern};
pub(crate) use pattern::{stretches, sum};

use crate::checksum::halves;

/// Octets of a [`Stamp`]: no datagram of a test is smaller.
pub const STAMP_OCTETS: usize = 16;

/// Distance in the pattern between the beginnings of neighbours: its period divided by the golden ratio, so that those
/// that follow one another lie in different parts of it (Knuth, The Art of Computer Programming, vol. 3, 6.4).
const APART: u64 = 5_062;

/// The head of a datagram: which it is, and when it was handed to the tunnel. Both are big endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Datagrams of the flow that were sent before it.
    pub sequence: u64,
    /// Instant at which it was sent.
    pub sent_at: Instant,
}

impl Stamp {
    /// Writes the stamp and fills the rest with the pattern of this sequence number.
    ///
    /// # Panics
    /// When `payload` is shorter than [`STAMP_OCTETS`].
    pub fn fill(self, payload: &mut [u8]) {
        let (head, rest) = payload.split_at_mut(STAMP_OCTETS);
        head.copy_from_slice(&self.octets());
        pattern(self.start(), rest);
    }

    /// Octets behind the stamp in a payload of `len` octets.
    ///
    /// # Panics
    /// When `len` is less than [`STAMP_OCTETS`].
    pub(crate) fn body(self, len: usize) -> impl Iterator<Item = &'static [u8]> {
        stretches(self.start(), behind(len))
    }

    /// The sum of RFC 1071 over a payload of `len` octets, not yet folded.
    ///
    /// # Panics
    /// When `len` is less than [`STAMP_OCTETS`].
    pub(crate) fn sum(self, len: usize) -> u64 {
        halves(self.sequence) + halves(self.sent_at.as_nanos()) + sum(self.start(), behind(len))
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

    /// The stamp itself.
    pub(crate) fn octets(self) -> [u8; STAMP_OCTETS] {
        let mut octets = [0; STAMP_OCTETS];
        octets[..8].copy_from_slice(&self.sequence.to_be_bytes());
        octets[8..].copy_from_slice(&self.sent_at.as_nanos().to_be_bytes());
        octets
    }

    /// Offset in the pattern at which this datagram begins: apart for neighbours, so that a swap of their bodies shows.
    fn start(self) -> u64 {
        self.sequence.wrapping_mul(APART)
    }
}

/// Octets behind the stamp in a payload of `len`.
fn behind(len: usize) -> usize {
    len.checked_sub(STAMP_OCTETS).expect("a payload has room for its stamp")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::{self, fold};
    use alloc::vec::Vec;

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
    fn bodies_of_others_show_up_to_the_period() {
        let mut ours = [0; 48];
        STAMP.fill(&mut ours);
        for ahead in 1..=pattern::PERIOD as u64 {
            let mut theirs = [0; 48];
            Stamp { sequence: STAMP.sequence + ahead, ..STAMP }.fill(&mut theirs);
            theirs[..STAMP_OCTETS].copy_from_slice(&ours[..STAMP_OCTETS]);
            assert_eq!(Stamp::read(&theirs).is_some(), ahead == pattern::PERIOD as u64, "{ahead} datagrams on");
        }
    }

    #[test]
    fn what_fills_is_the_stamp_and_its_body_and_the_sum_is_the_plain_one() {
        for (sequence, len) in (0..3_000).zip((STAMP_OCTETS..=1_472).cycle()) {
            let stamp = Stamp { sequence: sequence << (sequence % 50), ..STAMP };
            let mut filled = alloc::vec![0; len];
            stamp.fill(&mut filled);
            let body: Vec<_> = stamp.body(len).collect();
            assert_eq!([&stamp.octets()[..], &body.concat()].concat(), filled);
            assert_eq!(fold(stamp.sum(len)), fold(checksum::sum(&filled)), "{stamp:?}, {len} octets");
        }
    }
}
