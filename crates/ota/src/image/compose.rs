//! Makes an image, for co-processors that exist only here.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use super::{CHECKSUM_INITIAL, Chip, DESCRIPTION, DIGEST, Description, HEADER, MAGIC, SEGMENT_HEADER};

/// Addresses of a segment that flash is mapped to, and of one in RAM, on an ESP32-C6. Nothing here runs them.
const LOAD: [u32; 2] = [0x4200_0020, 0x4080_0000];

/// An image of `description` for `chip` with `body` behind the description and four words in a second segment.
///
/// # Panics
/// When `body` is no multiple of four octets, or 16 MiB or more: `verify` would refuse what comes of it.
pub fn compose(chip: Chip, description: &Description, body: &[u8]) -> Vec<u8> {
    assert!(
        body.len().is_multiple_of(4) && body.len() + DESCRIPTION < 16 << 20,
        "a segment has a multiple of 4 octets, fewer than 16 MiB"
    );
    let described = description.emit();
    let ram = [0x13_u8; 16];
    let mut image = Vec::with_capacity(HEADER + 2 * SEGMENT_HEADER + described.len() + body.len() + 16 + 16 + DIGEST);
    image.resize(HEADER, 0);
    (image[0], image[1]) = (MAGIC, 2);
    // DIO at 80 MHz from 4 MB; no WP pin; digest behind it.
    (image[2], image[3], image[8]) = (2, 0x2F, 0xEE);
    image[4..8].copy_from_slice(&LOAD[1].to_le_bytes());
    image[12..14].copy_from_slice(&chip.0.to_le_bytes());
    image[17..19].copy_from_slice(&u16::MAX.to_le_bytes());
    image[23] = 1;
    let mut checksum = CHECKSUM_INITIAL;
    for (address, parts) in [(LOAD[0], [described.as_slice(), body]), (LOAD[1], [ram.as_slice(), &[]])] {
        let octets: usize = parts.iter().map(|part| part.len()).sum();
        image.extend(address.to_le_bytes());
        image.extend((octets as u32).to_le_bytes());
        for part in parts {
            checksum = part.iter().fold(checksum, |sum, octet| sum ^ octet);
            image.extend(part);
        }
    }
    image.resize((image.len() + 1).next_multiple_of(16), 0);
    if let Some(last) = image.last_mut() {
        *last = checksum;
    }
    let digest = Sha256::digest(&image);
    image.extend(digest);
    image
}
