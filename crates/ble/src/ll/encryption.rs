//! The session key and the MIC of the virtual air.
//!
//! Encryption costs air, not secrecy: packets grow by four octets and both ends must hold the same
//! key. The MIC here is a checksum under a digest of the key, so that a wrong key is found out as
//! on a real link; it protects nothing and the payload stays readable for captures.

use crate::air::MIC_OCTETS;

const OFFSET: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

fn digest(seed: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(PRIME))
}

/// Digest of a long term key and both session key diversifiers.
pub fn session(long_term_key: &[u8; 16], skd_central: u64, skd_peripheral: u64) -> u32 {
    let hash = digest(OFFSET, long_term_key);
    let hash = digest(hash, &skd_central.to_le_bytes());
    digest(hash, &skd_peripheral.to_le_bytes())
}

/// The four octets behind an encrypted payload. Length and ends of the payload are covered, which
/// is enough to tell two keys apart.
pub fn mic(session: u32, payload: &[u8]) -> [u8; MIC_OCTETS as usize] {
    let ends = payload.len().min(8);
    let hash = digest(session, &payload[..ends]);
    let hash = digest(hash, &payload[payload.len() - ends..]);
    (hash ^ payload.len() as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_key_gives_another_mic() {
        let one = session(&[1; 16], 2, 3);
        let other = session(&[2; 16], 2, 3);
        assert_ne!(mic(one, &[1, 2, 3]), mic(other, &[1, 2, 3]));
        assert_eq!(mic(one, &[]), mic(one, &[]));
    }
}
