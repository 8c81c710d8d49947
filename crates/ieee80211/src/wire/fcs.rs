//! The frame check sequence: CRC-32 over everything before it, least significant octet first. 9.2.4.8.

use airtime_core::Packet;

/// Octets of the check.
pub const OCTETS: usize = 4;

/// The check of IEEE 802.3, a table per octet of a block of sixteen.
static CRC: crc::Crc<u32, crc::Table<16>> = crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);

/// The check over `octets`.
pub fn over(octets: &[u8]) -> u32 {
    CRC.checksum(octets)
}

/// Appends the check over what stands behind `start` in `frame`.
pub fn append(frame: &mut Packet, start: usize) {
    let check = over(&frame[start..]);
    frame.put_u32(check);
}

/// The frame without its check, if that is right.
pub fn check(frame: &[u8]) -> Option<&[u8]> {
    let (octets, check) = frame.split_last_chunk::<OCTETS>()?;
    (over(octets) == u32::from_le_bytes(*check)).then_some(octets)
}
