//! `begin()` and the setters that a program calls behind it.

use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::config::{Config, Length};
use super::radio::Rf24;
use crate::air::{Crc, Rate};
use crate::driver::Error;
use crate::wire::command;
use crate::wire::register::{Register, config, feature, rf_setup, setup_retr, status};

/// `delay(5)` of `begin()`, and `RF24_POWERUP_DELAY`, in µs.
const POWER_UP_US: u32 = 5_000;

/// All six pipes.
const ALL_PIPES: u8 = 0x3F;

/// The static lengths of the six pipes.
const WIDTHS: [Register; 6] =
    [Register::RxPwP0, Register::RxPwP1, Register::RxPwP2, Register::RxPwP3, Register::RxPwP4, Register::RxPwP5];

impl<SPI: SpiDevice, CE: OutputPin, DELAY: DelayNs> Rf24<SPI, CE, DELAY> {
    /// `begin()`, the setters of its settings, `openWritingPipe()` and `openReadingPipe(1)`: the radio stands by as a transmitter.
    ///
    /// # Errors
    /// When the bus or the pin fails.
    pub async fn begin(&mut self) -> Result<(), Error> {
        self.set_ce(false)?;
        self.delay.delay_us(POWER_UP_US).await;
        let settings = self.settings;
        for (register, value) in registers(&settings) {
            self.write_register(register, value).await?;
        }
        for register in WIDTHS {
            self.write_register(register, settings.payload_size).await?;
        }
        self.write_address(Register::RxAddrP1, settings.listens_at).await?;
        for register in [Register::RxAddrP0, Register::TxAddr] {
            self.write_address(register, settings.writes_to).await?;
        }
        self.command(command::FLUSH_RX).await?;
        self.command(command::FLUSH_TX).await?;
        // Nothing is reported on IRQ: the driver polls.
        let check = match settings.crc {
            Crc::None => 0,
            Crc::One => config::EN_CRC,
            Crc::Two => config::EN_CRC | config::CRCO,
        };
        self.config = check | config::MASK_RX_DR | config::MASK_TX_DS | config::MASK_MAX_RT;
        self.write_register(Register::Config, self.config).await?;
        self.config |= config::PWR_UP;
        self.write_register(Register::Config, self.config).await?;
        self.delay.delay_us(POWER_UP_US).await;
        Ok(())
    }
}

/// Registers of one octet but CONFIG and the static lengths. `setAutoAck(false)` leaves SETUP_RETR and DYNPD as they are.
fn registers(settings: &Config) -> [(Register, u8); 9] {
    let dynamic = settings.length == Length::Dynamic;
    [
        (Register::SetupRetr, settings.ard << setup_retr::ARD_SHIFT | settings.arc),
        (Register::RfSetup, rate_bits(settings.rate) | settings.power << rf_setup::RF_PWR_SHIFT),
        (Register::Feature, if dynamic { feature::EN_DPL } else { 0 }),
        (Register::DynPd, if dynamic { ALL_PIPES } else { 0 }),
        (Register::EnAa, if settings.auto_ack { ALL_PIPES } else { 0 }),
        (Register::EnRxAddr, 0b11),
        (Register::SetupAw, settings.address_width - 2),
        (Register::RfCh, settings.channel),
        (Register::Status, status::INTERRUPTS),
    ]
}

const fn rate_bits(rate: Rate) -> u8 {
    match rate {
        Rate::K250 => rf_setup::RF_DR_LOW,
        Rate::M1 => 0,
        Rate::M2 => rf_setup::RF_DR_HIGH,
    }
}
