//! Channel of a frame, by band and number. IEEE Std 802.11-2020, Annex E; 802.11ax-2021 for 6 GHz.

/// Band of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// 2.4 GHz: channels 1 to 14.
    Ghz24,
    /// 5 GHz: channels 36 to 177, and whatever lies between 5.005 and 5.925 GHz.
    Ghz5,
    /// 6 GHz: channels 1 to 233.
    Ghz6,
}

/// Channel of a band; numbers of 6 GHz are those of the other bands, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Band of it.
    pub band: Band,
    /// Number within the band.
    pub number: u8,
}

impl Channel {
    /// The channel of 2.4 (1..=14) or 5 GHz (from 15 on).
    pub const fn of(number: u8) -> Self {
        Self { band: if number <= 14 { Band::Ghz24 } else { Band::Ghz5 }, number }
    }

    /// The channel with this centre; none where there is none in these bands.
    pub const fn at_mhz(centre: u16) -> Option<Self> {
        let (band, from) = match centre {
            2484 => return Some(Self { band: Band::Ghz24, number: 14 }),
            // Channel 2 of 6 GHz lies below the others and 20 MHz wide between the bands.
            5935 => return Some(Self { band: Band::Ghz6, number: 2 }),
            2412..=2472 => (Band::Ghz24, 2407),
            5005..=5925 => (Band::Ghz5, 5000),
            // All others have odd numbers.
            5955..=7115 if centre % 10 == 5 => (Band::Ghz6, 5950),
            _ => return None,
        };
        let above = centre - from;
        if above.is_multiple_of(5) { Some(Self { band, number: (above / 5) as u8 }) } else { None }
    }

    /// Centre in MHz.
    pub const fn mhz(self) -> u16 {
        match (self.band, self.number) {
            (Band::Ghz24, 14) => 2484,
            (Band::Ghz6, 2) => 5935,
            (Band::Ghz24, number) => 2407 + 5 * number as u16,
            (Band::Ghz5, number) => 5000 + 5 * number as u16,
            (Band::Ghz6, number) => 5950 + 5 * number as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_centre_is_that_of_its_channel() {
        for centre in 0..=u16::MAX {
            if let Some(channel) = Channel::at_mhz(centre) {
                assert_eq!(channel.mhz(), centre);
            }
        }
        let told = |centre: u16| Channel::at_mhz(centre).map(|channel| (channel.band, channel.number));
        assert_eq!(told(2467), Some((Band::Ghz24, 12)));
        assert_eq!(told(5180), Some((Band::Ghz5, 36)));
        // Numbers up to 14 are in all three.
        assert_eq!((told(5035), told(5955)), (Some((Band::Ghz5, 7)), Some((Band::Ghz6, 1))));
        assert_eq!(told(7115), Some((Band::Ghz6, 233)));
        assert_eq!([2413, 5181, 5960, 5940, 7120, 58_320].map(told), [None; 6]);
    }
}
