//! The checksum of IPv4, UDP and TCP (RFC 1071), in words: a run sums every octet it sends and takes.

use crate::wire::{IPV4_OCTETS, Route};

/// The sum of RFC 1071 over the pseudo header of RFC 768 and RFC 9293, 3.1.
pub fn pseudo(route: Route, protocol: u8, len: usize) -> u64 {
    let half = |octets: [u8; 4]| {
        u64::from(u16::from_be_bytes([octets[0], octets[1]])) + u64::from(u16::from_be_bytes([octets[2], octets[3]]))
    };
    half(route.from.octets()) + half(route.to.octets()) + u64::from(protocol) + len as u64
}

/// The sum of RFC 1071, not yet folded, in network order. The order of octets within words does not matter to it until the end.
pub fn sum(octets: &[u8]) -> u64 {
    // What is carried out of a word is one to this sum, and goes into the next addition. Eight words at a time: to keep it from
    // one turn of a loop to the next is as dear as to add some of them.
    let add = |(sum, carry): (u64, bool), word: &[u8; 8]| sum.carrying_add(u64::from_le_bytes(*word), carry);
    let (blocks, rest) = octets.as_chunks::<64>();
    let whole = blocks.iter().fold((0, false), |sum, block| block.as_chunks().0.iter().fold(sum, add));
    let (words, rest) = rest.as_chunks();
    let mut tail = [0; 8];
    tail[..rest.len()].copy_from_slice(rest);
    let (sum, carry) = words.iter().fold(add(whole, &tail), add);
    u64::from(fold(halves(sum) + u64::from(carry)).swap_bytes())
}

/// A word to this sum, with room for many more: any power of 2^16 is one to it, so parts of a word add up as they are.
pub fn halves(word: u64) -> u64 {
    (word & 0xffff_ffff) + (word >> 32)
}

/// Sum over the header of an IPv4 packet, which nearly always has no options.
#[inline]
pub fn header_sum(header: &[u8]) -> u64 {
    let Ok(plain) = <&[u8; IPV4_OCTETS]>::try_from(header) else { return sum(header) };
    plain.as_chunks().0.iter().map(|word| u64::from(u32::from_be_bytes(*word))).sum()
}

/// A sum as it is in a header, not yet complemented.
pub fn fold(sum: u64) -> u16 {
    // In as many additions as any sum can need: how many one needs is what no predictor knows. Two halves of 32 bits make 33 bits,
    // those and what is above them at most 18, and those 16 with what is carried.
    let sum = halves(sum);
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = (sum & 0xffff) + (sum >> 16);
    ((sum & 0xffff) + (sum >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The words agree with the definition: pairs of octets, the first in the high place.
        #[test]
        fn words_agree_with_pairs(octets in prop::collection::vec(any::<u8>(), 0..200)) {
            let pairs = octets.chunks(2).map(|pair| u64::from(pair[0]) << 8 | pair.get(1).map_or(0, |low| u64::from(*low)));
            prop_assert_eq!(fold(sum(&octets)), fold(pairs.sum()));
        }

        #[test]
        fn headers_sum_as_octets_do(header in any::<[u8; 60]>(), words in 5_usize..=15) {
            let header = &header[..4 * words];
            prop_assert_eq!(fold(header_sum(header)), fold(sum(header)));
        }
    }
}
