//! The receiving side where the chip acknowledges: chunks come in order, some of them twice, and now and then some not.

use super::arq::HELD;
use super::chunk::SEQ_MODULUS;

/// Relation of a chunk to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// The next one.
    Next,
    /// It was here before: the sender's FIFO was flushed and written again.
    Old,
    /// Some are missing before it.
    Gap,
}

/// The sequence of chunks.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    expected: u8,
}

impl Sequence {
    /// Tells what a chunk with this number is.
    pub(super) fn judge(&self, seq: u8) -> Follows {
        match u32::from(seq).wrapping_sub(u32::from(self.expected)) % SEQ_MODULUS {
            0 => Follows::Next,
            behind if behind >= SEQ_MODULUS - HELD => Follows::Old,
            _ => Follows::Gap,
        }
    }

    /// The chunk with this number was taken.
    pub(super) fn took(&mut self, seq: u8) {
        self.expected = (seq + 1) % SEQ_MODULUS as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fifo_may_repeat_is_old_and_the_rest_is_a_gap() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.judge(0), Follows::Next);
        sequence.took(0);
        for (seq, follows) in
            [(1, Follows::Next), (0, Follows::Old), (61, Follows::Old), (60, Follows::Gap), (2, Follows::Gap)]
        {
            assert_eq!(sequence.judge(seq), follows, "{seq}");
        }
        sequence.took(63);
        assert_eq!(sequence.judge(0), Follows::Next);
    }
}
