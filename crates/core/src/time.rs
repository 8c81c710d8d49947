//! Virtual time: unsigned nanoseconds since the start of a run.
//!
//! `core::time` is not used for protocol time: these two types are `Copy`, eight bytes, and their
//! arithmetic panics on overflow instead of wrapping, in every build.

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Rem, Sub, SubAssign};
use core::str::FromStr;

use crate::units::{Quantity, UnitError};

/// A point in virtual time, in nanoseconds since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Instant(u64);

/// A span of virtual time in nanoseconds; at most 584 years.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Duration(u64);

impl Instant {
    /// The start of a run, from which instants count.
    pub const ZERO: Self = Self(0);
    /// Later than any event of a run; used as "never" in agendas.
    pub const FAR_FUTURE: Self = Self(u64::MAX);

    /// The instant `ns` nanoseconds after the start of the run.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the start of the run.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Time since `earlier`, or zero when `earlier` is later.
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// This instant moved back by `by`, but not before the start of the run.
    pub const fn saturating_back(self, by: Duration) -> Self {
        Self(self.0.saturating_sub(by.0))
    }
}

impl Duration {
    /// The empty span of time.
    pub const ZERO: Self = Self(0);
    /// The longest span of time: 584 years of nanoseconds.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of `ns` nanoseconds.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// A span of `us` microseconds.
    pub const fn from_micros(us: u64) -> Self {
        Self(us * 1_000)
    }

    /// A span of `ms` milliseconds.
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }

    /// A span of `s` seconds.
    pub const fn from_secs(s: u64) -> Self {
        Self(s * 1_000_000_000)
    }

    /// The span in nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The span in whole microseconds, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// The span in seconds, for reports only.
    pub const fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The span in milliseconds, for reports only.
    pub const fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// True for the empty span.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// `self - other`, or zero when `other` is longer.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;
    fn add(self, rhs: Duration) -> Self {
        Self(self.0.checked_add(rhs.0).expect("virtual time overflows"))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;
    fn sub(self, rhs: Duration) -> Self {
        Self(self.0.checked_sub(rhs.0).expect("virtual time before the start of the run"))
    }
}

impl Sub for Instant {
    type Output = Duration;
    fn sub(self, rhs: Self) -> Duration {
        Duration(self.0.checked_sub(rhs.0).expect("the later instant comes first"))
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.checked_add(rhs.0).expect("a span overflows"))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self(self.0.checked_sub(rhs.0).expect("the longer span comes first"))
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    fn mul(self, rhs: u64) -> Self {
        Self(self.0.checked_mul(rhs).expect("a span overflows"))
    }
}

impl Div<u64> for Duration {
    type Output = Self;
    fn div(self, rhs: u64) -> Self {
        Self(self.0 / rhs)
    }
}

/// Number of whole times one span fits into another.
impl Div for Duration {
    type Output = u64;
    fn div(self, rhs: Self) -> u64 {
        self.0 / rhs.0
    }
}

impl Rem for Duration {
    type Output = Self;
    fn rem(self, rhs: Self) -> Self {
        Self(self.0 % rhs.0)
    }
}

impl core::iter::Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |a, b| a + b)
    }
}

/// The units a span may be written in, longest first, with their nanoseconds.
const SPAN_UNITS: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

impl FromStr for Duration {
    type Err = UnitError;

    /// Reads `"15ms"`, `"11.25ms"`, `"150us"`, `"60s"`, `"2min"`; a bare `"0"` is zero.
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Quantity::parse(text, SPAN_UNITS, "a time such as \"15ms\", \"150us\" or \"60s\"").map(Self)
    }
}

impl fmt::Display for Duration {
    /// Writes the largest unit that leaves at most three decimals: `15ms`, `11.25ms`, `52us`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, size) = match self.0 {
            0 => return f.write_str("0us"),
            ns if ns >= 1_000_000_000 && ns % 1_000_000 == 0 => ("s", 1_000_000_000),
            ns if ns >= 1_000_000 && ns % 1_000 == 0 => ("ms", 1_000_000),
            ns if ns >= 1_000 => ("us", 1_000),
            _ => ("ns", 1),
        };
        let (whole, rest) = (self.0 / size, self.0 % size);
        if rest == 0 {
            return write!(f, "{whole}{unit}");
        }
        let mut thousandths = rest * 1_000 / size;
        let mut places = 3;
        while thousandths % 10 == 0 && places > 1 {
            thousandths /= 10;
            places -= 1;
        }
        write!(f, "{whole}.{thousandths:0places$}{unit}")
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}s", self.0 / 1_000_000_000, self.0 % 1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn spans_read_and_write_the_same_text() {
        for text in ["15ms", "11.25ms", "7.5ms", "150us", "52us", "60s", "1.5s", "750ns", "0us"] {
            assert_eq!(text.parse::<Duration>().unwrap().to_string(), text);
        }
        assert_eq!("2min".parse::<Duration>().unwrap(), Duration::from_secs(120));
    }

    #[test]
    fn a_wrong_unit_says_what_is_allowed() {
        let error = "15 parsecs".parse::<Duration>().unwrap_err().to_string();
        assert!(error.contains("parsecs") && error.contains("15ms"), "{error}");
        assert!("15".parse::<Duration>().is_err(), "a bare number has no unit");
        assert!("-3ms".parse::<Duration>().is_err());
        assert!("1e30h".parse::<Duration>().is_err());
    }

    #[test]
    #[should_panic(expected = "later instant")]
    fn going_back_in_time_panics() {
        let _ = Instant::from_nanos(1) - Instant::from_nanos(2);
    }
}
