//! One transaction after another, and a look at the STATUS of each.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::error::{self, Error};
use super::radio::Radio;
use crate::air::{PAYLOAD_MAX, T_PECE2CSN};
use crate::wire::Register;
use crate::wire::command;
use crate::wire::register::{fifo_status, status};

/// A command and the longest payload.
pub(super) const TRANSACTION_MAX: usize = 1 + PAYLOAD_MAX;

/// RX_P_NO of an empty RX FIFO: all its bits. Table 28.
const NO_PIPE: u8 = status::RX_P_NO;

/// The octet of STATUS that a transaction shifted out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status(pub(super) u8);

impl Status {
    /// True if any of these bits is set.
    pub(super) const fn has(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// The pipe of the payload on top of the RX FIFO, if there is one.
    pub(super) const fn pipe(self) -> Option<u8> {
        match self.0 & status::RX_P_NO {
            NO_PIPE => None,
            bits => Some(bits >> 1),
        }
    }
}

impl<SPI: SpiDevice, CE: OutputPin, IRQ, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// One transaction in place: what came back replaces what was sent.
    pub(super) async fn transact(&mut self, octets: &mut [u8]) -> Result<Status, Error> {
        let clears = matches!(*octets, [first, second, ..]
            if first == command::W_REGISTER | Register::Status.address() && second & status::TX_DS != 0);
        if core::mem::take(&mut self.rose) {
            self.delay.delay_ns(T_PECE2CSN.as_nanos() as u32).await;
        }
        self.spi.transfer_in_place(octets).await.map_err(error::bus)?;
        let left = self.fifo.saw(octets[0], clears);
        if left && self.stay.is_breaking() {
            self.resume()?;
        }
        Ok(Status(octets[0]))
    }

    /// A command without data.
    pub(super) async fn command(&mut self, command: u8) -> Result<Status, Error> {
        self.transact(&mut [command]).await
    }

    /// Reads a register of one octet.
    pub(super) async fn read_register(&mut self, register: Register) -> Result<u8, Error> {
        let mut octets = [command::R_REGISTER | register.address(), 0];
        self.transact(&mut octets).await?;
        Ok(octets[1])
    }

    /// Writes a register of one octet.
    pub(super) async fn write_register(&mut self, register: Register, value: u8) -> Result<Status, Error> {
        self.transact(&mut [command::W_REGISTER | register.address(), value]).await
    }

    /// FIFO_STATUS: whether the TX FIFO is empty.
    pub(super) async fn tx_is_empty(&mut self) -> Result<bool, Error> {
        Ok(self.read_register(Register::FifoStatus).await? & fifo_status::TX_EMPTY != 0)
    }
}
