//! Levels of a signal at a receiver, and the bits that arrive wrong with them.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// Level of a signal in dBm: power, on a scale of decibels above a milliwatt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub i16);

impl Level {
    /// Weakest and strongest level that has a meaning here: below the noise of any receiver, and where receivers are overdriven.
    const RANGE: core::ops::RangeInclusive<i16> = -130..=10;

    /// Ratio of this level to another one, in power.
    pub fn above(self, other: Self) -> f64 {
        libm::pow(10.0, f64::from(self.0 - other.0) / 10.0)
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().strip_suffix("dBm").map(str::trim_end).and_then(|number| number.parse().ok());
        let level = number.filter(|level| Self::RANGE.contains(level));
        level.map(Self).ok_or_else(|| {
            let (least, most) = (Self::RANGE.start(), Self::RANGE.end());
            format!("`{text}` is no whole number of dBm from {least}dBm to {most}dBm")
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}dBm", self.0)
    }
}

/// Share of wrong bits at the sensitivity of a receiver of Bluetooth LE or of the nRF24L01+. Core 6.0, Vol 6, Part A, 4.1; nRF24L01+
/// Product Specification 1.0, 5.4.
const AT_SENSITIVITY: f64 = 1e-3;

/// Share of wrong bits that a receiver of frequency-shift keying gets at `level`, when it gets one of a thousand at `sensitivity`.
///
/// That of non-coherent detection in white noise, ½ · e^(−γ/2) with γ = E_b/N_0 (J. Proakis, Digital Communications, 4th edition, 5.4-47),
/// where γ at the sensitivity is what one of a thousand needs: the noise of the receiver, and how far it is from the textbook's, are in
/// that. *Assumed* for the Gaussian filter, whose phases lie closer: it moves γ, which the sensitivity has, and hardly the slope. The data
/// sheet of the nRF54L15 has 1 of 1,000 at −96 dBm and 1 of 10,000 at −95 dBm, rounded to a decibel; the curve needs 1.37 dB.
pub fn fsk_bit_errors(level: Level, sensitivity: Level) -> f64 {
    0.5 * libm::pow(2.0 * AT_SENSITIVITY, level.above(sensitivity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for text in ["-96dBm", "0dBm", "10dBm", "-130dBm"] {
            assert_eq!(text.parse::<Level>().map(|level| level.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("-96 dBm".parse(), Ok(Level(-96)));
        for text in ["-96", "dBm", "-131dBm", "11dBm", "-96.5dBm", "-96dB"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn wrong_bits_fall_steeply_above_the_sensitivity() {
        let errors = |above: i16| fsk_bit_errors(Level(-96 + above), Level(-96));
        assert!((errors(0) / 1e-3 - 1.0).abs() < 1e-9, "{}", errors(0));
        // ½ · 0.002^1.2589 = 2.0e-4: between the 1e-4 that the nRF54L15 is said to have one decibel above and its rounding.
        assert!((errors(1) / 2.0e-4 - 1.0).abs() < 0.01, "{}", errors(1));
        assert!((0.5e-4..2.5e-4).contains(&errors(1)), "{}", errors(1));
        // Twice the power squares the share: ½ · 0.002².
        assert!((errors(3) / 2.06e-6 - 1.0).abs() < 0.02, "{}", errors(3));
        assert!(errors(10) < 1e-26 && errors(-30) > 0.49, "{} {}", errors(10), errors(-30));
    }
}
