//! Errors that end a thread of the published program.

use core::fmt;

use crate::driver;

/// Reason that a thread ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bus or a pin failed, or no chip is there.
    Radio(driver::Error),
    /// The published program ends in a panic here: the TX FIFO has no room for a payload.
    TxFull,
    /// The published program ends in a panic here: the chip says that a payload is of so many octets, more than 32.
    Width(u8),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radio(error) => error.fmt(f),
            Self::TxFull => f.write_str(
                "the TX FIFO has no room for a payload, where the published program panics: if nobody else has the chip, look at its wires",
            ),
            Self::Width(octets) => {
                write!(f, "the chip says that a payload has {octets} octets, where the published program panics: look at its wires")
            }
        }
    }
}

impl core::error::Error for Error {}

impl From<driver::Error> for Error {
    fn from(error: driver::Error) -> Self {
        Self::Radio(error)
    }
}
