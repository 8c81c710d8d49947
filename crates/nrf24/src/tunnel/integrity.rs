//! The check of a packet: what catches a wrong reassembly or a wrong decompression.

use crc::{CRC_16_T10_DIF, Crc, Table};

/// Octets of a check.
pub(super) const CHECK: usize = 2;

/// Not the polynomial of the air (0x1021), so that an error which slips through the one is no likelier to slip through the
/// other. Catalogue: CRC-16/T10-DIF, polynomial 0x8BB7.
const CRC: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_T10_DIF);

/// The check of these octets.
pub(super) fn check(octets: &[u8]) -> u16 {
    CRC.checksum(octets)
}

/// The check of these octets within a session: frames of another session do not pass.
pub(super) fn check_in(session: u64, octets: &[u8]) -> u16 {
    let mut digest = CRC.digest();
    digest.update(&session.to_le_bytes());
    digest.update(octets);
    digest.finalize()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_catalogue_check_value() {
        assert_eq!(super::check(b"123456789"), 0xd0db);
    }
}
