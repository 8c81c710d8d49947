//! The partition `slave_fw` of the chip's flash.

use airtime_ota::boot::FlashRequest;
use airtime_ota::flash::StorageError;
use airtime_ota::partition::{HOST, Partition, SLAVE_FW, Table};
use esp_hal::peripherals::FLASH;
use esp_storage::{FlashStorage, FlashStorageError};

/// Octets that the chip's flash reads and programs together.
const WORD: u32 = 4;

/// The partition.
pub struct Flash {
    storage: FlashStorage<'static>,
    partition: Option<Partition>,
    piece: [u8; 4096 + 2 * WORD as usize],
}

impl Flash {
    pub fn new(flash: FLASH<'static>) -> Self {
        let partition = Table::parse(HOST).ok().and_then(|table| table.find(SLAVE_FW).cloned());
        Self { storage: FlashStorage::new(flash), partition, piece: [0; 4096 + 2 * WORD as usize] }
    }

    /// Octets of the partition; 0 when there is none.
    pub fn octets(&self) -> u32 {
        self.partition.as_ref().map_or(0, |partition| partition.size)
    }

    /// Carries out a request of the sequence; gives what was read, or nothing.
    pub fn carry_out(&mut self, request: FlashRequest) -> Result<&[u8], StorageError> {
        let begin = self.partition.as_ref().ok_or(StorageError::Range)?.offset;
        match request {
            FlashRequest::Read { at, octets } => self.read(begin + at, usize::from(octets)),
            FlashRequest::Program { at, octet } => self.program(begin + at, octet),
            FlashRequest::Erase { at, octets } => {
                self.storage.erase(begin + at, begin + at + octets).map_err(failed)?;
                Ok(&[])
            }
        }
    }

    /// Whole words around what is wanted.
    fn read(&mut self, at: u32, octets: usize) -> Result<&[u8], StorageError> {
        let lead = (at % WORD) as usize;
        let whole = (lead + octets).next_multiple_of(WORD as usize);
        let piece = self.piece.get_mut(..whole).ok_or(StorageError::Range)?;
        self.storage.read_nor(at - lead as u32, piece).map_err(failed)?;
        Ok(&piece[lead..lead + octets])
    }

    /// The other octets of the word are programmed to ones, which leaves them as they are.
    fn program(&mut self, at: u32, octet: u8) -> Result<&[u8], StorageError> {
        let mut word = [0xFF; WORD as usize];
        word[(at % WORD) as usize] = octet;
        self.storage.write_nor(at - at % WORD, &word).map_err(failed)?;
        Ok(&[])
    }
}

fn failed(error: FlashStorageError) -> StorageError {
    match error {
        FlashStorageError::NotAligned => StorageError::Alignment,
        FlashStorageError::OutOfBounds => StorageError::Range,
        _ => StorageError::Failed,
    }
}
