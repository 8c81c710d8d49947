//! The deepest that the stack has ever been.
#![allow(unsafe_code, reason = "the stack is memory that no Rust object has; the linker says where it is")]

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// The stack's upper end, where it begins. cortex-m-rt's linker script names both.
    static mut _stack_start: u32;
    /// Its lower end: behind all that is static.
    static mut _stack_end: u32;
}

/// Record of how much of the stack was used since reset. cortex-m-rt's `paint-stack` fills it before anything runs; what has lost its
/// paint was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Octets, from the upper end to the lowest word that was written.
    pub used: usize,
    /// Octets that there are.
    pub room: usize,
}

impl Stack {
    /// Looks at the stack, a word at a time from its lower end: with five cycles a word, *assumed*, a millisecond for
    /// each 100 KiB that nobody used, at 128 MHz.
    pub fn look() -> Self {
        let (top, bottom) = (&raw const _stack_start, &raw const _stack_end);
        let mut lowest = bottom;
        // SAFETY: reads words of RAM between both ends, which the linker aligns; a word that is being used is read as whatever it holds.
        while lowest < top && unsafe { lowest.read_volatile() } == STACK_PAINT_VALUE {
            lowest = lowest.wrapping_add(1);
        }
        Self { used: top.addr() - lowest.addr(), room: top.addr() - bottom.addr() }
    }
}

impl defmt::Format for Stack {
    fn format(&self, to: defmt::Formatter<'_>) {
        defmt::write!(to, "stack {} of {} octets", self.used, self.room);
    }
}
