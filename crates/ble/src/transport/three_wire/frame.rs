//! Octets of a frame on the line: delimiters, header, payload and check, with what is escaped among them.

/// Octets that delimit a frame and that escape; within a frame each of them takes two. Core 6.0, Vol 4, Part D, 3.1.
const DELIMITER: u8 = 0xc0;
const ESCAPE: u8 = 0xdb;

/// Flags of the first octet of a header: a check follows, and the packet is to be acknowledged. Core 6.0, Vol 4, Part D, 4.
const CHECKED: u8 = 1 << 6;
const RELIABLE: u8 = 1 << 7;

/// Fields of a header beside type and length.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Number of a packet; none of an acknowledgement alone.
    pub number: Option<u8>,
    /// Number that its sender expects next.
    pub acknowledges: u8,
    /// A check follows the payload.
    pub crc: bool,
}

impl Header {
    /// The four octets before a payload of so many octets; all of them sum to 0xFF. Core 6.0, Vol 4, Part D, 4.
    fn octets(self, kind: u8, length: usize) -> [u8; 4] {
        let number = self.number.map_or(0, |number| number | RELIABLE);
        let first = number | self.acknowledges << 3 | if self.crc { CHECKED } else { 0 };
        // A length of HCI fits twelve bits, but for packets that no controller here takes.
        let [second, third] = [(kind & 0xf) | (length as u8 & 0xf) << 4, (length >> 4) as u8];
        [first, second, third, !first.wrapping_add(second).wrapping_add(third)]
    }
}

/// Octets on the line of a frame with an H4 packet, or with none.
pub fn octets(header: Header, packet: &[u8]) -> u64 {
    // The types of H4 are those of frames, and an acknowledgement is of type 0.
    let (kind, payload) = packet.split_first().map_or((0, packet), |(kind, payload)| (*kind, payload));
    let octets = header.octets(kind, payload.len());
    let check = header.crc.then(|| check(octets.iter().chain(payload)));
    let framed = octets.iter().chain(payload).chain(check.iter().flatten());
    2 + framed.map(|octet| if [DELIMITER, ESCAPE].contains(octet) { 2 } else { 1 }).sum::<u64>()
}

/// The check over these octets, most significant octet first: CRC-CCITT from 0xFFFF on, least significant bit in first. Core 6.0, Vol 4,
/// Part D, 5; the order is that of Linux, drivers/bluetooth/hci_bcsp.c.
fn check<'a>(octets: impl Iterator<Item = &'a u8>) -> [u8; 2] {
    let register = octets.fold(0xffff_u16, |register, octet| {
        (0..8).fold(register ^ u16::from(*octet), |r, _| if r & 1 == 1 { r >> 1 ^ 0x8408 } else { r >> 1 })
    });
    register.reverse_bits().to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Header = Header { number: Some(0), acknowledges: 0, crc: false };

    #[test]
    fn a_header_sums_to_all_ones() {
        // Reliable, number 0, acknowledging 0; ACL data of 255 octets.
        assert_eq!(FIRST.octets(2, 255), [0x80, 0xf2, 0x0f, 0x7e]);
        // Nothing but an acknowledgement of 5.
        assert_eq!(Header { number: None, acknowledges: 5, ..FIRST }.octets(0, 0), [0x28, 0x00, 0x00, 0xd7]);
    }

    #[test]
    fn delimiters_and_escapes_take_two_octets() {
        assert_eq!(octets(FIRST, &[2, 0, 0]), 2 + 4 + 2);
        assert_eq!(octets(FIRST, &[2, 0xc0, 0xdb]), 2 + 4 + 4);
        // A header may hold one as well: 0xFF less 0x80, 0x82 and 0x3D is 0xC0.
        assert_eq!(FIRST.octets(2, 0x3d8)[3], 0xc0);
        assert_eq!(octets(FIRST, &[&[2][..], &[0; 0x3d8]].concat()), 2 + 5 + 0x3d8);
        // No acknowledgement needs one.
        for acknowledges in 0..8 {
            assert_eq!(octets(Header { number: None, acknowledges, crc: false }, &[]), 6);
        }
    }

    #[test]
    fn the_check_is_that_of_the_catalogue() {
        // CRC-16/MCRF4XX of these is 0x6F91, here with its bits the other way round.
        assert_eq!(check(b"123456789".iter()), 0x6f91_u16.reverse_bits().to_be_bytes());
        // A reliable frame with a check, of number 0 that acknowledges 0, begins with the octet of a delimiter.
        assert_eq!(octets(Header { crc: true, ..FIRST }, &[2, 1, 2]), 2 + 5 + 2 + 2);
        assert_eq!(octets(Header { number: Some(1), crc: true, ..FIRST }, &[2, 1, 2]), 2 + 4 + 2 + 2);
    }
}
