//! The chip's flash as updates see it.

use airtime_ota::flash::{Storage, StorageError};
use esp_hal::peripherals::FLASH;
use esp_storage::{FlashStorage, FlashStorageError};

/// The flash.
pub struct Flash(FlashStorage<'static>);

impl Flash {
    pub fn new(flash: FLASH<'static>) -> Self {
        Self(FlashStorage::new(flash))
    }
}

fn failed(error: FlashStorageError) -> StorageError {
    match error {
        FlashStorageError::NotAligned => StorageError::Alignment,
        FlashStorageError::OutOfBounds => StorageError::Range,
        _ => StorageError::Failed,
    }
}

impl Storage for Flash {
    fn octets(&self) -> u32 {
        self.0.capacity() as u32
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), StorageError> {
        self.0.read_nor(at, into).map_err(failed)
    }

    fn program(&mut self, at: u32, octets: &[u8]) -> Result<(), StorageError> {
        self.0.write_nor(at, octets).map_err(failed)
    }

    fn erase(&mut self, at: u32, octets: u32) -> Result<(), StorageError> {
        self.0.erase(at, at + octets).map_err(failed)
    }
}
