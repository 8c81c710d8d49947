//! Named random streams: adding a consumer shifts no other.

use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

/// A random stream that counts its draws.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Pcg64Mcg,
    drawn: u64,
}

/// The stream `name` of the run with `seed`: the same pair gives the same numbers on every machine.
pub fn stream(seed: u64, name: &str) -> Stream {
    // FNV-1a over the name keeps the streams of one seed apart; SplitMix64 spreads neighbouring seeds.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let high = split_mix(seed ^ hash);
    let low = split_mix(high ^ hash.rotate_left(32));
    Stream { generator: Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)), drawn: 0 }
}

fn split_mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Stream {
    /// The next 64 random bits of the stream.
    pub fn bits(&mut self) -> u64 {
        self.drawn += 1;
        self.generator.next_u64()
    }

    /// A number below `bound`, which must not be zero. The bias is below `bound / 2⁶⁴`.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a bound of zero leaves nothing to draw");
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// True with probability `threshold / 2⁶⁴`.
    pub fn chance(&mut self, threshold: u64) -> bool {
        self.bits() < threshold
    }

    /// Count of random numbers that were drawn.
    pub fn drawn(&self) -> u64 {
        self.drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_apart() {
        let mut a = stream(1, "link/loss");
        assert_eq!(a.bits(), stream(1, "link/loss").bits());
        assert_ne!(a.bits(), stream(1, "link/other").bits());
        assert_ne!(stream(1, "x").bits(), stream(2, "x").bits());
        assert_eq!(a.drawn(), 2);
    }

    #[test]
    fn the_first_numbers_are_pinned() {
        // A change here changes every seeded run ever recorded.
        let mut s = stream(7, "pinned");
        assert_eq!([s.below(1000), s.below(1000), s.below(1000)], PINNED);
    }

    const PINNED: [u64; 3] = [775, 807, 871];
}
