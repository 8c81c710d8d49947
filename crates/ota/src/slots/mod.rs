//! The co-processor's flash: two slots for firmware, and which of them boots.
//!
//! What the bootloader, `esp_ota_*` of ESP-IDF and the OTA handlers of esp-hosted's `slave_control.c` do with it.

mod error;
mod otadata;
mod update;

use super::flash::{Storage, StorageError};
use super::image::{Chip, Image, Verifier};
use super::partition::{Kind, OTA_0, OTADATA, Partition, Table};

pub use error::{BootError, SlotError};
use otadata::{Entry, Select, State};
use update::Session;

/// Octets read at once while an image is checked.
const PIECE: usize = 4096;

/// Running firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Index of its slot.
    pub slot: usize,
    /// Image that runs.
    pub image: Image,
    /// Set while it runs for the first time, and the next boot takes the other slot unless it is confirmed.
    pub on_trial: bool,
}

/// Layout of the flash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    otadata: u32,
    slots: [(u32, u32); 2],
}

/// The co-processor's firmware in its flash.
#[derive(Clone, Debug)]
pub struct Slots<S> {
    storage: S,
    layout: Layout,
    chip: Chip,
    rollback: bool,
    running: Option<Running>,
    session: Session,
}

impl<S: Storage> Slots<S> {
    /// The firmware of a co-processor with `chip` in `storage`, which is laid out as `table` says. With `rollback`
    /// (`CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE`), firmware that is not confirmed boots once.
    ///
    /// # Errors
    /// When the table has no `otadata` and two slots, or the flash is too small for it.
    pub fn new(storage: S, table: &Table, chip: Chip, rollback: bool) -> Result<Self, BootError> {
        let place = |kind, subtype| table.find_kind(kind, subtype).map(|found: &Partition| (found.offset, found.size));
        let found = (place(Kind::DATA, OTADATA), place(Kind::APP, OTA_0), place(Kind::APP, OTA_0 + 1));
        let (Some((otadata, _)), Some(first), Some(second)) = found else { return Err(BootError::Layout) };
        if table.flash() > storage.octets() {
            return Err(BootError::Layout);
        }
        let layout = Layout { otadata, slots: [first, second] };
        Ok(Self { storage, layout, chip, rollback, running: None, session: Session::Idle })
    }

    /// Puts `image` into the first slot as it comes from the factory; for a flash that is erased.
    ///
    /// # Errors
    /// When it does not fit or the flash fails.
    pub fn install(&mut self, image: &[u8]) -> Result<(), StorageError> {
        let (at, size) = self.layout.slots[0];
        if image.len() > size as usize {
            return Err(StorageError::Range);
        }
        self.storage.program(at, image)
    }

    /// The bootloader: takes the slot that `otadata` names, and the other one when its image is damaged.
    ///
    /// # Errors
    /// When no slot holds a whole image, or the flash fails.
    pub fn boot(&mut self) -> Result<&Running, BootError> {
        (self.running, self.session) = (None, Session::Idle);
        let mut select = self.select()?;
        if self.rollback {
            self.abort_trials(&mut select)?;
        }
        let wanted = select.active().map_or(0, |active| select.slot(active));
        for slot in [wanted, 1 - wanted] {
            let Some(image) = self.image(slot)? else { continue };
            let on_trial = slot == wanted && self.rollback && self.begin_trial(&select)?;
            return Ok(self.running.insert(Running { slot, image, on_trial }));
        }
        Err(BootError::NoImage)
    }

    /// Adopts the firmware that the chip's own bootloader has booted, for firmware that runs from one of the slots:
    /// nothing is written.
    ///
    /// # Errors
    /// When the slot that `otadata` names holds no whole image, or the flash fails.
    pub fn adopt(&mut self) -> Result<&Running, BootError> {
        self.session = Session::Idle;
        let select = self.select()?;
        let active = select.active();
        let slot = active.map_or(0, |active| select.slot(active));
        let on_trial = active.is_some_and(|active| select.entries[active].state == State::PENDING);
        let image = self.image(slot)?.ok_or(BootError::NoImage)?;
        Ok(self.running.insert(Running { slot, image, on_trial }))
    }

    /// Power is lost or the reset line is low: nothing runs.
    pub fn reset(&mut self) {
        (self.running, self.session) = (None, Session::Idle);
    }

    /// Running firmware, after [`boot`](Self::boot).
    pub fn running(&self) -> Option<&Running> {
        self.running.as_ref()
    }

    /// The flash.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// The flash.
    pub fn storage_mut(&mut self) -> &mut S {
        &mut self.storage
    }

    /// The image in `slot`, if it is whole.
    fn image(&mut self, slot: usize) -> Result<Option<Image>, StorageError> {
        let (at, size) = self.layout.slots[slot];
        let mut verifier = Verifier::new(self.chip, size);
        let mut piece = [0; PIECE];
        let mut seen = 0;
        while seen < size && !verifier.done() {
            let octets = (size - seen).min(PIECE as u32);
            let piece = &mut piece[..octets as usize];
            self.storage.read(at + seen, piece)?;
            if verifier.feed(piece).is_err() {
                return Ok(None);
            }
            seen += octets;
        }
        Ok(verifier.finish().ok())
    }

    fn select(&mut self) -> Result<Select, StorageError> {
        let mut entries = [Entry::ERASED; 2];
        for (sector, entry) in entries.iter_mut().enumerate() {
            let mut octets = [0; Entry::OCTETS];
            self.storage.read(self.layout.sector(sector), &mut octets)?;
            *entry = Entry::parse(&octets);
        }
        Ok(Select { entries })
    }

    /// Firmware that was on trial when the co-processor was reset has had its chance.
    fn abort_trials(&mut self, select: &mut Select) -> Result<(), StorageError> {
        for sector in 0..2 {
            if select.entries[sector].valid() && select.entries[sector].state == State::PENDING {
                select.entries[sector].state = State::ABORTED;
                self.rewrite(sector, select.entries[sector])?;
            }
        }
        Ok(())
    }

    /// Notes that new firmware runs for the first time; whether it does.
    fn begin_trial(&mut self, select: &Select) -> Result<bool, StorageError> {
        let Some(sector) = select.active().filter(|sector| select.entries[*sector].state == State::NEW) else {
            return Ok(false);
        };
        self.rewrite(sector, Entry { state: State::PENDING, ..select.entries[sector] })?;
        Ok(true)
    }

    fn rewrite(&mut self, sector: usize, entry: Entry) -> Result<(), StorageError> {
        let at = self.layout.sector(sector);
        self.storage.erase(at, super::partition::SECTOR)?;
        self.storage.program(at, &entry.emit())
    }
}

impl Layout {
    fn sector(&self, sector: usize) -> u32 {
        self.otadata + sector as u32 * super::partition::SECTOR
    }
}
