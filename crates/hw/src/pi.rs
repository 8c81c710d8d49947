//! A board of Linux: `spidev` and two lines of the GPIO character device.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gpiocdev::Request;
use gpiocdev::line::{EdgeDetection, Value};
use spidev::{SpiModeFlags, Spidev, SpidevOptions, SpidevTransfer};
use thiserror::Error;

use super::board::Board;

/// Consumer of the lines, as gpioinfo(1) shows it.
const CONSUMER: &str = "airtime";

/// A line of a GPIO chip: `gpiochip0:25`, `/dev/gpiochip4:25` or `0:25`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The chip's device.
    pub chip: PathBuf,
    /// The line's offset on it.
    pub offset: u32,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.chip.display(), self.offset)
    }
}

impl FromStr for Line {
    type Err = PiError;

    fn from_str(text: &str) -> Result<Self, PiError> {
        let bad = || PiError::Line(text.to_owned());
        let (chip, offset) = text.rsplit_once(':').ok_or_else(bad)?;
        let offset = offset.parse().map_err(|_| bad())?;
        let chip = match chip {
            "" => return Err(bad()),
            number if number.bytes().all(|octet| octet.is_ascii_digit()) => format!("/dev/gpiochip{number}"),
            path if path.starts_with('/') => path.to_owned(),
            name => format!("/dev/{name}"),
        };
        Ok(Self { chip: chip.into(), offset })
    }
}

/// Configuration of one radio: its SPI device and its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PiConfig {
    /// The bus with its chip select: `/dev/spidev0.0`.
    pub spi: PathBuf,
    /// SPI clock in Hz.
    pub spi_hz: u32,
    /// CE.
    pub ce: Line,
    /// IRQ.
    pub irq: Line,
}

/// Reason that a radio could not be reached.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PiError {
    /// No line of a chip.
    #[error("`{0}` is no line of a GPIO chip: expected CHIP:LINE such as gpiochip0:25")]
    Line(String),
    /// The bus.
    #[error("cannot use `{}`: {source} (is SPI enabled? dtparam=spi=on in config.txt)", path.display())]
    Spi {
        /// Path of the device.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A line.
    #[error("cannot use line {line} for {what}: {source}")]
    Gpio {
        /// CE or IRQ.
        what: &'static str,
        /// Line that could not be had.
        line: Line,
        /// Error of the system.
        source: Box<gpiocdev::Error>,
    },
}

/// One radio on a machine with SPI and GPIO.
#[derive(Debug)]
pub struct Pi {
    spi: Spidev,
    ce: Request,
    irq: Request,
}

impl Pi {
    /// Opens the bus and the lines; CE is low.
    ///
    /// # Errors
    /// When one of them is not there, or is somebody else's.
    pub fn open(config: &PiConfig) -> Result<Self, PiError> {
        let spi =
            bus(&config.spi, config.spi_hz).map_err(|source| PiError::Spi { path: config.spi.clone(), source })?;
        let line = |what: &'static str, line: &Line, set: fn(&mut gpiocdev::request::Builder)| {
            let mut builder = Request::builder();
            builder.with_consumer(CONSUMER).on_chip(&line.chip).with_line(line.offset);
            set(&mut builder);
            builder.request().map_err(|source| PiError::Gpio { what, line: line.clone(), source: Box::new(source) })
        };
        let ce = line("CE", &config.ce, |builder| {
            builder.as_output(Value::Inactive);
        })?;
        let irq = line("IRQ", &config.irq, |builder| {
            builder.as_input().with_edge_detection(EdgeDetection::BothEdges);
        })?;
        Ok(Self { spi, ce, irq })
    }
}

/// Mode 0, most significant bit first. nRF24L01+ Product Specification 1.0, 8.3.
fn bus(path: &Path, hz: u32) -> io::Result<Spidev> {
    let mut spi = Spidev::open(path)?;
    let options = SpidevOptions::new().bits_per_word(8).max_speed_hz(hz).mode(SpiModeFlags::SPI_MODE_0).build();
    spi.configure(&options)?;
    Ok(spi)
}

impl Board for Pi {
    fn transfer(&self, octets: &mut [u8]) -> io::Result<()> {
        self.spi.transfer(&mut SpidevTransfer::read_write_in_place(octets))
    }

    fn set_ce(&self, high: bool) -> io::Result<()> {
        let value = if high { Value::Active } else { Value::Inactive };
        self.ce.set_lone_value(value).map_err(io::Error::other)
    }

    fn irq_is_low(&self) -> io::Result<bool> {
        Ok(self.irq.lone_value().map_err(io::Error::other)? == Value::Inactive)
    }

    fn edges(&self) -> BorrowedFd<'_> {
        self.irq.as_fd()
    }

    fn forget_edges(&self) -> io::Result<()> {
        while self.irq.has_edge_event().map_err(io::Error::other)? {
            self.irq.read_edge_event().map_err(io::Error::other)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_in_three_ways() {
        for (text, chip, offset) in [
            ("gpiochip0:25", "/dev/gpiochip0", 25),
            ("4:7", "/dev/gpiochip4", 7),
            ("/dev/by-name/header:0", "/dev/by-name/header", 0),
        ] {
            assert_eq!(text.parse::<Line>().unwrap(), Line { chip: chip.into(), offset });
        }
        for text in ["25", ":25", "gpiochip0:", "gpiochip0:GPIO25", "gpiochip0:-1", ""] {
            assert!(matches!(text.parse::<Line>(), Err(PiError::Line(_))), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let line = Line { chip: "/nowhere/gpiochip0".into(), offset: 25 };
        let config = PiConfig { spi: "/nowhere/spidev0.0".into(), spi_hz: 8_000_000, ce: line.clone(), irq: line };
        let error = Pi::open(&config).unwrap_err().to_string();
        assert!(error.contains("/nowhere/spidev0.0") && error.contains("dtparam=spi=on"), "{error}");
    }
}
