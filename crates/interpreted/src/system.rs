//! Registers of the system that an image uses: which interrupts are let through, which one runs, a reset. Armv7-M Architecture Reference
//! Manual, B3.2 and B3.4.
//!
//! They are not `armagnac`'s (0.3): there a bit set in NVIC_ISER clears the others, and ICSR, by which `cortex-m-rt` knows the interrupt that
//! it is in, panics.

use std::ops::Range;

/// Addresses of the space.
pub(crate) const SPACE: Range<u32> = 0xe000_e000..0xe000_f000;

/// Interrupts of the board. Arm AN505, interrupt assignments.
pub(crate) const INTERRUPTS: u16 = 96;

/// AIRCR: the key that a write needs, and the bit that asks for a reset.
const KEY: u32 = 0x05fa;
const SYSRESETREQ: u32 = 1 << 2;

/// The registers.
#[derive(Default)]
pub(crate) struct System {
    /// A bit for each interrupt that is let through.
    enabled: [u32; (INTERRUPTS / 32) as usize],
}

/// Outcome of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// It is done.
    Done,
    /// The image wants to begin again.
    Reset,
    /// The register is none of these.
    Elsewhere,
}

impl System {
    /// True if interrupt number `interrupt` is let through.
    pub(crate) fn lets(&self, interrupt: u16) -> bool {
        self.enabled.get(usize::from(interrupt / 32)).is_some_and(|word| word >> (interrupt % 32) & 1 == 1)
    }

    /// Word at an address of the space while exception number `active` runs; none if it is no register of these.
    pub(crate) fn load(&self, address: u32, active: u16) -> Option<u32> {
        match address - SPACE.start {
            at @ (0x100..0x140 | 0x180..0x1c0) => {
                Some(self.enabled.get((at & 0x3f) as usize / 4).copied().unwrap_or(0))
            }
            0xd04 => Some(active.into()),
            _ => None,
        }
    }

    /// Stores a word at an address of the space.
    pub(crate) fn store(&mut self, address: u32, value: u32) -> Stored {
        let at = address - SPACE.start;
        let word = self.enabled.get_mut((at & 0x3f) as usize / 4);
        match (at, word) {
            (0x100..0x140, Some(word)) => *word |= value,
            (0x180..0x1c0, Some(word)) => *word &= !value,
            (0x100..0x140 | 0x180..0x1c0, None) => {}
            (0xd0c, _) if value >> 16 == KEY && value & SYSRESETREQ != 0 => return Stored::Reset,
            _ => return Stored::Elsewhere,
        }
        Stored::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_let_through_until_it_is_masked() {
        let mut system = System::default();
        [(0xe000_e100, 1 << 3), (0xe000_e100, 1 << 4), (0xe000_e104, 1)].iter().for_each(|(at, value)| {
            assert_eq!(system.store(*at, *value), Stored::Done);
        });
        assert_eq!([2, 3, 4, 32, 33, 500].map(|number| system.lets(number)), [false, true, true, true, false, false]);
        assert_eq!(system.load(0xe000_e180, 0), Some(0x18));
        system.store(0xe000_e180, 1 << 3);
        assert_eq!([3, 4].map(|number| system.lets(number)), [false, true]);
        assert_eq!(system.load(0xe000_ed04, 48), Some(48));
        assert_eq!(system.store(0xe000_ed0c, 0x05fa_0004), Stored::Reset);
        assert_eq!((system.store(0xe000_e200, 1), system.load(0xe000_ed00, 0)), (Stored::Elsewhere, None));
    }
}
