//! A NOR flash in memory. Programming clears bits, erasing sets those of whole sectors, and power may go at any octet.

use alloc::vec;
use alloc::vec::Vec;

use airtime_core::random::{self, Stream};

use super::{Storage, StorageError};
use crate::image::ERASED;
use crate::partition::SECTOR;

/// The flash. Its work is counted in octets: one for each that is programmed, [`SECTOR`] for each sector that is erased.
#[derive(Clone, Debug)]
pub struct Nor {
    octets: Vec<u8>,
    work: u64,
    cut_at: Option<u64>,
    powered: bool,
    chance: Stream,
}

impl Nor {
    /// An erased flash. `seed` is for what a sector reads as when its erasing was cut off.
    pub fn new(octets: u32, seed: u64) -> Self {
        Self::holding(vec![ERASED; octets as usize], seed)
    }

    /// A flash that holds `octets`.
    pub fn holding(octets: Vec<u8>, seed: u64) -> Self {
        Self { octets, work: 0, cut_at: None, powered: true, chance: random::stream(seed, "flash/half") }
    }

    /// Contents of the flash.
    pub fn contents(&self) -> &[u8] {
        &self.octets
    }

    /// Octets of work it has done since it was made.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Its power will go when it has done `work` octets of work in all: in the middle of whatever it does then.
    pub fn cut_at(&mut self, work: u64) {
        self.cut_at = Some(work);
    }

    /// Its power goes now.
    pub fn cut(&mut self) {
        self.powered = false;
    }

    /// Its power comes back, and stays.
    pub fn restore(&mut self) {
        (self.powered, self.cut_at) = (true, None);
    }

    /// True while it has power.
    pub fn powered(&self) -> bool {
        self.powered
    }

    fn range(&self, at: u32, octets: usize) -> Result<core::ops::Range<usize>, StorageError> {
        if !self.powered {
            return Err(StorageError::PowerLost);
        }
        let end = (at as usize).checked_add(octets).filter(|end| *end <= self.octets.len());
        end.map(|end| at as usize..end).ok_or(StorageError::Range)
    }

    /// Part of `work` that can be done before the power goes.
    fn before_cut(&self, work: u64) -> u64 {
        self.cut_at.map_or(work, |cut| cut.saturating_sub(self.work).min(work))
    }
}

impl Storage for Nor {
    fn octets(&self) -> u32 {
        u32::try_from(self.octets.len()).unwrap_or(u32::MAX)
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), StorageError> {
        let range = self.range(at, into.len())?;
        into.copy_from_slice(&self.octets[range]);
        Ok(())
    }

    fn program(&mut self, at: u32, octets: &[u8]) -> Result<(), StorageError> {
        let range = self.range(at, octets.len())?;
        let whole = self.before_cut(octets.len() as u64) as usize;
        for (held, octet) in self.octets[range.clone()].iter_mut().zip(&octets[..whole]) {
            *held &= octet;
        }
        self.work += whole as u64;
        if whole < octets.len() {
            // Some bits of the octet under way are cleared already.
            self.octets[range.start + whole] &= octets[whole] | self.chance.bits() as u8;
            self.powered = false;
            return Err(StorageError::PowerLost);
        }
        Ok(())
    }

    fn erase(&mut self, at: u32, octets: u32) -> Result<(), StorageError> {
        let range = self.range(at, octets as usize)?;
        if !at.is_multiple_of(SECTOR) || !octets.is_multiple_of(SECTOR) {
            return Err(StorageError::Alignment);
        }
        for begin in range.step_by(SECTOR as usize) {
            let whole = self.before_cut(u64::from(SECTOR)) == u64::from(SECTOR);
            let sector = &mut self.octets[begin..begin + SECTOR as usize];
            if !whole {
                let chance = &mut self.chance;
                sector.iter_mut().for_each(|octet| *octet = chance.bits() as u8);
                self.work = self.cut_at.unwrap_or(self.work);
                self.powered = false;
                return Err(StorageError::PowerLost);
            }
            sector.fill(ERASED);
            self.work += u64::from(SECTOR);
        }
        Ok(())
    }
}
