//! Payloads out of the RX FIFO.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::bus::TRANSACTION_MAX;
use super::error::Error;
use super::radio::Radio;
use crate::air::PAYLOAD_MAX;
use crate::wire::Register;
use crate::wire::command;

/// A payload that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// The pipe it came by, 0..=5.
    pub pipe: u8,
    /// Its octets in the buffer given, 1..=32.
    pub len: usize,
}

impl<SPI: SpiDevice, CE: OutputPin, IRQ, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// Reads the payload on top of the RX FIFO; none when it is empty. CE stays high: the receiver listens on.
    ///
    /// After an interrupt, call it until it says none. [`on_irq`](Self::on_irq) has cleared RX_DR *before*, so a payload that comes
    /// while this one is read either is read by the same loop or asserts IRQ again; none is left behind. (Table 28, footnote c
    /// has the same loop, with a read of FIFO_STATUS where STATUS of the next R_RX_PL_WID serves here.)
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn read(&mut self, payload: &mut [u8; PAYLOAD_MAX]) -> Result<Option<Received>, Error> {
        let Some((pipe, len)) = self.top().await? else { return Ok(None) };
        if !(1..=PAYLOAD_MAX).contains(&len) {
            // Table 20, R_RX_PL_WID: such a payload is damaged, and the FIFO must be flushed.
            self.corrupt_widths = self.corrupt_widths.saturating_add(1);
            self.command(command::FLUSH_RX).await?;
            return Ok(None);
        }
        let mut octets = [0; TRANSACTION_MAX];
        octets[0] = command::R_RX_PAYLOAD;
        self.transact(&mut octets[..=len]).await?;
        payload[..len].copy_from_slice(&octets[1..=len]);
        Ok(Some(Received { pipe, len }))
    }

    /// Pipe and length of the payload on top.
    async fn top(&mut self) -> Result<Option<(u8, usize)>, Error> {
        let mut octets = [command::R_RX_PL_WID, 0];
        match self.fixed {
            Some(len) => {
                let status = self.command(command::NOP).await?;
                Ok(status.pipe().map(|pipe| (pipe, usize::from(len))))
            }
            None => {
                let status = self.transact(&mut octets).await?;
                Ok(status.pipe().map(|pipe| (pipe, usize::from(octets[1]))))
            }
        }
    }

    /// Throws away what is in the RX FIFO.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn flush_rx(&mut self) -> Result<(), Error> {
        self.command(command::FLUSH_RX).await.map(drop)
    }

    /// RPD: whether a carrier above −64 dBm was there when the receiver last looked.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn hears_carrier(&mut self) -> Result<bool, Error> {
        Ok(self.read_register(Register::Rpd).await? & 1 != 0)
    }
}
