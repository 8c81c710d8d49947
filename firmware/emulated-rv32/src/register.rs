//! Registers of the board. QEMU, `hw/riscv/virt.c`: `virt_memmap`.
#![allow(unsafe_code, reason = "a register is reached by its address")]

/// A register by its address.
#[derive(Clone, Copy)]
pub struct Register(usize);

impl Register {
    /// The register at this address of a device, which are below the RAM.
    pub const fn at(address: usize) -> Self {
        assert!(address >= 0x10_0000 && address < 0x2000_0000);
        Self(address)
    }

    /// Value of a register of 32 bits.
    pub fn read(self) -> u32 {
        // SAFETY: a device is there, where no Rust object lives; its registers of 32 bits are aligned.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    /// Writes a register of 32 bits.
    pub fn write(self, value: u32) {
        // SAFETY: as above.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }

    /// Value of a register of 8 bits.
    pub fn octet(self) -> u8 {
        // SAFETY: as above.
        unsafe { core::ptr::with_exposed_provenance::<u8>(self.0).read_volatile() }
    }

    /// Writes a register of 8 bits.
    pub fn write_octet(self, value: u8) {
        // SAFETY: as above.
        unsafe { core::ptr::with_exposed_provenance_mut::<u8>(self.0).write_volatile(value) }
    }
}
