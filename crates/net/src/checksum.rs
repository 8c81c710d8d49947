//! The checksum of IPv4, UDP and TCP (RFC 1071), in words: a run sums every octet it sends and takes.

use crate::wire::Route;

/// The sum of RFC 1071 over the pseudo header of RFC 768 and RFC 9293, 3.1.
pub fn pseudo(route: Route, protocol: u8, len: usize) -> u64 {
    let half = |octets: [u8; 4]| {
        u64::from(u16::from_be_bytes([octets[0], octets[1]])) + u64::from(u16::from_be_bytes([octets[2], octets[3]]))
    };
    half(route.from.octets()) + half(route.to.octets()) + u64::from(protocol) + len as u64
}

/// The sum of RFC 1071, not yet folded, in network order. The order of octets within words does not matter to it until the end.
pub fn sum(octets: &[u8]) -> u64 {
    let words = octets.chunks_exact(8);
    let mut tail = [0; 8];
    tail[..words.remainder().len()].copy_from_slice(words.remainder());
    let mut low = 0;
    let mut high = 0;
    for word in words {
        let word = u64::from_le_bytes(word.try_into().expect("chunks of eight"));
        low += word & 0xffff_ffff;
        high += word >> 32;
    }
    let tail = u64::from_le_bytes(tail);
    let sum = low + high + (tail & 0xffff_ffff) + (tail >> 32);
    u64::from(fold(sum).swap_bytes())
}

/// A sum as it is in a header, not yet complemented.
pub fn fold(mut sum: u64) -> u16 {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The words agree with the definition: pairs of octets, the first in the high place.
        #[test]
        fn words_agree_with_pairs(octets in prop::collection::vec(any::<u8>(), 0..100)) {
            let pairs = octets.chunks(2).map(|pair| u64::from(pair[0]) << 8 | pair.get(1).map_or(0, |low| u64::from(*low)));
            prop_assert_eq!(fold(sum(&octets)), fold(pairs.sum()));
        }
    }
}
