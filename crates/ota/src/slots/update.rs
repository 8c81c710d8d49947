//! One update: begin, write, end, activate; and the confirmation of what came of it.

use super::Slots;
use super::error::SlotError;
use super::otadata::{Entry, State};
use crate::flash::Storage;
use crate::image::{MAGIC, Verifier};

/// Octets of the first write that have to be there: header, header of the first segment, description
/// (`H_OTA_CHECK_IMAGE_VALIDITY` of esp-hosted's `slave_control.c`).
const FIRST_WRITE: usize = 24 + 8 + 256;

/// Session of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Session {
    /// Nothing was begun, or it failed.
    Idle,
    /// Octets are awaited.
    Open { slot: usize, written: u32 },
    /// The image is whole.
    Complete { slot: usize },
}

impl<S: Storage> Slots<S> {
    /// Begins an update: erases the slot that does not run.
    ///
    /// # Errors
    /// When what runs is on trial, nothing runs, or the flash fails.
    pub fn begin(&mut self) -> Result<(), SlotError> {
        let running = self.running.as_ref().ok_or(SlotError::NotBegun)?;
        if running.on_trial {
            return Err(SlotError::OnTrial);
        }
        let slot = 1 - running.slot;
        let (at, size) = self.layout.slots[slot];
        self.session = Session::Idle;
        self.storage.erase(at, size)?;
        self.session = Session::Open { slot, written: 0 };
        Ok(())
    }

    /// The slot that [`begin`](Self::begin) erases, in octets: what its time depends on.
    pub fn begin_octets(&self) -> u32 {
        self.running.as_ref().map_or(0, |running| self.layout.slots[1 - running.slot].1)
    }

    /// Writes the next octets of the image.
    ///
    /// # Errors
    /// When nothing was begun, the first octets are those of no image for this chip, they are too many, or the flash fails.
    pub fn write(&mut self, octets: &[u8]) -> Result<(), SlotError> {
        let Session::Open { slot, written } = self.session else { return Err(SlotError::NotBegun) };
        let (at, size) = self.layout.slots[slot];
        if written == 0 {
            self.first(octets, size)?;
        }
        let end = u32::try_from(octets.len()).ok().and_then(|octets| written.checked_add(octets));
        let end = end.filter(|end| *end <= size).ok_or(SlotError::TooLong)?;
        self.storage.program(at + written, octets)?;
        self.session = Session::Open { slot, written: end };
        Ok(())
    }

    fn first(&self, octets: &[u8], size: u32) -> Result<(), SlotError> {
        if octets.first() != Some(&MAGIC) {
            return Err(SlotError::Invalid);
        }
        if octets.len() < FIRST_WRITE {
            return Err(SlotError::TooShort);
        }
        Verifier::new(self.chip, size).feed(octets).map_err(|_| SlotError::Invalid)
    }

    /// Ends the update: reads the image back and checks it.
    ///
    /// # Errors
    /// When nothing was written, or the image in the flash is not whole; what runs stays.
    pub fn end(&mut self) -> Result<(), SlotError> {
        let Session::Open { slot, written: 1.. } = self.session else { return Err(SlotError::NotBegun) };
        self.session = Session::Idle;
        self.image(slot)?.ok_or(SlotError::Invalid)?;
        self.session = Session::Complete { slot };
        Ok(())
    }

    /// Makes the image the one that boots next. The co-processor restarts two seconds later (`RESTART_TIMEOUT`).
    ///
    /// # Errors
    /// When no update ended well, or the flash fails.
    pub fn activate(&mut self) -> Result<(), SlotError> {
        let Session::Complete { slot } = self.session else { return Err(SlotError::NotComplete) };
        let (sector, sequence) = self.select()?.next(slot);
        let state = if self.rollback { State::NEW } else { State::UNDEFINED };
        self.rewrite(sector, Entry::new(sequence, state))?;
        self.session = Session::Idle;
        Ok(())
    }

    /// Confirms that the running firmware works: a host has been met. It stays, and may be replaced. To be called
    /// before the host is told of it: a host erases what it has staged when it has heard the new version, and the old
    /// firmware must not boot after that.
    ///
    /// # Errors
    /// When the flash fails.
    pub fn confirm(&mut self) -> Result<(), SlotError> {
        if !self.running.as_ref().is_some_and(|running| running.on_trial) {
            return Ok(());
        }
        let select = self.select()?;
        if let Some(sector) = select.active() {
            self.rewrite(sector, Entry { state: State::VALID, ..select.entries[sector] })?;
        }
        if let Some(running) = &mut self.running {
            running.on_trial = false;
        }
        Ok(())
    }
}
