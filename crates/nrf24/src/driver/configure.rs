//! The registers of a configuration, written and read back.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::config::{Config, Role};
use super::error::{self, Error};
use super::fifo::Fifo;
use super::radio::Radio;
use super::stay::Stay;
use crate::air::{Crc, PAYLOAD_MAX, Rate, T_POR};
use crate::wire::Register;
use crate::wire::command;
use crate::wire::register::{config, feature, rf_setup, status};

/// From PWR_UP to the first CE, in µs: the start-up of the slowest crystal (90 mH, 4.5 ms; Table 16, `Tpd2stby`) and some.
const POWER_UP_US: u32 = 5_000;

/// Dynamic length, ACK payloads and NO_ACK by frame: they cost nothing where they are not used.
const FEATURES: u8 = feature::EN_DPL | feature::EN_ACK_PAY | feature::EN_DYN_ACK;

/// Number of times that a chip is asked that may still be in its power-on reset.
const ATTEMPTS: u32 = 11;

impl<SPI: SpiDevice, CE: OutputPin, IRQ, DELAY: DelayNs> Radio<SPI, CE, IRQ, DELAY> {
    /// Sets the chip up from power down, whatever it was before, and leaves it in Standby-I; every register is read back.
    /// Takes about 5 ms, and 100 ms more at most while the chip is in its power-on reset.
    ///
    /// # Errors
    /// [`Error::Setting`] before anything is written; [`Error::NoChip`] and [`Error::Register`] when the chip does not hold what was
    /// written; when the bus or a pin fails.
    pub async fn configure(&mut self, config: &Config, role: Role) -> Result<(), Error> {
        config.check()?;
        self.stop()?;
        self.fixed = (!config.auto_ack).then_some(PAYLOAD_MAX as u8);
        self.find().await?;
        for (register, value) in registers(config, role) {
            self.set(register, value).await?;
        }
        for register in [Register::RxAddrP0, Register::TxAddr] {
            self.set_address(register, &config.address[..usize::from(config.address_width)]).await?;
        }
        self.command(command::FLUSH_TX).await?;
        self.command(command::FLUSH_RX).await?;
        self.write_register(Register::Status, status::RX_DR | status::TX_DS | status::MAX_RT).await?;
        self.fifo = Fifo::default();
        self.stay = Stay::new(config.framing(), config.pll_break && role == Role::Transmitter);
        self.set(Register::Config, config_octet(config, role) | config::PWR_UP).await?;
        self.delay.delay_us(POWER_UP_US).await;
        Ok(())
    }

    /// Waits until the chip holds what is written to it: power down, with the check that a chip has after its reset. 100 ms at
    /// most, which is a power-on reset.
    ///
    /// # Errors
    /// [`Error::NoChip`] when it does not; when the bus fails.
    pub async fn find(&mut self) -> Result<(), Error> {
        for attempt in 0..ATTEMPTS {
            // Two values, so that neither a line that floats nor one that is stuck is taken for a chip.
            let mut holds = true;
            for value in [config::EN_CRC | config::CRCO, config::EN_CRC] {
                self.write_register(Register::Config, value).await?;
                holds &= self.read_register(Register::Config).await? == value;
            }
            if holds {
                return Ok(());
            }
            if attempt + 1 < ATTEMPTS {
                self.delay.delay_us((T_POR.as_micros() / u64::from(ATTEMPTS - 1)) as u32).await;
            }
        }
        Err(Error::NoChip)
    }

    async fn set(&mut self, register: Register, wrote: u8) -> Result<(), Error> {
        self.write_register(register, wrote).await?;
        let read = self.read_register(register).await?;
        if read == wrote { Ok(()) } else { Err(Error::Register { register, wrote, read }) }
    }

    async fn set_address(&mut self, register: Register, address: &[u8]) -> Result<(), Error> {
        let mut octets = [0; 6];
        let octets = &mut octets[..=address.len()];
        octets[0] = command::W_REGISTER | register.address();
        octets[1..].copy_from_slice(address);
        self.transact(octets).await?;
        octets.fill(0);
        octets[0] = command::R_REGISTER | register.address();
        self.transact(octets).await?;
        match octets[1..].iter().zip(address).find(|(read, wrote)| read != wrote) {
            Some((&read, &wrote)) => Err(Error::Register { register, wrote, read }),
            None => Ok(()),
        }
    }

    /// The chip out of power down, its crystal started; it keeps its registers. Takes about 5 ms.
    ///
    /// # Errors
    /// When the bus fails, or the chip does not hold what was written.
    pub async fn power_up(&mut self) -> Result<(), Error> {
        let octet = self.read_register(Register::Config).await?;
        self.set(Register::Config, octet | config::PWR_UP).await?;
        self.delay.delay_us(POWER_UP_US).await;
        Ok(())
    }

    /// CE low and the chip in power down: it keeps its registers and draws next to nothing.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn power_down(&mut self) -> Result<(), Error> {
        self.runs = false;
        self.ce.set_low().map_err(error::pin)?;
        let octet = self.read_register(Register::Config).await?;
        self.set(Register::Config, octet & !config::PWR_UP).await
    }
}

/// Every register but CONFIG and the addresses, in the order they are written. Pipe 0 only: an acknowledgement comes back
/// on the address its frame went to (7.7), and a receiver of ours has one peer.
fn registers(config: &Config, role: Role) -> [(Register, u8); 10] {
    let enhanced = u8::from(config.auto_ack);
    let retransmissions = if config.auto_ack { config.ard << 4 | config.arc } else { 0 };
    [
        (Register::Config, config_octet(config, role)),
        (Register::EnAa, enhanced),
        (Register::EnRxAddr, 1),
        (Register::SetupAw, config.address_width - 2),
        (Register::SetupRetr, retransmissions),
        (Register::RfCh, config.channel),
        (Register::RfSetup, rate_bits(config.rate) | config.power << 1),
        (Register::Feature, if config.auto_ack { FEATURES } else { 0 }),
        (Register::DynPd, enhanced),
        (Register::RxPwP0, if config.auto_ack { 0 } else { PAYLOAD_MAX as u8 }),
    ]
}

fn config_octet(config: &Config, role: Role) -> u8 {
    let crc = match config.crc {
        Crc::None => 0,
        Crc::One => config::EN_CRC,
        Crc::Two => config::EN_CRC | config::CRCO,
    };
    crc | if role == Role::Receiver { config::PRIM_RX } else { 0 }
}

/// RF_DR_LOW and RF_DR_HIGH. Table 28, RF_SETUP.
const fn rate_bits(rate: Rate) -> u8 {
    match rate {
        Rate::K250 => rf_setup::RF_DR_LOW,
        Rate::M1 => 0x00,
        Rate::M2 => rf_setup::RF_DR_HIGH,
    }
}
