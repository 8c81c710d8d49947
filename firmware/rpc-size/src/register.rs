//! Registers that exist nowhere: the image is linked and never run.
#![allow(unsafe_code, reason = "a register is reached by its address")]

/// A register by its address.
pub(crate) struct Register(usize);

pub(crate) const NOW: Register = Register(0x5000_0000);
pub(crate) const LENGTH: Register = Register(0x5000_0004);
pub(crate) const FRAME: Register = Register(0x5000_0008);
pub(crate) const SECRET: Register = Register(0x5000_000c);

impl Register {
    pub(crate) fn read(&self) -> u32 {
        // SAFETY: aligned, and in the region of peripherals (Armv8-M, system address map), where no Rust object lives.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    pub(crate) fn write(&self, value: u32) {
        // SAFETY: as above.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }
}
