//! The co-processor's slots as its RPC server sees them.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use airtime_core::Duration;

use crate::flash::{Storage, Timing};
use crate::image::Description;
use crate::partition::SECTOR;
use crate::slots::{SlotError, Slots};
use airtime_esp_hosted::coprocessor::{Firmware, Flash, Flashed};
use airtime_esp_hosted::rpc::proto::AppDescription;

/// `ESP_APP_DESC_MAGIC_WORD`.
const MAGIC_WORD: u32 = 0xABCD_5432;

/// Slots that somebody else looks at too: whoever cuts their power.
#[derive(Debug)]
pub struct Installed<S> {
    slots: Rc<RefCell<Slots<S>>>,
    timing: Timing,
}

impl<S: Storage> Installed<S> {
    /// `slots`, whose flash takes as long as `timing` says.
    pub fn new(slots: Rc<RefCell<Slots<S>>>, timing: Timing) -> Self {
        Self { slots, timing }
    }

    fn step(&self, took: Duration, step: impl FnOnce(&mut Slots<S>) -> Result<(), SlotError>) -> Flashed {
        let result = step(&mut self.slots.borrow_mut());
        Flashed { result: result.map_err(|error| error.code() as i32), took }
    }
}

impl<S: Storage + core::fmt::Debug> Flash for Installed<S> {
    fn boot(&mut self) -> Option<Firmware> {
        let mut slots = self.slots.borrow_mut();
        let running = slots.boot().ok()?;
        let description = &running.image.description;
        Some(Firmware { version: description.numbers().unwrap_or_default(), description: described(description) })
    }

    fn confirm(&mut self) -> Flashed {
        self.step(Duration::ZERO, Slots::confirm)
    }

    fn begin(&mut self) -> Flashed {
        let octets = self.slots.borrow().begin_octets();
        self.step(self.timing.erase(octets), Slots::begin)
    }

    fn write(&mut self, octets: &[u8]) -> Flashed {
        self.step(self.timing.program(octets.len() as u32), |slots| slots.write(octets))
    }

    fn end(&mut self) -> Flashed {
        self.step(Duration::ZERO, Slots::end)
    }

    fn activate(&mut self) -> Flashed {
        self.step(self.timing.erase(SECTOR), Slots::activate)
    }
}

fn described(description: &Description) -> AppDescription {
    let text = |text: &str| -> Vec<u8> { text.bytes().collect() };
    AppDescription {
        magic_word: MAGIC_WORD,
        version: text(&description.version),
        project_name: text(&description.project),
        idf_ver: text(&description.idf),
        app_elf_sha256: description.elf_sha256.to_vec(),
        ..AppDescription::default()
    }
}
