//! HDLC-lite, as OpenThread frames Spinel on a UART: flags, escapes, and a check of two octets.

// OpenThread, src/lib/hdlc/hdlc.cpp; the check is that of RFC 1662, C.2.

use airtime_core::Packet;

/// Octet that frames begin and end with.
const FLAG: u8 = 0x7E;

/// Octet in front of one that stands for something else.
const ESCAPE: u8 = 0x7D;

/// Bit that an octet behind an escape has the other way round.
const ESCAPED: u8 = 0x20;

/// Octets that are escaped: XON, XOFF, both of the above, and one for vendors.
const SPECIAL: [u8; 5] = [0x11, 0x13, ESCAPE, FLAG, 0xF8];

/// Octets on the line of a frame with this content.
pub fn octets(content: &[u8]) -> usize {
    let check = check(content);
    let special = content.iter().chain(&check).filter(|octet| SPECIAL.contains(octet)).count();
    1 + content.len() + check.len() + special + 1
}

/// Writes the frame of `content` behind what is in `line`.
pub fn encode(content: &[u8], line: &mut Packet) {
    line.put_u8(FLAG);
    for &octet in content.iter().chain(&check(content)) {
        if SPECIAL.contains(&octet) {
            line.put_u8(ESCAPE);
            line.put_u8(octet ^ ESCAPED);
        } else {
            line.put_u8(octet);
        }
    }
    line.put_u8(FLAG);
}

/// The check of `content`, the low octet first.
fn check(content: &[u8]) -> [u8; 2] {
    let step = |crc: u16, octet: &u8| {
        (0..8).fold(crc ^ u16::from(*octet), |crc, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0x8408 })
    };
    (!content.iter().fold(0xFFFF, step)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;

    #[test]
    fn the_check_is_that_of_the_standard() {
        // Check value of CRC-16/IBM-SDLC, by which RFC 1662 has its name in catalogues.
        assert_eq!(u16::from_le_bytes(check(b"123456789")), 0x906E);
    }

    #[test]
    fn special_octets_are_escaped() {
        for (content, expected) in [
            // Spinel's reset, as a host sends it: header 0x80, command 1.
            ([0x80, 0x01].as_slice(), [0x7E, 0x80, 0x01].as_slice()),
            (&[0x7E, 0x7D, 0x11, 0x13, 0xF8], &[0x7E, 0x7D, 0x5E, 0x7D, 0x5D, 0x7D, 0x31, 0x7D, 0x33, 0x7D, 0xD8]),
        ] {
            let mut line = Pool::new().packet();
            encode(content, &mut line);
            assert_eq!(line[..expected.len()], *expected);
            assert_eq!((line.len(), line.last()), (octets(content), Some(&FLAG)));
        }
    }
}
