//! Values with a unit as numbers: in a spreadsheet the unit belongs to the column's name.

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Frequency, Size};
use airtime_lab::schema::{self, Kind};
use serde_json::Value;

use crate::cells;

/// Heading of the column of a key, with the unit of its values.
pub(crate) fn heading(prefix: &str, key: &str) -> String {
    format!("{prefix}.{key}{}", Quantity::of(key).ending())
}

/// Cell of a key's value: a number where values of its kind are; empty where it is none.
pub(crate) fn cell(key: &str, value: &Value) -> String {
    Quantity::of(key).cell(value)
}

/// Quantity that the values of a key are of: looked up once for a column, however many cells it has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    Span,
    Rate,
    Size,
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

    /// Cell of a value.
    pub fn cell(self, value: &Value) -> String {
        let Some(text) = value.as_str() else { return cells::value(value) };
        let number = match self {
            Self::Span => text.parse().ok().map(Duration::as_millis_f64),
            Self::Rate => text.parse().ok().map(Bitrate::kbps),
            Self::Size => text.parse().ok().map(|size: Size| size.0 as f64),
            Self::Clock => text.parse().ok().map(|clock: Frequency| clock.0 as f64),
            Self::Count => None,
            Self::Unit(unit, _) => text.strip_suffix(unit).and_then(|number| number.parse().ok()),
            Self::Word => return text.to_owned(),
        };
        number.map(|number| number.to_string()).unwrap_or_default()
    }

    /// Unit of a column, as its name ends.
    fn ending(self) -> &'static str {
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

/// Cell of a time with its unit, in milliseconds.
pub(crate) fn millis(text: &str) -> String {
    text.parse().map(|time: Duration| time.as_millis_f64().to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_go_to_the_name_of_the_column() {
        let of = |key: &str, value: Value| (heading("params", key), cell(key, &value));
        assert_eq!(of("ble.conn_interval", "11.25ms".into()), ("params.ble.conn_interval_ms".into(), "11.25".into()));
        assert_eq!(of("traffic.offered", "400kbps".into()), ("params.traffic.offered_kbps".into(), "400".into()));
        assert_eq!(of("traffic.write", "16kB".into()), ("params.traffic.write_octets".into(), "16000".into()));
        assert_eq!(of("nrf24.spi_clock", "10MHz".into()), ("params.nrf24.spi_clock_hz".into(), "10000000".into()));
        assert_eq!(of("coc.sdu", 492.into()), ("params.coc.sdu".into(), "492".into()));
        assert_eq!(of("wifi.width", "20MHz".into()), ("params.wifi.width_mhz".into(), "20".into()));
        assert_eq!(of("nrf24.power", "-6dBm".into()), ("params.nrf24.power_dbm".into(), "-6".into()));
        assert_eq!(of("ble.phy", "2M".into()), ("params.ble.phy".into(), "2M".into()));
        assert_eq!(of("wifi.rts_threshold", "none".into()).1, "", "no number is an empty cell");
        assert_eq!(millis("30ms"), "30");
    }
}
