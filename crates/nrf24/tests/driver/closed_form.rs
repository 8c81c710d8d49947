//! What the air allows, from the product specification alone. All times in nanoseconds.

use airtime_nrf24::air::Rate;

/// Settling, 6.1.7 [Table 16].
const SETTLING: u64 = 130_000;

/// One bit.
pub fn bit(rate: Rate) -> u64 {
    match rate {
        Rate::K250 => 4_000,
        Rate::M1 => 1_000,
        Rate::M2 => 500,
    }
}

/// A frame: preamble of one octet, address, 9 bits of control, payload, two octets of CRC. 7.3.
pub fn frame(rate: Rate, width: u8, payload: u64) -> u64 {
    (8 + 8 * u64::from(width) + 9 + 8 * payload + 16) * bit(rate)
}

/// Both settlings, the frame and its acknowledgement. 7.6.
pub fn acknowledged(rate: Rate, width: u8, payload: u64, ack: u64) -> u64 {
    2 * SETTLING + frame(rate, width, payload) + frame(rate, width, ack)
}

/// Frames of 32 octets that fit into 4 ms of TX. 6.1.5.
pub fn frames_per_stay(rate: Rate, width: u8) -> u64 {
    4_000_000 / frame(rate, width, 32)
}

/// A stay in TX of 4 ms at most, and the settling after it.
pub fn stay(rate: Rate, width: u8) -> u64 {
    frames_per_stay(rate, width) * frame(rate, width, 32) + SETTLING
}

/// kbit/s of `frames` payloads of 32 octets in `ns`, in thousandths.
pub fn kbps_thousandths(frames: u64, ns: u64) -> u64 {
    frames * 256 * 1_000_000_000 / ns
}
