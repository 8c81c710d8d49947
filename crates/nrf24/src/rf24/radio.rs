//! Calls of the driver, each with the transactions that it makes.

use airtime_core::{Duration, Instant};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::config::{Config, Length};
use crate::air::{PAYLOAD_MAX, Rate};
use crate::driver::{Error, error};
use crate::wire::command;
use crate::wire::register::{Register, config, fifo_status, status};

/// One nRF24L01+ under RF24.
#[derive(Debug)]
pub struct Rf24<SPI, CE, DELAY> {
    spi: SPI,
    ce: CE,
    pub(super) delay: DELAY,
    /// STATUS of the last transaction.
    status: u8,
    /// CONFIG as it was written last.
    pub(super) config: u8,
    pub(super) settings: Config,
}

impl<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs> Rf24<SPI, CE, DELAY> {
    /// A radio that is yet to [begin](Self::begin) with these settings.
    pub fn new(spi: SPI, ce: CE, delay: DELAY, settings: Config) -> Self {
        Self { spi, ce, delay, status: 0, config: 0, settings }
    }

    /// `startListening()`.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn start_listening(&mut self) -> Result<(), Error> {
        self.config |= config::PRIM_RX;
        self.write_register(Register::Config, self.config).await?;
        self.write_register(Register::Status, status::INTERRUPTS).await?;
        self.set_ce(true)?;
        // Pipe 0 is the writer's: it is closed while the radio listens.
        let open = self.read_register(Register::EnRxAddr).await?;
        self.write_register(Register::EnRxAddr, open & !1).await
    }

    /// `stopListening()`: an acknowledgement that is on its way is waited for, blindly.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn stop_listening(&mut self) -> Result<(), Error> {
        self.set_ce(false)?;
        self.delay.delay_us(tx_delay_us(self.settings.rate)).await;
        self.config &= !config::PRIM_RX;
        self.write_register(Register::Config, self.config).await?;
        self.write_address(Register::RxAddrP0, self.settings.writes_to).await?;
        let open = self.read_register(Register::EnRxAddr).await?;
        self.write_register(Register::EnRxAddr, open | 1).await
    }

    /// `stopListening(address)`: as [`stop_listening`](Self::stop_listening), and TX_ADDR.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn stop_listening_to_write(&mut self) -> Result<(), Error> {
        self.stop_listening().await?;
        self.write_address(Register::TxAddr, self.settings.writes_to).await
    }

    /// `setAutoAck(pipe, enable)`.
    ///
    /// # Errors
    /// When the bus fails.
    pub async fn set_auto_ack(&mut self, pipe: u8, enable: bool) -> Result<(), Error> {
        let before = self.read_register(Register::EnAa).await?;
        let after = if enable { before | 1 << pipe } else { before & !(1 << pipe) };
        self.write_register(Register::EnAa, after).await
    }

    /// `maskIRQ(1, 1, 0)`: IRQ reports receptions, and nothing else.
    ///
    /// # Errors
    /// When the bus fails.
    pub async fn report_receptions(&mut self) -> Result<(), Error> {
        self.config = self.config & !config::MASK_RX_DR | config::MASK_TX_DS | config::MASK_MAX_RT;
        self.write_register(Register::Config, self.config).await
    }

    /// First half of `writeFast()`: polls STATUS until the TX FIFO has room. False once the frame in front was given up.
    ///
    /// # Errors
    /// When the bus fails.
    pub async fn has_room(&mut self) -> Result<bool, Error> {
        while self.update().await? & status::TX_FULL != 0 {
            if self.status & status::MAX_RT != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `startFastWrite()`: a payload of 1..=32 octets into the TX FIFO, and CE high.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    ///
    /// # Panics
    /// When `payload` is longer than 32 octets.
    pub async fn start_fast_write(&mut self, payload: &[u8]) -> Result<(), Error> {
        let mut octets = [0; 1 + PAYLOAD_MAX];
        octets[0] = command::W_TX_PAYLOAD;
        octets[1..=payload.len()].copy_from_slice(payload);
        let len = match self.settings.length {
            Length::Static => self.settings.payload_size.into(),
            Length::Dynamic => payload.len(),
        };
        self.transfer(&mut octets[..=len]).await?;
        self.set_ce(true)
    }

    /// Second half of `write()`: polls STATUS until the frame is out or given up, then CE falls; says if it is out.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn end_write(&mut self) -> Result<bool, Error> {
        while self.update().await? & (status::TX_DS | status::MAX_RT) == 0 {}
        self.set_ce(false)?;
        self.write_register(Register::Status, status::INTERRUPTS).await?;
        let sent = self.status & status::MAX_RT == 0;
        if !sent {
            self.command(command::FLUSH_TX).await?;
        }
        Ok(sent)
    }

    /// `txStandBy()`: polls FIFO_STATUS until the TX FIFO is empty, then CE falls. False if a frame was given up, and then the FIFO
    /// has been flushed.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn tx_stand_by(&mut self) -> Result<bool, Error> {
        while self.read_register(Register::FifoStatus).await? & fifo_status::TX_EMPTY == 0 {
            if self.status & status::MAX_RT != 0 {
                self.write_register(Register::Status, status::MAX_RT).await?;
                self.set_ce(false)?;
                self.command(command::FLUSH_TX).await?;
                return Ok(false);
            }
        }
        self.set_ce(false)?;
        Ok(true)
    }

    /// `txStandBy(timeout)`: as [`tx_stand_by`](Self::tx_stand_by), but a frame that was given up is started again until `timeout`
    /// has passed by whole milliseconds of `now`.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn tx_stand_by_within(&mut self, timeout: Duration, now: impl Fn() -> Instant) -> Result<bool, Error> {
        let millis = || now().as_nanos() / 1_000_000;
        let start = millis();
        while self.read_register(Register::FifoStatus).await? & fifo_status::TX_EMPTY == 0 {
            if self.status & status::MAX_RT != 0 {
                self.write_register(Register::Status, status::MAX_RT).await?;
                self.set_ce(false)?;
                self.set_ce(true)?;
                if millis() - start >= timeout.as_nanos() / 1_000_000 {
                    self.set_ce(false)?;
                    self.command(command::FLUSH_TX).await?;
                    return Ok(false);
                }
            }
        }
        self.set_ce(false)?;
        Ok(true)
    }

    /// `available()`: whether a payload waits in the RX FIFO.
    ///
    /// # Errors
    /// When the bus fails.
    pub async fn available(&mut self) -> Result<bool, Error> {
        Ok(self.read_register(Register::FifoStatus).await? & fifo_status::RX_EMPTY == 0)
    }

    /// `read()`, behind `getDynamicPayloadSize()` where lengths are dynamic; octets of the payload, 0 where its length was
    /// impossible and the RX FIFO has been flushed.
    ///
    /// # Errors
    /// When the bus fails.
    pub async fn read(&mut self, payload: &mut [u8; PAYLOAD_MAX]) -> Result<usize, Error> {
        let len = match self.settings.length {
            Length::Static => usize::from(self.settings.payload_size),
            Length::Dynamic => {
                let mut width = [command::R_RX_PL_WID, 0];
                self.transfer(&mut width).await?;
                usize::from(width[1])
            }
        };
        if !(1..=PAYLOAD_MAX).contains(&len) {
            self.command(command::FLUSH_RX).await?;
            return Ok(0);
        }
        let mut octets = [command::R_RX_PAYLOAD; 1 + PAYLOAD_MAX];
        self.transfer(&mut octets[..=len]).await?;
        payload[..len].copy_from_slice(&octets[1..=len]);
        self.write_register(Register::Status, status::RX_DR).await?;
        Ok(len)
    }

    /// `update()`: STATUS by a transaction of one octet.
    async fn update(&mut self) -> Result<u8, Error> {
        self.command(command::NOP).await?;
        Ok(self.status)
    }

    pub(super) async fn command(&mut self, command: u8) -> Result<(), Error> {
        self.transfer(&mut [command]).await
    }

    pub(super) async fn read_register(&mut self, register: Register) -> Result<u8, Error> {
        let mut octets = [command::R_REGISTER | register.address(), command::NOP];
        self.transfer(&mut octets).await?;
        Ok(octets[1])
    }

    pub(super) async fn write_register(&mut self, register: Register, value: u8) -> Result<(), Error> {
        self.transfer(&mut [command::W_REGISTER | register.address(), value]).await
    }

    pub(super) async fn write_address(&mut self, register: Register, address: [u8; 5]) -> Result<(), Error> {
        let width = usize::from(self.settings.address_width);
        let mut octets = [command::W_REGISTER | register.address(); 6];
        octets[1..].copy_from_slice(&address);
        self.transfer(&mut octets[..=width]).await
    }

    async fn transfer(&mut self, octets: &mut [u8]) -> Result<(), Error> {
        self.spi.transfer_in_place(octets).await.map_err(error::bus)?;
        self.status = octets[0];
        Ok(())
    }

    pub(super) fn set_ce(&mut self, high: bool) -> Result<(), Error> {
        self.ce.set_state(high.into()).map_err(error::pin)
    }
}

/// `txDelay` of a host faster than 20 MHz, in µs.
const fn tx_delay_us(rate: Rate) -> u32 {
    match rate {
        Rate::K250 => 505,
        Rate::M1 => 280,
        Rate::M2 => 240,
    }
}
