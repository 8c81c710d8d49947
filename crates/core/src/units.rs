//! Rates and sizes as text and as integers: one reader for plans, `--set`, addresses and firmware.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

/// Reason a quantity could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitError {
    /// The number in front of the unit is missing, malformed, negative or too large.
    Number {
        /// The quantity as it was written.
        text: String,
        /// Form that would have been accepted.
        expected: &'static str,
    },
    /// The unit is missing or unknown.
    Unit {
        /// The quantity as it was written.
        text: String,
        /// The unit that was found behind the number, perhaps empty.
        unit: String,
        /// Units that would have been accepted.
        expected: &'static str,
    },
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { text, expected } => write!(f, "`{text}` is not a number with a unit; expected {expected}"),
            Self::Unit { text, unit, expected } if unit.is_empty() => {
                write!(f, "`{text}` has no unit; expected {expected}")
            }
            Self::Unit { text, unit, expected } => {
                write!(f, "`{unit}` in `{text}` is not a known unit; expected {expected}")
            }
        }
    }
}

impl core::error::Error for UnitError {}

/// Reader of decimal numbers with a unit, exact to the base unit.
pub(crate) struct Quantity;

impl Quantity {
    /// Reads `text` as a decimal number followed by one of `units`; returns base units.
    ///
    /// # Errors
    /// When the number is malformed or does not come out as a whole number of base units that
    /// fits 63 bits, or when the unit is not in `units`.
    pub(crate) fn parse(text: &str, units: &[(&str, u64)], expected: &'static str) -> Result<u64, UnitError> {
        let trimmed = text.trim();
        let split = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(trimmed.len());
        let (number, unit) = (&trimmed[..split], trimmed[split..].trim());
        let bad_number = || UnitError::Number { text: text.to_string(), expected };
        let scale = match units.iter().find(|(name, _)| *name == unit) {
            Some((_, scale)) => *scale,
            None if unit.is_empty() && number == "0" => 1,
            None if number.is_empty() => return Err(bad_number()),
            None => return Err(UnitError::Unit { text: text.to_string(), unit: unit.to_string(), expected }),
        };
        decimal(number, scale).ok_or_else(bad_number)
    }
}

/// `number × scale` in integers, or nothing when malformed, too large or not whole.
fn decimal(number: &str, scale: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > 12 {
        return None;
    }
    let mut digits: u128 = 0;
    for byte in whole.bytes().chain(fraction.bytes()).filter(|b| *b != b'_') {
        if !byte.is_ascii_digit() {
            return None;
        }
        digits = digits.checked_mul(10)?.checked_add(u128::from(byte - b'0'))?;
    }
    let scaled = digits.checked_mul(u128::from(scale))?;
    let divisor = 10u128.pow(fraction.len() as u32);
    if scaled % divisor != 0 {
        return None;
    }
    u64::try_from(scaled / divisor).ok().filter(|v| *v <= i64::MAX as u64)
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $units:ident, $others:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
        pub struct $name(pub u64);

        impl FromStr for $name {
            type Err = UnitError;
            fn from_str(text: &str) -> Result<Self, UnitError> {
                let known = Quantity::parse(text, $units, $expected);
                known.or_else(|error| Quantity::parse(text, $others, $expected).map_err(|_| error)).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (unit, size) = $units
                    .iter()
                    .rev()
                    .find(|(_, size)| self.0 >= *size && self.0 % *size == 0)
                    .unwrap_or(&$units[0]);
                write!(f, "{}{unit}", self.0 / size)
            }
        }
    };
}

const RATE_UNITS: &[(&str, u64)] = &[("bps", 1), ("kbps", 1_000), ("Mbps", 1_000_000), ("Gbps", 1_000_000_000)];
/// The same rates as other publications write them; never printed.
const OTHER_RATE_UNITS: &[(&str, u64)] =
    &[("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)];
const SIZE_UNITS: &[(&str, u64)] = &[("B", 1), ("kB", 1_000), ("MB", 1_000_000)];
const CLOCK_UNITS: &[(&str, u64)] = &[("Hz", 1), ("kHz", 1_000), ("MHz", 1_000_000), ("GHz", 1_000_000_000)];

quantity!(
    /// A rate in bits per second; `kbps` is 10³ bit/s.
    Bitrate, RATE_UNITS, OTHER_RATE_UNITS, "a rate such as \"400kbps\" or \"15Mbps\", in bps, kbps, Mbps, Gbps or the same as bit/s"
);
quantity!(
    /// A size in octets; `kB` is 10³ octets.
    Size, SIZE_UNITS, &[], "a size such as \"492B\", \"16kB\" or \"1.2MB\""
);
quantity!(
    /// A clock in hertz.
    Frequency, CLOCK_UNITS, &[], "a clock such as \"10MHz\""
);

impl Bitrate {
    /// The rate of `octets` delivered in `span`, rounded down to 1 bit/s; zero for an empty span.
    pub fn of(octets: u64, span: crate::Duration) -> Self {
        match span.as_nanos() {
            0 => Self(0),
            ns => Self((u128::from(octets) * 8 * 1_000_000_000 / u128::from(ns)) as u64),
        }
    }

    /// The rate in 10³ bit/s, for reports only.
    pub fn kbps(self) -> f64 {
        self.0 as f64 / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Duration;

    #[test]
    fn quantities_read_and_write() {
        assert_eq!("1.2MB".parse::<Size>().unwrap(), Size(1_200_000));
        assert_eq!("400kbps".parse::<Bitrate>().unwrap().to_string(), "400kbps");
        assert_eq!("15 Mbit/s".parse::<Bitrate>().unwrap().to_string(), "15Mbps");
        assert_eq!(
            "15M".parse::<Bitrate>().unwrap_err().to_string(),
            "`M` in `15M` is not a known unit; expected a rate such as \"400kbps\" or \"15Mbps\", in bps, kbps, Mbps, Gbps or the \
             same as bit/s"
        );
        assert_eq!("10MHz".parse::<Frequency>().unwrap(), Frequency(10_000_000));
        assert!("0.3B".parse::<Size>().is_err(), "a third of an octet");
    }

    #[test]
    fn rate_of_a_span() {
        assert_eq!(Bitrate::of(984, Duration::from_millis(15)), Bitrate(524_800));
        assert_eq!(Bitrate::of(1, Duration::ZERO), Bitrate(0));
    }
}
