//! Lengths of A-MSDUs: several MSDUs for one receiver, in one MPDU. IEEE Std 802.11-2020, 9.3.2.2 and 10.12.

use super::{Aggregation, DELIMITER, Phy, Timing, mpdu_overhead, msdu_octets};

/// Octets of a subframe's header: destination 6, source 6, length 2. 9.3.2.2.2.
pub const SUBFRAME_HEADER: u32 = 6 + 6 + 2;

/// Octets of the longest A-MSDU that a station of HT may say it takes; the other length is 3839. 9.4.2.55.2.
pub const AMSDU_MAX: u16 = 7_935;

/// Octets of the subframe for an MSDU of `msdu` octets, without the padding behind it.
pub const fn subframe_octets(msdu: u32) -> u32 {
    SUBFRAME_HEADER + msdu
}

/// Octets of an A-MSDU of `octets` once a subframe for an MSDU of `msdu` octets is behind it: all but the last are padded to four
/// octets. 9.3.2.2.2.
pub const fn append_subframe(octets: u32, msdu: u32) -> u32 {
    octets.next_multiple_of(4) + subframe_octets(msdu)
}

/// MSDUs of one length for one receiver, as many as are wanted, and the A-MSDUs that they go in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Msdus {
    /// Octets of each as an Ethernet II frame, without its FCS.
    pub ethernet: u32,
    /// Set if CCMP adds its header and MIC to each MPDU.
    pub encrypted: bool,
    /// Octets of an A-MSDU at most; 0: no A-MSDUs.
    pub amsdu: u32,
}

/// Content of a PPDU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// MPDUs of the PPDU.
    pub mpdus: u32,
    /// MSDUs in all of them.
    pub msdus: u32,
    /// Octets of the PSDU.
    pub psdu: u32,
}

impl Msdus {
    /// MSDUs that share an MPDU with no room for more than `octets` of A-MSDU, at least one, and the octets that they take. One MSDU is
    /// sent as it is, without a subframe's header.
    pub const fn shared(&self, octets: u32) -> (u32, u32) {
        let msdu = msdu_octets(self.ethernet);
        let most = if octets < self.amsdu { octets } else { self.amsdu };
        let (mut count, mut length) = (1, subframe_octets(msdu));
        while append_subframe(length, msdu) <= most {
            length = append_subframe(length, msdu);
            count += 1;
        }
        if count == 1 { (1, msdu) } else { (count, length) }
    }

    /// Content of a PPDU of `phy` within `limits`: MPDUs one after the other, each with as many MSDUs as fit what is left. At least one
    /// MSDU, whatever the limits say.
    pub fn fill(&self, limits: &Aggregation, phy: Phy, timing: &Timing) -> Filled {
        let most = limits.psdu_max(phy, timing);
        let overhead = mpdu_overhead(self.encrypted);
        let window = if phy.aggregates() { u32::from(limits.window) } else { 1 };
        if window <= 1 {
            let (msdus, octets) = self.shared(most.saturating_sub(overhead + phy.alone()));
            return Filled { mpdus: 1, msdus, psdu: overhead + octets + phy.alone() };
        }
        let mut filled = Filled::default();
        while filled.mpdus < window {
            let before = filled.psdu.next_multiple_of(4) + DELIMITER + overhead;
            let (msdus, octets) = self.shared(most.saturating_sub(before));
            if filled.mpdus > 0 && before + octets > most {
                break;
            }
            filled = Filled { mpdus: filled.mpdus + 1, msdus: filled.msdus + msdus, psdu: before + octets };
        }
        if filled.mpdus == 1 {
            // A single MPDU is not aggregated.
            filled.psdu = filled.psdu - DELIMITER + phy.alone();
        }
        filled
    }
}
