//! The radio: its wires, its CE pin and its interrupts.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::error::{self, Error};
use super::fifo::Fifo;
use super::stay::Stay;
use crate::air::{Framing, Rate};
use crate::wire::Register;
use crate::wire::command;
use crate::wire::register::status;

/// Longer than any delay from the end of a frame to its interrupt (8.2 µs, Table 19), in µs.
const PAST_T_IRQ_US: u32 = 10;

/// One nRF24L01+ on its wires.
#[derive(Debug)]
pub struct Radio<SPI, CE, IRQ, DELAY> {
    pub(super) spi: SPI,
    pub(super) ce: CE,
    pub(super) irq: IRQ,
    pub(super) delay: DELAY,
    pub(super) fifo: Fifo,
    pub(super) stay: Stay,
    /// Octets of every payload, when the length is not dynamic.
    pub(super) fixed: Option<u8>,
    /// The user wants CE high; it may be low for a break.
    pub(super) runs: bool,
    /// CE has risen since the last transaction.
    pub(super) rose: bool,
    pub(super) corrupt_widths: u32,
}

/// Events that an interrupt was about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// A payload waits in the RX FIFO, at least one.
    pub rx: bool,
    /// A payload has left the TX FIFO, at least one: acknowledged, or sent without wanting that. At a receiver: an
    /// ACK payload is known to be across.
    pub sent: bool,
    /// A payload was given up after all retransmissions. The TX FIFO has been flushed, whatever else was in it.
    pub max_rt: bool,
}

impl<SPI, CE, IRQ, DELAY> Radio<SPI, CE, IRQ, DELAY> {
    /// A radio that is yet to be [configured](Self::configure). `irq` is low when asserted; `ce` should be low.
    pub fn new(spi: SPI, ce: CE, irq: IRQ, delay: DELAY) -> Self {
        let stay = Stay::new(Framing::enhanced(Rate::M2, 5), false);
        Self {
            spi,
            ce,
            irq,
            delay,
            fifo: Fifo::default(),
            stay,
            fixed: None,
            runs: false,
            rose: false,
            corrupt_widths: 0,
        }
    }

    /// Number of times that the chip gave an impossible width and its RX FIFO was flushed.
    pub fn corrupt_widths(&self) -> u32 {
        self.corrupt_widths
    }

    /// Its wires, to use them otherwise.
    pub fn release(self) -> (SPI, CE, IRQ, DELAY) {
        (self.spi, self.ce, self.irq, self.delay)
    }
}

impl<SPI: SpiDevice, CE: OutputPin, IRQ, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// CE high: a transmitter sends what is in its FIFO and what is written from now on, a receiver listens. 130 µs later it
    /// is there.
    ///
    /// # Errors
    /// When the pin fails.
    pub fn start(&mut self) -> Result<(), Error> {
        self.runs = true;
        self.resume()
    }

    /// CE low: a transmitter ends the frame on the air and rests, a receiver is deaf.
    ///
    /// # Errors
    /// When the pin fails.
    pub fn stop(&mut self) -> Result<(), Error> {
        self.runs = false;
        self.ce.set_low().map_err(error::pin)
    }

    /// Tells it that IRQ is asserted, for callers that wait for the line themselves and not by [`wait_irq`](Self::wait_irq): to be
    /// called before [`on_irq`](Self::on_irq). Costs nothing but a pin, and that only at the end of a break.
    ///
    /// # Errors
    /// When the pin fails.
    pub fn irq_is_low(&mut self) -> Result<(), Error> {
        // In a break nothing but the end of the last frame is waited for, so CE need not wait for STATUS.
        if self.stay.is_breaking() { self.resume() } else { Ok(()) }
    }

    /// The end of a break: CE is what the user wants it to be.
    pub(super) fn resume(&mut self) -> Result<(), Error> {
        self.stay.resumed();
        self.rose |= self.runs;
        if self.runs { self.ce.set_high().map_err(error::pin) } else { Ok(()) }
    }
}

impl<SPI: SpiDevice, CE: OutputPin, IRQ: Wait, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// Waits until the IRQ line is asserted; at once if it is. May be dropped and called again.
    ///
    /// # Errors
    /// When a pin fails.
    pub async fn wait_irq(&mut self) -> Result<(), Error> {
        self.irq.wait_for_low().await.map_err(error::pin)?;
        self.irq_is_low()
    }

    /// Reads and clears the interrupts in one transaction of two octets; flushes the TX FIFO after MAX_RT; keeps the
    /// 4 ms of a transmitter.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn on_irq(&mut self) -> Result<Events, Error> {
        // MAX_RT stands until the payload is gone: cleared before, the chip would send it once more.
        let status = self.write_register(Register::Status, status::RX_DR | status::TX_DS).await?;
        let events = Events {
            rx: status.has(status::RX_DR) || status.pipe().is_some(),
            sent: status.has(status::TX_DS),
            max_rt: status.has(status::MAX_RT),
        };
        if events.max_rt {
            self.command(command::FLUSH_TX).await?;
            self.write_register(Register::Status, status::MAX_RT).await?;
            self.fifo.reset();
        }
        if self.leaves_tx() {
            self.keep_stay().await?;
        }
        Ok(events)
    }

    /// Throws away what is in the TX FIFO. At a receiver: the ACK payloads.
    ///
    /// # Errors
    /// When the bus or a pin fails.
    pub async fn flush_tx(&mut self) -> Result<(), Error> {
        self.command(command::FLUSH_TX).await?;
        self.forget_sent().await?;
        if self.stay.is_breaking() { self.resume() } else { Ok(()) }
    }

    /// True if this stay in TX has to end. A FIFO that ran dry is a break by itself.
    fn leaves_tx(&mut self) -> bool {
        if self.fifo.at_most() == 0 {
            self.stay.ran_dry();
        }
        self.runs && !self.stay.is_breaking() && self.stay.is_over()
    }

    /// Leaves TX before 4 ms are over. CE goes low under the last frame of a stay.
    async fn keep_stay(&mut self) -> Result<(), Error> {
        let last = self.fifo.at_most() == 1;
        if last {
            self.ce.set_low().map_err(error::pin)?;
            self.stay.breaks();
        }
        // The bound may be too high, and an empty FIFO raises no interrupt to wait for.
        if self.tx_is_empty().await? {
            self.forget_sent().await?;
            self.stay.ran_dry();
            self.resume()?;
        }
        Ok(())
    }

    /// The TX FIFO is empty: waits for the interrupt that the last frame may still raise, and clears it.
    async fn forget_sent(&mut self) -> Result<(), Error> {
        self.delay.delay_us(PAST_T_IRQ_US).await;
        self.write_register(Register::Status, status::TX_DS).await?;
        self.fifo.reset();
        Ok(())
    }
}
