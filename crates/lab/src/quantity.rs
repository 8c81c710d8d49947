//! Values with a unit as numbers: in a spreadsheet and in a column of numbers the unit belongs to the name.

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Frequency, Size};

use crate::schema::{self, Kind};

/// Quantity that the values of a key are of: looked up once for a column, however many cells it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time, in ms.
    Span,
    /// Rate, in 10³ bit/s.
    Rate,
    /// Size, in octets.
    Size,
    /// Frequency of a clock, in Hz.
    Clock,
    /// A number without a unit, or a word for none.
    Count,
    /// Numbers of this unit, with the ending of the column's name.
    Unit(&'static str, &'static str),
    /// Word, which is no quantity.
    Word,
}

impl Quantity {
    /// That of a key.
    pub fn of(key: &str) -> Self {
        match schema::find(key).map(|key| key.kind) {
            Some(Kind::Span(..) | Kind::SpanOrNone(..)) => Self::Span,
            Some(Kind::Rate) => Self::Rate,
            Some(Kind::Size(..)) => Self::Size,
            Some(Kind::Clock(..)) => Self::Clock,
            Some(Kind::CountOrNone(..)) => Self::Count,
            Some(Kind::Choice(words)) => unit_of(words).map_or(Self::Word, |(unit, ending)| Self::Unit(unit, ending)),
            _ => Self::Word,
        }
    }

    /// The number that `text` is in the column's unit; none of a word.
    pub fn number(self, text: &str) -> Option<f64> {
        match self {
            Self::Span => text.parse().ok().map(Duration::as_millis_f64),
            Self::Rate => text.parse().ok().map(Bitrate::kbps),
            Self::Size => text.parse().ok().map(|size: Size| size.0 as f64),
            Self::Clock => text.parse().ok().map(|clock: Frequency| clock.0 as f64),
            Self::Unit(unit, _) => text.strip_suffix(unit).and_then(|number| number.parse().ok()),
            Self::Count | Self::Word => None,
        }
    }

    /// Unit of a column, as its name ends; empty where it has none.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Span => "_ms",
            Self::Rate => "_kbps",
            Self::Size => "_octets",
            Self::Clock => "_hz",
            Self::Unit(_, ending) => ending,
            Self::Count | Self::Word => "",
        }
    }
}

/// Unit that all of these words are numbers of, and the ending of a column's name for it.
fn unit_of(words: &[&str]) -> Option<(&'static str, &'static str)> {
    const UNITS: [(&str, &str); 6] =
        [("GHz", "_ghz"), ("MHz", "_mhz"), ("dBm", "_dbm"), ("ns", "_ns"), ("us", "_us"), ("ms", "_ms")];
    let is_number = |word: &&str, unit: &str| word.strip_suffix(unit).is_some_and(|n| n.parse::<f64>().is_ok());
    UNITS.into_iter().find(|(unit, _)| words.iter().all(|word| is_number(word, unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_number_of_the_unit_that_its_column_ends_in() {
        let of = |key: &str, text: &str| (Quantity::of(key).ending(), Quantity::of(key).number(text));
        assert_eq!(of("ble.conn_interval", "11.25ms"), ("_ms", Some(11.25)));
        assert_eq!(of("nrf24.power", "-6dBm"), ("_dbm", Some(-6.0)));
        assert_eq!(of("ble.phy", "2M"), ("", None));
        assert_eq!(of("ble.conn_interval", "none"), ("_ms", None));
    }
}
