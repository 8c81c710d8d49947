//! Errors between a host and its chip.

use core::fmt;

use embedded_hal::{digital, spi};

use crate::wire::Register;

/// Reason that a call of the driver failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The SPI bus failed.
    Bus(spi::ErrorKind),
    /// A pin failed.
    Pin(digital::ErrorKind),
    /// No chip answers: what was written does not come back, before the power-on reset is over and after it.
    NoChip,
    /// A register does not hold what was written: not an nRF24L01+, or bad wires.
    Register {
        /// Register that did not take the value.
        register: Register,
        /// Value that was written.
        wrote: u8,
        /// Value that was read back.
        read: u8,
    },
    /// Setting of the configuration that is out of range.
    Setting(Setting),
}

/// A value of the [configuration](super::Config). Not its name as text, so that an [`Error`] fits into a machine word: every
/// call of the driver returns one or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Setting `channel` of the configuration.
    Channel,
    /// Setting `address_width` of the configuration.
    AddressWidth,
    /// Setting `ard` of the configuration.
    Ard,
    /// Setting `arc` of the configuration.
    Arc,
    /// Setting `power` of the configuration.
    Power,
    /// Setting `crc` of the configuration.
    Crc,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Channel => "channel",
            Self::AddressWidth => "address_width",
            Self::Ard => "ard",
            Self::Arc => "arc",
            Self::Power => "power",
            Self::Crc => "crc",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(kind) => write!(f, "SPI failed: {kind}"),
            Self::Pin(kind) => write!(f, "a pin failed: {kind}"),
            Self::NoChip => f.write_str("no nRF24L01+ answers: check its supply, CSN and the four wires of SPI"),
            Self::Register { register, wrote, read } => write!(
                f,
                "{register:?} holds {read:#04x} after {wrote:#04x} was written: not an nRF24L01+, or SPI is too fast for its wires"
            ),
            Self::Setting(setting) => write!(f, "{setting} is out of range"),
        }
    }
}

impl core::error::Error for Error {}

/// An error of the bus, whatever its type.
pub(crate) fn bus(error: impl spi::Error) -> Error {
    Error::Bus(error.kind())
}

/// An error of a pin, whatever its type.
pub(crate) fn pin(error: impl digital::Error) -> Error {
    Error::Pin(error.kind())
}
