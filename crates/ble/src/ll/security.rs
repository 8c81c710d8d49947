//! The security function e and the random address hash function ah.
//! Core 6.0, Vol 3, Part H, 2.2.1 and 2.2.2.

use aes::Aes128;
use aes::cipher::{BlockEncrypt, KeyInit};

/// AES-128 of one block. Key and data have the least significant octet first, as HCI has them.
pub fn e(key: &[u8; 16], plaintext: &[u8; 16]) -> [u8; 16] {
    let reversed = |octets: &[u8; 16]| {
        let mut octets = *octets;
        octets.reverse();
        octets
    };
    let mut block = reversed(plaintext).into();
    Aes128::new(&reversed(key).into()).encrypt_block(&mut block);
    reversed(&block.into())
}

/// The 24 bit hash of a 24 bit random number under an identity resolving key.
pub fn ah(key: &[u8; 16], prand: [u8; 3]) -> [u8; 3] {
    let mut block = [0; 16];
    block[..3].copy_from_slice(&prand);
    let [a, b, c, ..] = e(key, &block);
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Core 6.0, Vol 3, Part H, Appendix D.7: IRK, prand and ah, most significant octet first there.
    #[test]
    fn the_sample_data_of_ah() {
        let mut irk = [0xec, 0x02, 0x34, 0xa3, 0x57, 0xc8, 0xad, 0x05, 0x34, 0x10, 0x10, 0xa6, 0x0a, 0x39, 0x7d, 0x9b];
        irk.reverse();
        assert_eq!(ah(&irk, [0x94, 0x81, 0x70]), [0xaa, 0xfb, 0x0d]);
    }

    /// FIPS 197, appendix C.1.
    #[test]
    fn the_example_of_aes_128() {
        let mut key: [u8; 16] = core::array::from_fn(|i| i as u8);
        let mut plain: [u8; 16] = core::array::from_fn(|i| (i * 0x11) as u8);
        let mut cipher =
            [0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a];
        key.reverse();
        plain.reverse();
        cipher.reverse();
        assert_eq!(e(&key, &plain), cipher);
    }
}
