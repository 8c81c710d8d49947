//! The CRC of a packet. Core 6.0, Vol 6, Part B, 3.1.1.
//!
//! The polynomial is x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1. Octets enter with their least significant bit first and the
//! register leaves with position 23 first, so the register is kept mirrored: position 23 is bit 0.

/// Preset of the register on the advertising channels.
pub const ADVERTISING_INIT: u32 = 0x55_5555;

/// x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1 with position 23 in bit 0.
const POLYNOMIAL: u32 = mirror(0x00_065b);

/// The three octets behind `pdu` in the order in which they are sent; `init` as a CONNECT_IND carries it.
pub fn crc(init: u32, pdu: &[u8]) -> [u8; 3] {
    let (words, rest) = pdu.as_chunks::<4>();
    // The register is shorter than a word, so four octets shift all of it out at once.
    let register = words.iter().fold(mirror(init), |register, word| {
        let [a, b, c, d] = (register ^ u32::from_le_bytes(*word)).to_le_bytes().map(usize::from);
        TABLES[3][a] ^ TABLES[2][b] ^ TABLES[1][c] ^ TABLES[0][d]
    });
    let register =
        rest.iter().fold(register, |register, octet| register >> 8 ^ TABLES[0][usize::from(register as u8 ^ octet)]);
    let [a, b, c, _] = register.to_le_bytes();
    [a, b, c]
}

const fn mirror(register: u32) -> u32 {
    register.reverse_bits() >> 8
}

/// Tables of the register: one octet of it followed by `n` octets of zeros, for `n` from 1 to 4.
static TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut octet = 0;
    while octet < 256 {
        let mut register = octet as u32;
        let mut bits = 0;
        while bits < 32 {
            register = register >> 1 ^ if register & 1 == 1 { POLYNOMIAL } else { 0 };
            bits += 1;
            if bits % 8 == 0 {
                tables[bits / 8 - 1][octet] = register;
            }
        }
        octet += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// The shift register of Core 6.0, Vol 6, Part B, 3.1.1, figure 3.2, bit by bit: its positions as the figure
    /// numbers them, and octets filled with what leaves position 23, least significant bit first.
    fn register(init: u32, pdu: &[u8]) -> [u8; 3] {
        let mut positions = init;
        for bit in pdu.iter().flat_map(|octet| (0..8).map(move |n| u32::from(octet >> n & 1))) {
            let feedback = positions >> 23 & 1 ^ bit;
            positions = positions << 1 & 0xff_ffff;
            for tap in [0, 1, 3, 4, 6, 9, 10] {
                positions ^= feedback << tap;
            }
        }
        core::array::from_fn(|octet| {
            (0..8).fold(0, |out, bit| out | ((positions >> (23 - 8 * octet - bit) & 1) << bit) as u8)
        })
    }

    proptest! {
        #[test]
        fn the_tables_are_the_shift_register(init in 0u32..1 << 24, pdu: Vec<u8>) {
            prop_assert_eq!(crc(init, &pdu), register(init, &pdu));
        }
    }

    /// An ADV_IND that an Ubertooth took from the air (test vectors of Scapy's BLE layer, its issue 1673).
    #[test]
    fn a_packet_from_the_air() {
        let pdu = b"\x40\x14\x4d\x95\x50\x16\xfe\x76\x02\x01\x1a\x0a\xff\x4c\x00\x10\x05\x0b\x1c\x0e\xa8\x36";
        assert_eq!(crc(ADVERTISING_INIT, pdu), [0x5a, 0xf0, 0x04]);
    }
}
