//! Flash of a chip: a NOR flash whose power may go, in words of four octets, and as slow as one.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_hosted_ends::Board;
use airtime_ota::flash::{Nor, Storage, StorageError, Timing};
use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};

use crate::world::Processor;

/// Flash that a chip keeps while it has no power, and whoever looks on too.
#[derive(Clone, Debug)]
pub struct Memory(pub Rc<RefCell<Nor>>);

impl Memory {
    pub fn new(flash: Nor) -> Self {
        Self(Rc::new(RefCell::new(flash)))
    }
}

/// As a bootloader sees it: nothing runs beside.
impl Storage for Memory {
    fn octets(&self) -> u32 {
        self.0.borrow().octets()
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), StorageError> {
        self.0.borrow_mut().read(at, into)
    }

    fn program(&mut self, at: u32, octets: &[u8]) -> Result<(), StorageError> {
        self.0.borrow_mut().program(at, octets)
    }

    fn erase(&mut self, at: u32, octets: u32) -> Result<(), StorageError> {
        self.0.borrow_mut().erase(at, octets)
    }
}

/// As firmware sees it, whose processor waits for it.
pub struct Chip {
    memory: Memory,
    processor: Processor,
}

impl Chip {
    pub fn new(memory: &Memory, processor: &Processor) -> Self {
        Self { memory: memory.clone(), processor: processor.clone() }
    }
}

/// Failure of the driver.
#[derive(Debug)]
pub struct Failed(NorFlashErrorKind);

impl From<StorageError> for Failed {
    fn from(error: StorageError) -> Self {
        Self(match error {
            StorageError::Range => NorFlashErrorKind::OutOfBounds,
            StorageError::Alignment => NorFlashErrorKind::NotAligned,
            _ => NorFlashErrorKind::Other,
        })
    }
}

impl NorFlashError for Failed {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

/// As esp-storage refuses it.
fn aligned(at: u32, octets: usize, word: usize) -> Result<(), Failed> {
    let whole = (at as usize).is_multiple_of(word) && octets.is_multiple_of(word);
    if whole { Ok(()) } else { Err(Failed(NorFlashErrorKind::NotAligned)) }
}

impl ErrorType for Chip {
    type Error = Failed;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 4;

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), Failed> {
        aligned(at, into.len(), Self::READ_SIZE)?;
        self.processor.spend(Timing::TYPICAL.read(into.len() as u32));
        Ok(self.memory.read(at, into)?)
    }

    fn capacity(&self) -> usize {
        self.memory.octets() as usize
    }
}

impl NorFlash for Chip {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4096;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Failed> {
        aligned(from, (to - from) as usize, Self::ERASE_SIZE)?;
        self.processor.spend(Timing::TYPICAL.erase(to - from));
        Ok(self.memory.erase(from, to - from)?)
    }

    fn write(&mut self, at: u32, octets: &[u8]) -> Result<(), Failed> {
        aligned(at, octets.len(), Self::WRITE_SIZE)?;
        self.processor.spend(Timing::TYPICAL.program(octets.len() as u32));
        Ok(self.memory.program(at, octets)?)
    }
}

/// Words around octets that are not whole ones.
#[test]
fn octets_are_read_and_programmed_wherever_they_are() {
    let clock = crate::world::Clock::new();
    let memory = Memory::new(Nor::new(0x2000, 1));
    let processor = Processor::new(&clock);
    let mut flash = airtime_hosted_ends::Flash::new(Chip::new(&memory, &processor));
    let octets: Vec<u8> = (0..=255).chain(0..=255).chain(0..100).collect();
    for (at, length) in [(0, 1), (0x103, 1), (0x205, 612), (0x4ff, 258), (0x700, 256)] {
        flash.program(at, &octets[..length]).unwrap();
        let mut read = vec![0; length + 2];
        flash.read(at.saturating_sub(1), &mut read).unwrap();
        let lead = usize::from(at > 0);
        assert_eq!(read[lead..lead + length], octets[..length], "{at:#x}");
        assert_eq!((lead == 0 || read[0] == 0xFF, read[lead + length]), (true, 0xFF));
        flash.erase(0, 0x1000).unwrap();
    }
    assert_eq!(flash.erase(0x10, 0x1000), Err(StorageError::Alignment));
    assert_eq!(flash.read(0x1FFF, &mut [0; 2]), Err(StorageError::Range));
    assert!(processor.now() > airtime_core::Instant::ZERO, "it takes its time");
}
