//! The frame check sequence: the 16-bit CRC of ITU-T over everything before it, least significant octet first. 7.2.

use airtime_core::Packet;

/// Octets of the check.
pub const OCTETS: usize = 2;

/// The generator x^16 + x^12 + x^5 + 1 with its bits in the order of the air.
const GENERATOR: u16 = 0x8408;

/// Remainders of the 256 octets.
static TABLE: [u16; 256] = table();

const fn table() -> [u16; 256] {
    let mut table = [0; 256];
    let mut octet = 0;
    while octet < 256 {
        let mut remainder = octet as u16;
        let mut bit = 0;
        while bit < 8 {
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ GENERATOR } else { remainder >> 1 };
            bit += 1;
        }
        table[octet] = remainder;
        octet += 1;
    }
    table
}

/// The check over `octets`.
pub fn over(octets: &[u8]) -> u16 {
    octets.iter().fold(0, |crc, octet| crc >> 8 ^ TABLE[usize::from(crc as u8 ^ octet)])
}

/// Appends the check over all of `frame`.
pub fn append(frame: &mut Packet) {
    let check = over(frame);
    frame.put_u16(check);
}

/// The frame without its check, if that is right.
pub fn check(psdu: &[u8]) -> Option<&[u8]> {
    let (octets, check) = psdu.split_last_chunk::<OCTETS>()?;
    (over(octets) == u16::from_le_bytes(*check)).then_some(octets)
}
