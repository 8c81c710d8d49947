//! Settings of a test that are made while it runs: one line of text, from the air or from a board's own line.
//!
//! ```
//! use airtime_app::{Settings, SettingsError};
//!
//! let settings = Settings::parse(b"sdu=244 interval=7.5ms phy=1M direction=c2p in_flight=4", 492)?;
//! assert_eq!((settings.sdu, settings.in_flight), (Some(244), Some(4)));
//! assert_eq!(Settings::parse(b"sdu=493", 492), Err(SettingsError::Range { key: "sdu" }), "it has no room for more");
//! # Ok::<_, SettingsError>(())
//! ```

use core::fmt;

use airtime_core::Duration;

use crate::{CentralConfig, Direction, IntervalConfig, PeripheralConfig, Phy, StreamConfig};

/// Longest line of settings, in octets: all of them fit, and it fits a value of an ATT MTU that is 131.
pub const SETTINGS_MAX: usize = 128;

/// Settings: what is none stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    /// Octets of an SDU or value.
    pub sdu: Option<u16>,
    /// SDUs or values on their way per channel.
    pub in_flight: Option<u8>,
    /// Direction of the stream.
    pub direction: Option<Direction>,
    /// Connection interval that is asked for.
    pub interval: Option<Duration>,
    /// PHY that is asked for.
    pub phy: Option<Phy>,
}

/// Error of a line of settings, which changes nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// Nothing is set.
    Empty,
    /// More than [`SETTINGS_MAX`] octets.
    Long,
    /// Octets that are no text.
    Text,
    /// No key of this place, counted from 1, or no `=` behind it.
    Key {
        /// Place of the word in the line.
        place: u8,
    },
    /// A key twice.
    Twice {
        /// The key.
        key: &'static str,
    },
    /// A value that is none of the key's, or that there is no room for.
    Range {
        /// The key.
        key: &'static str,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("nothing is set; say such as sdu=244 interval=15ms"),
            Self::Long => write!(f, "more than {SETTINGS_MAX} octets"),
            Self::Text => f.write_str("no text"),
            Self::Key { place } => {
                write!(f, "word {place} is not one of sdu=, in_flight=, direction=, interval=, phy=")
            }
            Self::Twice { key } => write!(f, "{key} twice"),
            Self::Range { key } => write!(f, "{key} is {}", allowed(key)),
        }
    }
}

/// Values of a key, in words.
fn allowed(key: &str) -> &'static str {
    match key {
        "sdu" => "1 to what the image was built for",
        "in_flight" => "1 to 255",
        "direction" => "p2c, c2p or both",
        "interval" => "7.5ms to 4000ms in steps of 1.25ms",
        _ => "1M, 2M, S2 or S8",
    }
}

impl Settings {
    /// The settings of a line of `KEY=VALUE` with spaces between; SDUs have at most `sdu_max` octets.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(line: &[u8], sdu_max: u16) -> Result<Self, SettingsError> {
        if line.len() > SETTINGS_MAX {
            return Err(SettingsError::Long);
        }
        let text = str::from_utf8(line).map_err(|_| SettingsError::Text)?;
        let mut settings = Self::default();
        for (place, word) in (1u8..).zip(text.split_ascii_whitespace()) {
            let (key, value) = word.split_once('=').ok_or(SettingsError::Key { place })?;
            match key {
                "sdu" => put(&mut settings.sdu, "sdu", number(value).filter(|octets| (1..=sdu_max).contains(octets)))?,
                "in_flight" => {
                    let places = number(value).and_then(|places| u8::try_from(places).ok());
                    put(&mut settings.in_flight, "in_flight", places.filter(|places| *places > 0))?;
                }
                "direction" => put(&mut settings.direction, "direction", direction(value))?,
                "interval" => put(&mut settings.interval, "interval", interval(value))?,
                "phy" => put(&mut settings.phy, "phy", phy(value))?,
                _ => return Err(SettingsError::Key { place }),
            }
        }
        if settings == Self::default() { Err(SettingsError::Empty) } else { Ok(settings) }
    }

    /// The stream with these settings.
    fn stream(&self, stream: &mut StreamConfig) {
        stream.sdu = self.sdu.unwrap_or(stream.sdu);
        stream.in_flight = self.in_flight.unwrap_or(stream.in_flight);
        stream.direction = self.direction.unwrap_or(stream.direction);
    }

    /// Puts them into a central's configuration.
    pub fn apply_to_central(&self, config: &mut CentralConfig) {
        self.stream(&mut config.stream);
        config.conn_interval = self.interval.unwrap_or(config.conn_interval);
        config.phy = self.phy.unwrap_or(config.phy);
    }

    /// Puts them into a peripheral's configuration, which asks its central for what it cannot choose: for the PHY as soon as the stream
    /// flows.
    pub fn apply_to_peripheral(&self, config: &mut PeripheralConfig) {
        self.stream(&mut config.stream);
        if self.interval.is_some() {
            config.interval = IntervalConfig { request: self.interval, request_from: None, ..config.interval };
        }
        config.change_phy = self.phy.map(|phy| (Duration::ZERO, phy)).or(config.change_phy);
    }
}

/// Puts a value where none is.
fn put<T>(place: &mut Option<T>, key: &'static str, value: Option<T>) -> Result<(), SettingsError> {
    let value = value.ok_or(SettingsError::Range { key })?;
    match place.replace(value) {
        Some(_) => Err(SettingsError::Twice { key }),
        None => Ok(()),
    }
}

/// A number of digits alone.
fn number(text: &str) -> Option<u16> {
    text.bytes().all(|octet| octet.is_ascii_digit()).then(|| text.parse().ok())?
}

fn direction(text: &str) -> Option<Direction> {
    match text {
        "p2c" => Some(Direction::P2c),
        "c2p" => Some(Direction::C2p),
        "both" => Some(Direction::Both),
        _ => None,
    }
}

fn phy(text: &str) -> Option<Phy> {
    match text {
        "1M" => Some(Phy::Le1M),
        "2M" => Some(Phy::Le2M),
        "S2" => Some(Phy::LeCodedS2),
        "S8" => Some(Phy::LeCodedS8),
        _ => None,
    }
}

/// A connection interval: milliseconds with at most two digits behind a point. Core 6.0, Vol 6, Part B, 4.5.1.
fn interval(text: &str) -> Option<Duration> {
    let ms = text.strip_suffix("ms")?;
    let (whole, part) = ms.split_once('.').unwrap_or((ms, "0"));
    let hundredths = match part.len() {
        1 => number(part)? * 10,
        2 => number(part)?,
        _ => return None,
    };
    let us = u64::from(number(whole)?) * 1_000 + u64::from(hundredths) * 10;
    let is_one = us.is_multiple_of(1_250) && (7_500..=4_000_000).contains(&us);
    is_one.then(|| Duration::from_micros(us))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(line: &str) -> Result<Settings, SettingsError> {
        Settings::parse(line.as_bytes(), 492)
    }

    #[test]
    fn every_key_is_set_and_the_others_stay() {
        let all = parse("sdu=244 in_flight=4  direction=c2p interval=7.5ms phy=1M\r\n").expect("a line");
        assert_eq!((all.sdu, all.in_flight, all.direction), (Some(244), Some(4), Some(Direction::C2p)));
        assert_eq!((all.interval, all.phy), (Some(Duration::from_micros(7_500)), Some(Phy::Le1M)));
        let (mut central, mut peripheral) = (CentralConfig::default(), PeripheralConfig::default());
        all.apply_to_central(&mut central);
        all.apply_to_peripheral(&mut peripheral);
        assert_eq!(central.stream, peripheral.stream);
        assert_eq!((central.stream.sdu, central.conn_interval), (244, Duration::from_micros(7_500)));
        assert_eq!(peripheral.interval.request, Some(Duration::from_micros(7_500)));
        assert_eq!((central.phy, peripheral.change_phy), (Phy::Le1M, Some((Duration::ZERO, Phy::Le1M))));
        let before = peripheral;
        parse("interval=11.25ms").expect("a line").apply_to_peripheral(&mut peripheral);
        let interval = IntervalConfig { request: Some(Duration::from_micros(11_250)), ..before.interval };
        assert_eq!(peripheral, PeripheralConfig { interval, ..before });
    }

    #[test]
    fn a_line_that_is_wrong_says_where() {
        use SettingsError::{Empty, Key, Long, Range, Text, Twice};
        for (line, error) in [
            ("", Empty),
            (" \n", Empty),
            ("sdu", Key { place: 1 }),
            ("sdu=1 credits=4", Key { place: 2 }),
            ("SDU=1", Key { place: 1 }),
            ("sdu=0", Range { key: "sdu" }),
            ("sdu=493", Range { key: "sdu" }),
            ("sdu=+4", Range { key: "sdu" }),
            ("sdu=", Range { key: "sdu" }),
            ("sdu=99999", Range { key: "sdu" }),
            ("in_flight=0", Range { key: "in_flight" }),
            ("in_flight=256", Range { key: "in_flight" }),
            ("direction=up", Range { key: "direction" }),
            ("phy=3M", Range { key: "phy" }),
            ("interval=15", Range { key: "interval" }),
            ("interval=7.4ms", Range { key: "interval" }),
            ("interval=4001.25ms", Range { key: "interval" }),
            ("interval=15.000ms", Range { key: "interval" }),
            ("interval=.5ms", Range { key: "interval" }),
            ("sdu=4 sdu=4", Twice { key: "sdu" }),
        ] {
            assert_eq!(parse(line), Err(error), "{line}");
            assert!(!std::string::ToString::to_string(&error).is_empty());
        }
        assert_eq!(Settings::parse(&[0xff], 492), Err(Text));
        assert_eq!(Settings::parse(&[b' '; SETTINGS_MAX + 1], 492), Err(Long));
    }

    proptest! {
        #[test]
        fn no_octets_are_a_reason_to_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Settings::parse(&line, 492);
        }

        #[test]
        fn what_looks_like_settings_stays_within_bounds(line in "((sdu|interval|in_flight|phy|direction)=[0-9a-zA-Z.]{0,8} ?){0,6}") {
            if let Ok(settings) = Settings::parse(line.as_bytes(), 492) {
                prop_assert!(settings.sdu.is_none_or(|octets| (1..=492).contains(&octets)));
                prop_assert!(settings.interval.is_none_or(|time| time >= Duration::from_micros(7_500)));
            }
        }
    }
}
