//! The octets of an SDU: its number, then a pattern.

/// Octets of the sequence number, where the SDU has room for them.
pub const SEQUENCE_OCTETS: usize = 8;

/// Octets that follow the sequence number: the low octet of each position.
const PATTERN: [u8; 256] = {
    let mut pattern = [0; 256];
    let mut i = 0;
    while i < 256 {
        pattern[i] = i as u8;
        i += 1;
    }
    pattern
};

/// Writes the SDU with number `sequence`: the number, little endian, as far as it fits, then the
/// pattern.
pub fn write(sequence: u64, sdu: &mut [u8]) {
    for chunk in sdu.chunks_mut(PATTERN.len()) {
        chunk.copy_from_slice(&PATTERN[..chunk.len()]);
    }
    let number = sdu.len().min(SEQUENCE_OCTETS);
    sdu[..number].copy_from_slice(&sequence.to_le_bytes()[..number]);
}

/// The number of an SDU of `len` octets that begins with `head`, modulo 256 to the power of the
/// octets it had room for.
pub fn sequence(len: u16, head: [u8; 8]) -> u64 {
    u64::from_le_bytes(head) & mask(len)
}

/// The bits of a sequence number that an SDU of `len` octets carries.
pub(crate) fn mask(len: u16) -> u64 {
    match usize::from(len) {
        SEQUENCE_OCTETS.. => u64::MAX,
        octets => (1 << (8 * octets)) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_then_the_pattern() {
        let mut sdu = [0xff; 300];
        write(0x0102_0304, &mut sdu);
        assert_eq!(sdu[..10], [4, 3, 2, 1, 0, 0, 0, 0, 8, 9]);
        assert_eq!((sdu[255], sdu[256]), (255, 0));
    }

    #[test]
    fn a_short_sdu_carries_what_fits() {
        let mut sdu = [0; 3];
        write(0x0506_0102_0304, &mut sdu);
        assert_eq!(sdu, [4, 3, 2]);
        assert_eq!(sequence(3, [4, 3, 2, 0, 0, 0, 0, 0]), 0x02_0304);
        write(1, &mut []);
        assert_eq!(sequence(0, [9; 8]), 0);
    }
}
