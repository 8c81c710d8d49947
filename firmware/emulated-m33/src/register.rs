//! Registers of the board.
#![allow(unsafe_code, reason = "a register is reached by its address")]

/// A register by its address in the secure alias, where the CPU is after a reset.
#[derive(Clone, Copy)]
pub(crate) struct Register(usize);

impl Register {
    /// The register at this address of a peripheral, 0x5000_0000..0x6000_0000.
    pub(crate) const fn at(address: usize) -> Self {
        assert!(address >> 28 == 5 && address.is_multiple_of(4));
        Self(address)
    }

    pub(crate) fn read(self) -> u32 {
        // SAFETY: aligned, and in the region of peripherals (Armv8-M, system address map), where no Rust object lives.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    pub(crate) fn write(self, value: u32) {
        // SAFETY: as above.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }
}
