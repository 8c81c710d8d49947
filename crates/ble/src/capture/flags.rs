//! Bits of the flags field, as the page of the link type numbers them.

pub(super) const DEWHITENED: u16 = 0x0001;
pub(super) const SIGNAL_VALID: u16 = 0x0002;
pub(super) const NOISE_VALID: u16 = 0x0004;
pub(super) const DECRYPTED: u16 = 0x0008;
pub(super) const REFERENCE_VALID: u16 = 0x0010;
pub(super) const OFFENSES_VALID: u16 = 0x0020;
pub(super) const CRC_CHECKED: u16 = 0x0400;
pub(super) const CRC_VALID: u16 = 0x0800;
pub(super) const MIC_CHECKED: u16 = 0x1000;
pub(super) const MIC_VALID: u16 = 0x2000;

/// Position of the type of the PDU; three bits.
pub(super) const KIND_SHIFT: u16 = 7;
/// Position of the type of an auxiliary advertising PDU; two bits, those of the MIC on other PDUs.
pub(super) const AUXILIARY_SHIFT: u16 = 12;
/// Position of the PHY; two bits.
pub(super) const PHY_SHIFT: u16 = 14;

/// A checked bit and a valid bit as one answer.
pub(super) const fn verdict(flags: u16, checked: u16, valid: u16) -> Option<bool> {
    if flags & checked == 0 { None } else { Some(flags & valid != 0) }
}

/// The bits of an answer.
pub(super) const fn bits(verdict: Option<bool>, checked: u16, valid: u16) -> u16 {
    match verdict {
        None => 0,
        Some(false) => checked,
        Some(true) => checked | valid,
    }
}
