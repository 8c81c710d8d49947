//! Flash of the image: RAM that keeps what it has over a reset of the machine, and behaves as a NOR flash.
#![allow(unsafe_code, reason = "memory that the linker does not know is reached by its address")]

use airtime_hosted_ends::Flash;
use airtime_ota::flash::Storage;
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{COPROCESSOR, TABLE_AT, Table};
use airtime_ota::slots::Slots;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use log::{error, info};

/// Its place in the RAM of `virt`, above everything that QEMU loads.
const ADDRESS: usize = 0x8200_0000;
/// Octets of it: an ESP32-C6's, as the partition table has it.
const OCTETS: usize = 4 << 20;
/// Version of the firmware that it has from the factory.
const VERSION: &str = "2.11.7";

/// The flash.
pub struct Nor(&'static mut [u8]);

impl Nor {
    /// Flash of the machine; to be had once at a time.
    pub fn of_machine() -> Self {
        let begin = core::ptr::with_exposed_provenance_mut::<u8>(ADDRESS);
        // SAFETY: `virt` has 128 MiB of RAM from 0x8000_0000 on, of which the linker uses 8.5; whoever asks drops what it had.
        Self(unsafe { core::slice::from_raw_parts_mut(begin, OCTETS) })
    }
}

/// Refusal of the flash.
#[derive(Clone, Copy, Debug)]
pub struct Refused(NorFlashErrorKind);

impl NorFlashError for Refused {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

impl ErrorType for Nor {
    type Error = Refused;
}

impl ReadNorFlash for Nor {
    const READ_SIZE: usize = 4;

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), Refused> {
        check_read(self, at, into.len()).map_err(Refused)?;
        into.copy_from_slice(&self.0[at as usize..][..into.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Nor {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4_096;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
        check_erase(self, from, to).map_err(Refused)?;
        self.0[from as usize..to as usize].fill(0xFF);
        Ok(())
    }

    /// Bits go from one to zero, and not back.
    fn write(&mut self, at: u32, octets: &[u8]) -> Result<(), Refused> {
        check_write(self, at, octets.len()).map_err(Refused)?;
        self.0[at as usize..].iter_mut().zip(octets).for_each(|(word, octet)| *word &= octet);
        Ok(())
    }
}

/// The factory, where the machine has just got its power, and the bootloader: what it boots is said. What runs is this image in any case.
pub fn boot() {
    let mut flash = Flash::new(Nor::of_machine());
    let table = match Table::of_flash(&mut flash) {
        Ok(table) => table,
        Err(_) => match make(&mut flash) {
            Some(table) => table,
            None => return error!("the factory has failed"),
        },
    };
    let Ok(mut slots) = Slots::new(flash, &table, Chip::ESP32_C6, true) else { return error!("no slots") };
    match slots.boot() {
        Ok(running) => info!("boots {}", running.image.description.version),
        Err(error) => error!("nothing boots: {error}"),
    }
}

/// Writes what the factory does: the partition table, and the first firmware.
fn make(flash: &mut Flash<Nor>) -> Option<Table> {
    let table = Table::parse(COPROCESSOR).ok()?;
    flash.erase(0, OCTETS as u32).ok()?;
    flash.program(TABLE_AT, &table.octets()).ok()?;
    let description =
        Description { version: VERSION.into(), project: "airtime".into(), idf: "v5.5.1".into(), elf_sha256: [7; 32] };
    let firmware = compose(Chip::ESP32_C6, &description, &[0x5A; 4_096]);
    let mut slots = Slots::new(Flash::new(Nor::of_machine()), &table, Chip::ESP32_C6, true).ok()?;
    slots.install(&firmware).ok()?;
    info!("the factory's firmware is in its slot");
    Some(table)
}
