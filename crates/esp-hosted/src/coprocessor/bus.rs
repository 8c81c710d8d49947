//! The bus as the co-processor sees it.

use airtime_core::{Instant, Packet};

use super::{Coprocessor, CoprocessorOutput, Power};
use crate::sdio::{BusError, Completion, Transaction, register as reg};
use crate::spi_hd;
use crate::wire::Bus;

impl Coprocessor {
    /// The host's bus does this; `reply` takes what is read. To be called when the transaction ends.
    pub fn bus<'r>(&mut self, now: Instant, transaction: &Transaction, reply: &'r mut Packet) -> Completion<'r> {
        reply.truncate(0);
        match (self.power, transaction) {
            (Power::Waits, Transaction::Initialise) => self.power = Power::Runs,
            (Power::Runs, _) => {}
            _ => return Completion::Failed(BusError::Timeout),
        }
        let read = match transaction {
            Transaction::Initialise => false,
            Transaction::ReadRegisters { address, octets } => {
                self.slave.read(*address, *octets, reply);
                true
            }
            Transaction::WriteRegister { address: spi_hd::SLAVE_CTRL, value } if value & spi_hd::DATAPATH_ON != 0 => {
                self.host_interrupt(now, reg::OPEN_DATA_PATH);
                false
            }
            Transaction::ClearReady => {
                self.slave.write(reg::INT_CLR, reg::INT_NEW_PACKET);
                false
            }
            Transaction::WriteRegister { address: reg::TO_SLAVE, value } => {
                self.host_interrupt(now, *value);
                false
            }
            Transaction::WriteRegister { address, value } => {
                self.slave.write(*address, *value);
                false
            }
            Transaction::ReadData { octets } => {
                self.fetch(*octets, reply);
                true
            }
            Transaction::WriteData(frame) => {
                self.receive(now, frame.duplicate());
                false
            }
        };
        self.update_line();
        if read { Completion::Read(reply) } else { Completion::Written }
    }

    /// The host's bus writes `frame`: as [`bus`](Self::bus) does, but it keeps the frame instead of a copy.
    ///
    /// # Errors
    /// With the frame, when nobody answers.
    pub fn write(&mut self, now: Instant, frame: Packet) -> Result<(), Packet> {
        if self.power != Power::Runs {
            return Err(frame);
        }
        self.receive(now, frame);
        self.update_line();
        Ok(())
    }

    /// The line follows the registers.
    pub(super) fn update_line(&mut self) {
        let line = match self.config.bus {
            Bus::Spi => self.exchanger.line(),
            _ => self.slave.line(),
        };
        if core::mem::replace(&mut self.line, line) != line {
            self.told.say(CoprocessorOutput::Interrupt(line));
        }
    }
}
