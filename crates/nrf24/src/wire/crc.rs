//! The checks of frames: CRC-8 and CRC-16 over octets and one bit more. 7.3.5.

use crc::{Algorithm, Table};

use crate::air::Crc;

/// x⁸ + x² + x + 1, from 0xFF. 7.3.5.
const CRC_8: Algorithm<u8> =
    Algorithm { width: 8, poly: 0x07, init: 0xFF, refin: false, refout: false, xorout: 0, check: 0xFB, residue: 0 };

/// x¹⁶ + x¹² + x⁵ + 1, from 0xFFFF. 7.3.5.
const CRC_16: Algorithm<u16> = crc::CRC_16_IBM_3740;

/// A table per octet of a block of sixteen: a frame is three blocks at most.
static EIGHT: crc::Crc<u8, Table<16>> = crc::Crc::<u8, Table<16>>::new(&CRC_8);
static SIXTEEN: crc::Crc<u16, Table<16>> = crc::Crc::<u16, Table<16>>::new(&CRC_16);

/// The check over `octets`, and over one bit more where there is one: the control field has nine bits.
pub fn over(check: Crc, octets: &[u8], bit: Option<bool>) -> u16 {
    match check {
        Crc::None => 0,
        Crc::One => {
            let sum = EIGHT.checksum(octets);
            let Some(bit) = bit else { return u16::from(sum) };
            let carry = (sum >> 7 == 1) != bit;
            u16::from((sum << 1) ^ if carry { CRC_8.poly } else { 0 })
        }
        Crc::Two => {
            let sum = SIXTEEN.checksum(octets);
            let Some(bit) = bit else { return sum };
            let carry = (sum >> 15 == 1) != bit;
            (sum << 1) ^ if carry { CRC_16.poly } else { 0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shift register, one bit after the other, as the data sheet draws it.
    fn bitwise(width: u32, poly: u32, bits: impl Iterator<Item = bool>) -> u16 {
        let mask = (1 << width) - 1;
        let register = bits.fold(mask, |register, bit| {
            let carry = (register >> (width - 1) == 1) != bit;
            ((register << 1) & mask) ^ if carry { poly } else { 0 }
        });
        register as u16
    }

    #[test]
    fn tables_agree_with_the_shift_register() {
        let octets: [u8; 40] = core::array::from_fn(|i| (i as u8).wrapping_mul(151) ^ 0x5A);
        for len in 0..=octets.len() {
            for last in [None, Some(false), Some(true)] {
                let bits = || octets[..len].iter().flat_map(|o| (0..8).map(move |i| o & (0x80 >> i) != 0)).chain(last);
                assert_eq!(over(Crc::One, &octets[..len], last), bitwise(8, 0x07, bits()), "{len} {last:?}");
                assert_eq!(over(Crc::Two, &octets[..len], last), bitwise(16, 0x1021, bits()), "{len} {last:?}");
            }
        }
        assert_eq!(over(Crc::None, &octets, Some(true)), 0);
    }
}
