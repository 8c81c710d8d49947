//! Sequence numbers of a sender, as far as they were heard.

/// Sequence numbers there are. 9.2.4.4.2.
const SEQUENCES: u16 = 4096;

/// The sequence numbers that were heard of late.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    /// None before the first.
    newest: Option<u16>,
    bits: [u64; SEQUENCES as usize / 64],
}

impl Default for Seen {
    fn default() -> Self {
        Self { newest: None, bits: [0; SEQUENCES as usize / 64] }
    }
}

impl Seen {
    /// Notes a number; tells if it is one that was not heard before. Only a repetition may be older than others: a sender whose first
    /// transmissions go back has begun its numbers anew, and those of before say nothing of them.
    pub fn is_new(&mut self, number: u16, retry: bool) -> bool {
        let number = number % SEQUENCES;
        match self.newest.map(|newest| (newest, number.wrapping_sub(newest) % SEQUENCES)) {
            Some((newest, ahead)) if ahead < SEQUENCES / 2 => {
                (1..=ahead).for_each(|step| self.set((newest + step) % SEQUENCES, false));
                self.newest = Some(number);
            }
            Some(_) if retry => {}
            _ => *self = Self { newest: Some(number), ..Self::default() },
        }
        let new = !retry || self.bits[usize::from(number) / 64] >> (number % 64) & 1 == 0;
        self.set(number, true);
        new
    }

    fn set(&mut self, number: u16, heard: bool) {
        let word = &mut self.bits[usize::from(number) / 64];
        *word = *word & !(1 << (number % 64)) | u64::from(heard) << (number % 64);
    }
}
