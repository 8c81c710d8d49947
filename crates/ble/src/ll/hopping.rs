//! Channel selection algorithms #1 and #2. Core 6.0, Vol 6, Part B, 4.5.8.

/// Data channels of LE.
pub const DATA_CHANNELS: u8 = 37;
/// The map with every data channel in use.
pub const ALL_CHANNELS: u64 = (1 << DATA_CHANNELS) - 1;

/// A channel map with its used channels listed, so that remapping is an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelMap {
    bits: u64,
    used: [u8; DATA_CHANNELS as usize],
    count: u8,
}

impl ChannelMap {
    /// The map with these channels, or none when it names fewer than two (Core 6.0, Vol 6, Part B, 4.5.8.1).
    pub fn new(bits: u64) -> Option<Self> {
        let bits = bits & ALL_CHANNELS;
        let mut map = Self { bits, used: [0; DATA_CHANNELS as usize], count: 0 };
        for channel in (0..DATA_CHANNELS).filter(|c| bits >> c & 1 == 1) {
            map.used[usize::from(map.count)] = channel;
            map.count += 1;
        }
        (map.count >= 2).then_some(map)
    }

    /// The channels in use, one bit each.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    fn is_used(&self, channel: u8) -> bool {
        self.bits >> channel & 1 == 1
    }
}

/// Hopping of a connection: its channel selection algorithm and the state of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hopping {
    /// Algorithm #1: a fixed increment.
    One {
        /// Hop increment, 5..=16.
        increment: u8,
        /// Unmapped channel of the last event.
        last: u8,
    },
    /// Algorithm #2: a permutation of event counter and access address.
    Two {
        /// Channel identifier of the access address.
        identifier: u16,
    },
}

impl Hopping {
    /// Algorithm #1 with this hop increment.
    pub fn one(increment: u8) -> Self {
        Self::One { increment, last: 0 }
    }

    /// Algorithm #2 for this access address.
    pub fn two(access_address: u32) -> Self {
        Self::Two { identifier: (access_address >> 16) as u16 ^ access_address as u16 }
    }

    /// The channel of event `counter`, `advanced` events after the last one asked for.
    pub fn channel(&mut self, counter: u16, advanced: u16, map: &ChannelMap) -> u8 {
        match self {
            Self::One { increment, last } => {
                let hop = u32::from(*increment) * u32::from(advanced);
                *last = ((u32::from(*last) + hop) % u32::from(DATA_CHANNELS)) as u8;
                if map.is_used(*last) { *last } else { map.used[usize::from(*last % map.count)] }
            }
            Self::Two { identifier } => {
                let random = event_random(counter, *identifier);
                let unmapped = (random % u16::from(DATA_CHANNELS)) as u8;
                if map.is_used(unmapped) {
                    return unmapped;
                }
                let index = (u32::from(map.count) * u32::from(random)) >> 16;
                map.used[index as usize]
            }
        }
    }
}

/// prn_e of event `counter`. Core 6.0, Vol 6, Part B, 4.5.8.3.3.
fn event_random(counter: u16, identifier: u16) -> u16 {
    let mut value = counter ^ identifier;
    for _ in 0..3 {
        value = permute(value).wrapping_mul(17).wrapping_add(identifier);
    }
    value ^ identifier
}

/// Reverses the bits of each octet.
fn permute(value: u16) -> u16 {
    value.swap_bytes().reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Core 6.0, Vol 6, Part C, 3.1: access address 0x8E89BED6, all channels.
    #[test]
    fn csa2_sample_data_all_channels() {
        let map = ChannelMap::new(ALL_CHANNELS).unwrap();
        let mut hopping = Hopping::two(0x8e89_bed6);
        assert_eq!(hopping, Hopping::Two { identifier: 0x305f });
        let channels = [1, 2, 3].map(|counter| hopping.channel(counter, 1, &map));
        assert_eq!(channels, [20, 6, 21]);
    }

    /// Core 6.0, Vol 6, Part C, 3.2: nine channels in use.
    #[test]
    fn csa2_sample_data_nine_channels() {
        let used = [9, 10, 21, 22, 23, 33, 34, 35, 36];
        let map = ChannelMap::new(used.iter().map(|c| 1u64 << c).sum()).unwrap();
        let mut hopping = Hopping::two(0x8e89_bed6);
        let channels = [6, 7, 8].map(|counter| hopping.channel(counter, 1, &map));
        assert_eq!(channels, [23, 9, 34]);
    }

    #[test]
    fn csa1_hops_and_remaps() {
        let map = ChannelMap::new(ALL_CHANNELS).unwrap();
        let mut hopping = Hopping::one(7);
        let mut counter = 0;
        let mut next = |advanced| {
            counter += advanced;
            hopping.channel(counter, advanced, &map)
        };
        assert_eq!([next(1), next(1), next(4), next(1)], [7, 14, 5, 12]);
        // Channel 12 is unused: 12 mod 3 = 0, the first used one.
        let mut hopping = Hopping::One { increment: 7, last: 5 };
        let map = ChannelMap::new(1 << 3 | 1 << 20 | 1 << 30).unwrap();
        assert_eq!(hopping.channel(0, 1, &map), 3);
    }

    #[test]
    fn a_map_of_one_channel_is_refused() {
        assert!(ChannelMap::new(1 << 5).is_none());
        assert!(ChannelMap::new(1 << 40 | 1 << 41).is_none());
    }
}
