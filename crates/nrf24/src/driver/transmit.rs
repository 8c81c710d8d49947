//! Payloads into the TX FIFO.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::bus::TRANSACTION_MAX;
use super::error::Error;
use super::radio::Radio;
use crate::air::PAYLOAD_MAX;
use crate::wire::Register;
use crate::wire::command;
use crate::wire::register::status;

impl<SPI: SpiDevice, CE: OutputPin, IRQ, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// True if the next [`write`](Self::write) will surely be taken. False when the FIFO may be full, and while the
    /// last frames of a stay in TX are sent; an interrupt follows that changes it.
    pub fn has_room(&self) -> bool {
        self.fifo.has_room() && !(self.runs && self.stay.is_over())
    }

    /// Writes a payload of 1..=32 octets into the TX FIFO of a transmitter, in one transaction; says whether it was taken.
    /// Without room nothing happens on the bus. With CE high it is sent as soon as those before it are.
    ///
    /// `no_ack` frames ask for no acknowledgement and follow one another without a gap; without auto-ack every frame is such a one.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    ///
    /// # Panics
    /// When `payload` is empty or longer than 32 octets.
    pub async fn write(&mut self, payload: &[u8], no_ack: bool) -> Result<bool, Error> {
        let wants_ack = self.fixed.is_none() && !no_ack;
        let command = match self.fixed.is_none() && no_ack {
            true => command::W_TX_PAYLOAD_NOACK,
            false => command::W_TX_PAYLOAD,
        };
        let taken = self.has_room() && self.upload(command, payload).await?;
        if taken {
            self.stay.wrote(self.fixed.map_or(payload.len(), usize::from), wants_ack);
        }
        Ok(taken)
    }

    /// Queues a payload of 1..=32 octets at a receiver, to ride on the next acknowledgement to `pipe`; says whether it was
    /// taken. Three may wait, whatever their pipes.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    ///
    /// # Panics
    /// When `payload` is empty or longer than 32 octets, or `pipe` above 5.
    pub async fn write_ack(&mut self, pipe: u8, payload: &[u8]) -> Result<bool, Error> {
        assert!(pipe <= 5, "an nRF24L01+ has the pipes 0 to 5");
        Ok(self.fifo.has_room() && self.upload(command::W_ACK_PAYLOAD | pipe, payload).await?)
    }

    async fn upload(&mut self, command: u8, payload: &[u8]) -> Result<bool, Error> {
        assert!((1..=PAYLOAD_MAX).contains(&payload.len()), "a payload has 1 to 32 octets");
        let mut octets = [0; TRANSACTION_MAX];
        octets[0] = command;
        octets[1..=payload.len()].copy_from_slice(payload);
        let len = 1 + self.fixed.map_or(payload.len(), usize::from);
        let status = self.transact(&mut octets[..len]).await?;
        let taken = !status.has(status::TX_FULL);
        if taken {
            self.fifo.wrote();
        }
        Ok(taken)
    }

    /// Tells if the TX FIFO is empty, asked of the chip. The last frame may still wait for its interrupt.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn is_drained(&mut self) -> Result<bool, Error> {
        let empty = self.tx_is_empty().await?;
        if empty {
            self.fifo.is_empty();
        }
        Ok(empty)
    }

    /// OBSERVE_TX: packets lost since the channel was set (saturates at 15), and retransmissions of the last one.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn observe_tx(&mut self) -> Result<(u8, u8), Error> {
        let octet = self.read_register(Register::ObserveTx).await?;
        Ok((octet >> 4, octet & 0x0F))
    }
}
