//! The partition `slave_fw` of the host's flash, as its table says where that is.

use alloc::boxed::Box;
use alloc::vec;

use airtime_ota::boot::FlashRequest;
use airtime_ota::flash::{Storage, StorageError};
use airtime_ota::partition::{SECTOR, SLAVE_FW, Table};
use log::warn;

/// The partition.
pub struct Staged<S> {
    flash: S,
    /// Its first octet, and how many there are.
    place: Option<(u32, u32)>,
    piece: Box<[u8]>,
}

impl<S: Storage> Staged<S> {
    pub fn new(mut flash: S) -> Self {
        let place = match Table::of_flash(&mut flash) {
            Ok(table) => table.find(SLAVE_FW).map(|partition| (partition.offset, partition.size)),
            Err(error) => {
                warn!("{error}");
                None
            }
        };
        if place.is_none() {
            warn!("no partition `{SLAVE_FW}`: there are no updates");
        }
        Self { flash, place, piece: vec![0; SECTOR as usize].into_boxed_slice() }
    }

    /// Octets of the partition; none when there is none.
    pub fn octets(&self) -> Option<u32> {
        self.place.map(|(_, octets)| octets)
    }

    /// Carries out a request of the sequence; gives what was read, or nothing.
    pub fn carry_out(&mut self, request: FlashRequest) -> Result<&[u8], StorageError> {
        let (begin, _) = self.place.ok_or(StorageError::Range)?;
        match request {
            FlashRequest::Read { at, octets } => {
                let piece = self.piece.get_mut(..usize::from(octets)).ok_or(StorageError::Range)?;
                self.flash.read(begin + at, piece)?;
                Ok(piece)
            }
            FlashRequest::Program { at, octet } => self.flash.program(begin + at, &[octet]).map(|()| [].as_slice()),
            FlashRequest::Erase { at, octets } => self.flash.erase(begin + at, octets).map(|()| [].as_slice()),
        }
    }
}
