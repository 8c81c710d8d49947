//! Selection of the slot that boots: `esp_ota_select_entry_t`, two of them, each in a sector of its own so that one is
//! always whole.

use crc::{CRC_32_ISO_HDLC, Crc};

/// `otatool.py` and the ROM start it from all ones, which the ROM's convention inverts: from 0 in this one.
const SEQUENCE_CRC: Crc<u32> = Crc::<u32>::new(&crc::Algorithm { init: 0, ..CRC_32_ISO_HDLC });

/// State of a slot: `esp_ota_img_states_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State(pub u32);

impl State {
    /// Activated, and has not run.
    pub const NEW: Self = Self(0);
    /// Runs for the first time.
    pub const PENDING: Self = Self(1);
    /// Confirmed.
    pub const VALID: Self = Self(2);
    /// Said of itself that it does not work.
    pub const INVALID: Self = Self(3);
    /// Was reset before it was confirmed.
    pub const ABORTED: Self = Self(4);
    /// Nobody watches.
    pub const UNDEFINED: Self = Self(u32::MAX);
}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Sequence number, counting up; the larger one counts. Slots take turns.
    pub sequence: u32,
    /// State of its slot.
    pub state: State,
    /// Check of the sequence number alone.
    pub crc: u32,
}

impl Entry {
    /// Octets of it in flash.
    pub const OCTETS: usize = 32;
    /// Entry that erased flash reads as.
    pub const ERASED: Self = Self { sequence: u32::MAX, state: State::UNDEFINED, crc: u32::MAX };

    /// An entry with this number.
    pub fn new(sequence: u32, state: State) -> Self {
        Self { sequence, state, crc: SEQUENCE_CRC.checksum(&sequence.to_le_bytes()) }
    }

    /// Reads it; anything is an entry, and [`valid`](Self::valid) says whether it counts.
    pub fn parse(octets: &[u8; Self::OCTETS]) -> Self {
        let word = |at: usize| u32::from_le_bytes([octets[at], octets[at + 1], octets[at + 2], octets[at + 3]]);
        Self { sequence: word(0), state: State(word(24)), crc: word(28) }
    }

    /// Writes it; the label is left erased, as ESP-IDF does.
    pub fn emit(&self) -> [u8; Self::OCTETS] {
        let mut octets = [0xFF; Self::OCTETS];
        octets[..4].copy_from_slice(&self.sequence.to_le_bytes());
        octets[24..28].copy_from_slice(&self.state.0.to_le_bytes());
        octets[28..].copy_from_slice(&self.crc.to_le_bytes());
        octets
    }

    /// True if it counts: `bootloader_common_ota_select_valid`.
    pub fn valid(&self) -> bool {
        self.sequence != u32::MAX
            && self.sequence != 0
            && *self == Self { state: self.state, ..Self::new(self.sequence, self.state) }
            && self.state != State::INVALID
            && self.state != State::ABORTED
    }
}

/// Both entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Select {
    /// Entries in the order of their sectors.
    pub entries: [Entry; 2],
}

impl Select {
    /// The entry that counts: the larger number of those that are valid.
    pub fn active(&self) -> Option<usize> {
        (0..2).filter(|sector| self.entries[*sector].valid()).max_by_key(|sector| self.entries[*sector].sequence)
    }

    /// The slot an entry names.
    pub fn slot(&self, entry: usize) -> usize {
        (self.entries[entry].sequence.wrapping_sub(1) % 2) as usize
    }

    /// Position of an entry for `slot` that takes over from the active one, and its number.
    pub fn next(&self, slot: usize) -> (usize, u32) {
        let Some(active) = self.active() else { return (0, slot as u32 + 1) };
        let sequence = self.entries[active].sequence;
        // The smallest larger number that names the slot; an activation a second for 68 years does not wrap it.
        let step = if self.slot(active) == slot { 2 } else { 1 };
        (1 - active, sequence.saturating_add(step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entry that `otatool.py` writes for number 1: `01 00 00 00 … 9a 98 43 47`.
    #[test]
    fn an_entry_is_checked_as_the_bootloader_does() {
        let octets = Entry::new(1, State::UNDEFINED).emit();
        assert_eq!(octets[..4], [1, 0, 0, 0]);
        assert_eq!(octets[24..], [0xFF, 0xFF, 0xFF, 0xFF, 0x9A, 0x98, 0x43, 0x47]);
        assert!(Entry::parse(&octets).valid());
        assert!(!Entry::ERASED.valid() && !Entry::new(3, State::ABORTED).valid());
        let mut damaged = octets;
        damaged[0] = 3;
        assert!(!Entry::parse(&damaged).valid());
    }

    #[test]
    fn slots_take_turns() {
        let mut select = Select { entries: [Entry::ERASED; 2] };
        for (slot, place) in [(1, (0, 2)), (0, (1, 3)), (1, (0, 4)), (1, (1, 6))] {
            let (sector, sequence) = select.next(slot);
            assert_eq!((sector, sequence), place);
            select.entries[sector] = Entry::new(sequence, State::UNDEFINED);
            assert_eq!(select.active().map(|active| select.slot(active)), Some(slot));
        }
    }
}
