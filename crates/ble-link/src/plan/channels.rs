//! Channels that a plan names: by index, or by the Wi-Fi network that lies over them.

use core::fmt;
use core::str::FromStr;

use airtime_keys::{Field, Kind, Value};

use airtime_ble::capture::channel;

/// Values of a key that names channels.
pub(super) const CHANNELS: Kind = Kind::Parsed {
    allowed: "\"all\", channel indices such as \"0-9,36\", and \"wifi-1\" to \"wifi-13\" for those that a network of 20 MHz lies over",
    alternatives: &["all"],
    canonical: |text| text.parse::<Channels>().map(|channels| channels.to_string()),
};

/// Channels there are: 37 for data, three to advertise on. Core 6.0, Vol 6, Part B, 1.4.1.
const COUNT: u8 = 40;

/// Reach of a network of 20 MHz to either side of its centre, in MHz. IEEE Std 802.11-2020, 19.3.15.
const WIFI_REACH: u16 = 10;

/// Set of channels, one bit for each index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels(pub u64);

impl Channels {
    /// Every channel.
    pub const ALL: Self = Self((1 << COUNT) - 1);

    /// Tells if `channel` is among them.
    pub const fn contains(self, channel: u8) -> bool {
        channel < COUNT && self.0 >> channel & 1 == 1
    }

    /// Those whose centre lies within a Wi-Fi network of 20 MHz on its channel `number` of the 2.4 GHz band.
    fn under_wifi(number: u16) -> Self {
        // IEEE Std 802.11-2020, 15.4.4.3: 2407 MHz and 5 MHz for each.
        let centre = 2_407 + 5 * number;
        let meets = |index: &u8| {
            channel::rf(*index).is_some_and(|rf| (2_402 + 2 * u16::from(rf)).abs_diff(centre) <= WIFI_REACH)
        };
        Self((0..COUNT).filter(meets).fold(0, |set, index| set | 1 << index))
    }

    fn part(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(Self::ALL);
        }
        if let Some(number) = text.strip_prefix("wifi-") {
            return number.parse().ok().filter(|number| (1..=13).contains(number)).map(Self::under_wifi);
        }
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.trim().parse::<u8>().ok()?, last.trim().parse::<u8>().ok()?);
        (first <= last && last < COUNT).then(|| Self((first..=last).fold(0, |set, index| set | 1 << index)))
    }
}

impl FromStr for Channels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |text: &str| {
            Self::part(text.trim()).ok_or_else(|| format!("`{text}` names no channels from 0 to {}", COUNT - 1))
        };
        text.split(',').try_fold(Self(0), |set, text| Ok(Self(set.0 | part(text)?.0)))
    }
}

impl fmt::Display for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        let runs: Vec<String> = (0..COUNT)
            .filter(|&first| self.contains(first) && (first == 0 || !self.contains(first - 1)))
            .map(|first| {
                let last = (first..COUNT).take_while(|&index| self.contains(index)).last().unwrap_or(first);
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            })
            .collect();
        f.write_str(&runs.join(","))
    }
}

impl Field for Channels {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }

    fn shown(&self) -> Value {
        self.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_named_by_index_or_by_the_network_over_them() {
        for (text, shown, count) in [
            ("all", "all", 40),
            ("0-39", "all", 40),
            ("0-9", "0-9", 10),
            ("36, 3,4,5", "3-5,36", 4),
            // 2427 to 2447 MHz; 2402 to 2422 MHz with the first channel for advertising; 2452 to 2472 MHz.
            ("wifi-6", "11-20", 10),
            ("wifi-1", "0-9,37", 11),
            ("wifi-11", "23-33", 11),
            ("wifi-1,wifi-6", "0-9,11-20,37", 21),
        ] {
            let channels: Channels = text.parse().expect(text);
            assert_eq!((channels.to_string().as_str(), channels.0.count_ones()), (shown, count), "{text}");
            assert_eq!(shown.parse(), Ok(channels), "{text}");
        }
        for text in ["", "40", "9-3", "wifi-14", "wifi-0", "some", "1-"] {
            assert!(text.parse::<Channels>().is_err(), "{text}");
        }
    }
}
