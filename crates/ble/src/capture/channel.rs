//! Channel indices and the RF channels they stand for. Core 6.0, Vol 6, Part B, 1.4.1.

/// RF channel 0..=39, at 2402 MHz + 2 MHz each, of channel index `index`; none from 40 on.
pub const fn rf(index: u8) -> Option<u8> {
    Some(match index {
        0..=10 => index + 1,
        11..=36 => index + 2,
        37 => 0,
        38 => 12,
        39 => 39,
        _ => return None,
    })
}

/// Channel index of RF channel `rf`; none from 40 on.
pub const fn index(rf: u8) -> Option<u8> {
    Some(match rf {
        0 => 37,
        12 => 38,
        39 => 39,
        1..=11 => rf - 1,
        13..=38 => rf - 2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of the table of Core 6.0, Vol 6, Part B, 1.4.1: index, RF channel.
    const TABLE: [(u8, u8); 7] = [(37, 0), (0, 1), (10, 11), (38, 12), (11, 13), (36, 38), (39, 39)];

    #[test]
    fn both_numberings_agree() {
        for (channel, frequency) in TABLE {
            assert_eq!((rf(channel), index(frequency)), (Some(frequency), Some(channel)));
        }
        for channel in 0..40 {
            assert_eq!(rf(channel).and_then(index), Some(channel));
        }
        assert_eq!((rf(40), index(40)), (None, None));
    }
}
