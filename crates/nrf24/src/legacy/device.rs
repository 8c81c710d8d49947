//! The driver of the published tunnel: one register after the other, one CE pulse per packet, sleeps in between.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::{Config, Error};
use crate::air::{Crc, PAYLOAD_MAX, Rate};
use crate::driver::error::{bus, pin};
use crate::wire::command;
use crate::wire::register::{Register, config, fifo_status, rf_setup, setup_retr, status};

/// CE high for this long sends one packet, in ns.
const PULSE: u32 = 10_000;

/// Sleep before each look at the outcome of a packet, in ns.
const POLL: u32 = 360_000;

/// All six pipes.
const ALL_PIPES: u8 = 0x3F;

/// One radio of the published program.
#[derive(Debug)]
pub struct Device<SPI, CE, DELAY> {
    spi: SPI,
    ce: CE,
    delay: DELAY,
    auto_ack: bool,
}

impl<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs> Device<SPI, CE, DELAY> {
    /// A radio behind these wires; IRQ is not one of them.
    pub const fn new(spi: SPI, ce: CE, delay: DELAY, auto_ack: bool) -> Self {
        Self { spi, ce, delay, auto_ack }
    }

    /// Sets the chip up and powers it up, without waiting for its crystal.
    pub(super) async fn configure(&mut self, config: &Config, receiver: bool) -> Result<(), Error> {
        self.set_ce(false)?;
        self.write(Register::EnAa, if config.auto_ack { ALL_PIPES } else { 0 }).await?;
        // Dynamic length stays on without auto-acknowledgement, which it needs.
        self.write(Register::DynPd, ALL_PIPES).await?;
        // The published expression inverts the octet where it meant the bit: five reserved bits are written as well.
        self.write(Register::Feature, 0b110 | !u8::from(config.auto_ack)).await?;
        self.write(Register::SetupAw, config.address_width - 2).await?;
        self.write(Register::RfSetup, rate_bits(config.rate) | rf_setup::RF_PWR).await?;
        let (channel, address) = match receiver {
            true => (config.receive_channel, config.receive_address),
            false => (config.transmit_channel, config.transmit_address),
        };
        self.write(Register::RfCh, channel).await?;
        let address = &address[..usize::from(config.address_width)];
        self.write_address(Register::RxAddrP0, address).await?;
        if !receiver {
            self.write_address(Register::TxAddr, address).await?;
        }
        self.write(Register::EnRxAddr, 1).await?;
        if !receiver {
            self.write(Register::SetupRetr, config.ard << setup_retr::ARD_SHIFT | config.arc).await?;
        }
        self.write(Register::Config, base_config(config.crc, receiver) | config::PWR_UP).await?;
        self.command(if receiver { command::FLUSH_RX } else { command::FLUSH_TX }).await?;
        if receiver {
            self.set_ce(true)?;
        }
        Ok(())
    }

    /// Pushes a payload into the TX FIFO.
    pub(super) async fn push(&mut self, payload: &[u8]) -> Result<(), Error> {
        let (status, fifo) = self.read(Register::FifoStatus).await?;
        if status & status::TX_FULL != 0 || fifo & fifo_status::TX_FULL != 0 {
            return Err(Error::TxFull);
        }
        let mut octets = [command::W_TX_PAYLOAD; 1 + PAYLOAD_MAX];
        octets[1..=payload.len()].copy_from_slice(payload);
        self.transfer(&mut octets[..=payload.len()]).await?;
        Ok(())
    }

    /// Sends what is in the TX FIFO, a CE pulse for each packet. TX_DS is cleared before the first and after the last, so only
    /// the first is waited for. False when the retransmissions of one were used up.
    pub(super) async fn send(&mut self) -> Result<bool, Error> {
        self.write(Register::Status, status::TX_DS | status::MAX_RT).await?;
        while !self.tx_is_empty().await? {
            self.set_ce(true)?;
            self.delay.delay_ns(PULSE).await;
            self.set_ce(false)?;
            // Without auto-acknowledgement nothing is waited for: pulses follow one another until the FIFO is empty.
            if self.auto_ack && self.outcome().await? & status::MAX_RT != 0 {
                self.write(Register::Status, status::MAX_RT).await?;
                return Ok(false);
            }
        }
        self.write(Register::Status, status::TX_DS).await?;
        Ok(true)
    }

    /// STATUS, once TX_DS or MAX_RT is set.
    async fn outcome(&mut self) -> Result<u8, Error> {
        loop {
            self.delay.delay_ns(POLL).await;
            let (status, _retransmissions) = self.read(Register::ObserveTx).await?;
            if status & (status::TX_DS | status::MAX_RT) != 0 {
                return Ok(status);
            }
        }
    }

    /// Throws the TX FIFO away.
    pub(super) async fn flush_output(&mut self) -> Result<(), Error> {
        self.command(command::FLUSH_TX).await
    }

    /// Tells if a payload waits in the RX FIFO.
    pub(super) async fn data_available(&mut self) -> Result<bool, Error> {
        Ok(self.read(Register::FifoStatus).await?.1 & fifo_status::RX_EMPTY == 0)
    }

    /// CE low, so that the radio is deaf until all payloads are read; CE is up again after [`end_reading`](Self::end_reading).
    pub(super) fn begin_reading(&mut self) -> Result<(), Error> {
        self.set_ce(false)
    }

    /// The next payload of the RX FIFO, if there is one; its octets. Those of no octets are passed over by asking again.
    pub(super) async fn read_one(&mut self, payload: &mut [u8; PAYLOAD_MAX]) -> Result<Option<usize>, Error> {
        if !self.data_available().await? {
            return Ok(None);
        }
        let mut width = [command::R_RX_PL_WID, 0];
        self.transfer(&mut width).await?;
        let len = usize::from(width[1]);
        if len > PAYLOAD_MAX {
            return Err(Error::Width(width[1]));
        }
        if len > 0 {
            let mut octets = [command::R_RX_PAYLOAD; 1 + PAYLOAD_MAX];
            self.transfer(&mut octets[..=len]).await?;
            payload[..len].copy_from_slice(&octets[1..=len]);
        }
        Ok(Some(len))
    }

    /// Clears RX_DR and lets the radio listen again.
    pub(super) async fn end_reading(&mut self) -> Result<(), Error> {
        self.write(Register::Status, status::RX_DR).await?;
        self.set_ce(true)
    }

    async fn tx_is_empty(&mut self) -> Result<bool, Error> {
        Ok(self.read(Register::FifoStatus).await?.1 & fifo_status::TX_EMPTY != 0)
    }

    /// STATUS and a register.
    async fn read(&mut self, register: Register) -> Result<(u8, u8), Error> {
        let mut octets = [command::R_REGISTER | register.address(), 0];
        self.transfer(&mut octets).await?;
        Ok((octets[0], octets[1]))
    }

    async fn write(&mut self, register: Register, value: u8) -> Result<(), Error> {
        self.transfer(&mut [command::W_REGISTER | register.address(), value]).await
    }

    async fn write_address(&mut self, register: Register, address: &[u8]) -> Result<(), Error> {
        let mut octets = [command::W_REGISTER | register.address(); 6];
        octets[1..=address.len()].copy_from_slice(address);
        self.transfer(&mut octets[..=address.len()]).await
    }

    async fn command(&mut self, command: u8) -> Result<(), Error> {
        self.transfer(&mut [command]).await
    }

    async fn transfer(&mut self, octets: &mut [u8]) -> Result<(), Error> {
        Ok(self.spi.transfer_in_place(octets).await.map_err(bus)?)
    }

    fn set_ce(&mut self, high: bool) -> Result<(), Error> {
        Ok(self.ce.set_state(high.into()).map_err(pin)?)
    }
}

/// CONFIG without PWR_UP: the interrupts of the other role are masked.
fn base_config(crc: Crc, receiver: bool) -> u8 {
    let check = match crc {
        Crc::None => 0,
        Crc::One => config::EN_CRC,
        Crc::Two => config::EN_CRC | config::CRCO,
    };
    let role = match receiver {
        true => config::MASK_TX_DS | config::MASK_MAX_RT | config::PRIM_RX,
        false => config::MASK_RX_DR,
    };
    check | role
}

fn rate_bits(rate: Rate) -> u8 {
    match rate {
        Rate::K250 => rf_setup::RF_DR_LOW,
        Rate::M1 => 0,
        Rate::M2 => rf_setup::RF_DR_HIGH,
    }
}
