//! The reading task: waits for the card interrupt, then for the mutex, reads the state of the card and what it has.

use crate::sdio::{Completion, Length, Transaction, register as reg};
use crate::spi_hd;
use crate::wire::Bus;
use crate::wire::start::SdioMode;

/// Step of the reading task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for the interrupt or the mutex.
    Idle,
    /// It reads the registers from interrupts to length.
    Status,
    /// It clears the interrupts that it found.
    Clear { interrupts: u32, available: u32 },
    /// It reads what there is.
    Data(u32),
}

/// Finding of the task after a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It goes on.
    Pending,
    /// There was nothing to read; interrupts that were raised.
    Nothing(u32),
    /// These interrupts were raised, and there is something to read.
    More(u32),
    /// Data that was there has been read.
    Data,
    /// The registers could not be read: the transport is down.
    Failed,
    /// The octets could not be read; they are lost.
    Lost,
    /// There is more than one frame, and this host reads one at a time.
    TooLong,
}

/// The reading task.
#[derive(Debug)]
pub(super) struct Reader {
    pub step: Step,
    /// The card's interrupt line.
    pub line: bool,
    /// It waits for the splitting task.
    pub deferred: bool,
    bus: Bus,
    /// The longest read: one frame in packet mode.
    most: u32,
    read: Length,
}

impl Reader {
    pub fn new(line: bool, bus: Bus, mode: SdioMode) -> Self {
        let streams = bus == Bus::Sdio && mode == SdioMode::Streaming;
        let most = if streams { u32::MAX } else { bus.buffer() };
        Self { step: Step::Idle, line, deferred: false, bus, most, read: Length::default() }
    }

    /// Goes on counting from `read` octets.
    pub fn continue_from(&mut self, read: Length) {
        self.read = read;
    }

    /// The mutex is its own now.
    pub fn acquired(&mut self) {
        self.deferred = false;
        self.step = Step::Status;
    }

    /// Transaction that it asks of the bus.
    pub fn transaction(&self) -> Option<Transaction> {
        match self.step {
            Step::Idle => None,
            Step::Status if self.bus == Bus::SpiHalfDuplex => {
                Some(Transaction::ReadRegisters { address: spi_hd::TX_BUF_LEN, octets: 4 })
            }
            Step::Clear { .. } if self.bus == Bus::SpiHalfDuplex => Some(Transaction::ClearReady),
            Step::Status => Some(Transaction::ReadRegisters { address: reg::INT_RAW, octets: reg::STATUS_OCTETS }),
            Step::Clear { interrupts, .. } => {
                Some(Transaction::WriteRegister { address: reg::INT_CLR, value: interrupts })
            }
            Step::Data(octets) => Some(Transaction::ReadData { octets }),
        }
    }

    /// The bus has done it.
    pub fn done(&mut self, completion: &Completion<'_>) -> Found {
        match (self.step, completion) {
            (Step::Status, Completion::Read(registers)) => self.status(registers),
            (Step::Status, _) => self.idle(Found::Failed),
            // The driver does not look whether the write went through; a bit that stays set raises the line again.
            (Step::Clear { interrupts, available }, _) => {
                if interrupts & reg::INT_NEW_PACKET == 0 || available == 0 {
                    return self.idle(Found::Nothing(interrupts));
                }
                if available > self.most {
                    return self.idle(Found::TooLong);
                }
                self.step = Step::Data(available);
                Found::More(interrupts)
            }
            (Step::Data(octets), completion) => {
                // Counted as read in either case, as the source does ("unclear, on failure case").
                self.read = self.read.plus(octets);
                let whole = matches!(completion, Completion::Read(bytes) if bytes.len() >= octets as usize);
                self.idle(if whole { Found::Data } else { Found::Lost })
            }
            (Step::Idle, _) => Found::Pending,
        }
    }

    fn status(&mut self, registers: &[u8]) -> Found {
        if self.bus == Bus::SpiHalfDuplex {
            let Ok(length) = registers.try_into().map(u32::from_le_bytes) else { return self.idle(Found::Failed) };
            let available = Length::new(length).since(self.read);
            // There is no other reason for the data-ready line.
            self.step = Step::Clear { interrupts: reg::INT_NEW_PACKET, available };
            return Found::Pending;
        }
        let word = |at: u32| -> Option<u32> {
            let at = (at - reg::INT_RAW) as usize;
            registers.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes)
        };
        let (Some(interrupts), Some(length)) = (word(reg::INT_RAW), word(reg::PACKET_LEN)) else {
            return self.idle(Found::Failed);
        };
        let available = Length::new(length & 0xf_ffff).since(self.read);
        self.step = Step::Clear { interrupts, available };
        Found::Pending
    }

    fn idle(&mut self, found: Found) -> Found {
        self.step = Step::Idle;
        found
    }
}
