//! Lengths of MPDUs and A-MPDUs, and how many MPDUs one PPDU may carry.

use airtime_core::Duration;

use super::{Phy, Standard, Timing};

/// Octets of the delimiter in front of every MPDU of an A-MPDU. 9.7.1.
pub const DELIMITER: u32 = 4;

/// Octets of an Ethernet II header, which LLC/SNAP and the MAC header stand for on the air.
const ETHERNET_HEADER: u32 = 14;

/// QoS data header: frame control 2, duration 2, three addresses 18, sequence control 2, QoS control 2. 9.3.2.1.
const QOS_HEADER: u32 = 26;

/// LLC and SNAP header. 802-2014, 9.4; RFC 1042.
const LLC_SNAP: u32 = 8;

/// CCMP header 8 and MIC 8. 12.5.3.2.
const CCMP: u32 = 16;

/// Frame check sequence. 9.2.4.8.
const FCS: u32 = 4;

/// Octets of the QoS data MPDU for an Ethernet II frame of `ethernet` octets (without its FCS).
pub const fn mpdu_octets(ethernet: u32, encrypted: bool) -> u32 {
    mpdu_overhead(encrypted) + msdu_octets(ethernet)
}

/// Octets of a QoS data MPDU besides the MSDU or A-MSDU that it carries.
pub const fn mpdu_overhead(encrypted: bool) -> u32 {
    QOS_HEADER + if encrypted { CCMP } else { 0 } + FCS
}

/// Octets of the MSDU for an Ethernet II frame of `ethernet` octets: its header gives way to LLC and SNAP.
pub const fn msdu_octets(ethernet: u32) -> u32 {
    LLC_SNAP + ethernet.saturating_sub(ETHERNET_HEADER)
}

/// Octets of the PSDU of `mpdus` MPDUs of `mpdu` octets: subframes are padded to 4 octets, the last one is not. 9.7.1. A single one
/// is not aggregated; see [`Phy::alone`] for HE.
pub const fn psdu_octets(mpdus: u32, mpdu: u32) -> u32 {
    if mpdus <= 1 {
        return mpdu;
    }
    (mpdus - 1) * (DELIMITER + mpdu).next_multiple_of(4) + DELIMITER + mpdu
}

impl Phy {
    /// Octets that a PSDU has besides its MPDU when that is the only one. The PSDU of HE is always an A-MPDU (802.11ax-2021, 26.6), so
    /// a single MPDU has its delimiter, too; it is acknowledged like any single one.
    pub const fn alone(self) -> u32 {
        if matches!(self.standard, Standard::Ax) { DELIMITER } else { 0 }
    }
}

/// Limits of an A-MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aggregation {
    /// MPDUs of the Block Ack window, 1..=64; 1: no A-MPDUs at all.
    pub window: u16,
    /// Octets of the PSDU: the receiver's maximum A-MPDU length. 9.4.2.55.3.
    pub octets: u32,
    /// Longest PPDU (`aPPDUMaxTime`), signal extension included. Table 19-25.
    pub duration: Duration,
}

impl Aggregation {
    /// The limits of HT with a Block Ack window of `window` MPDUs: 65,535 octets and 5.484 ms.
    pub const fn ht(window: u16) -> Self {
        Self { window, octets: 65_535, duration: Duration::from_micros(5_484) }
    }

    /// No A-MPDUs.
    pub const NONE: Self = Self::ht(1);

    /// The same limits, and no PPDU longer than `duration`.
    #[must_use]
    pub fn within(self, duration: Duration) -> Self {
        Self { duration: self.duration.min(duration), ..self }
    }

    /// Octets of the longest PSDU that both limits allow at this rate.
    pub fn psdu_max(&self, phy: Phy, timing: &Timing) -> u32 {
        let (mut low, mut high) = (0, self.octets);
        if timing.ppdu(phy, high) <= self.duration {
            return high;
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if timing.ppdu(phy, middle) <= self.duration { low = middle } else { high = middle }
        }
        low
    }

    /// Number of MPDUs of `mpdu` octets, out of `waiting`, that one PPDU carries: at least one, whatever the limits
    /// say.
    pub fn mpdus(&self, phy: Phy, timing: &Timing, mpdu: u32, waiting: u32) -> u32 {
        if !phy.aggregates() {
            return 1;
        }
        let most = self.psdu_max(phy, timing);
        let fit = 1 + most.saturating_sub(DELIMITER + mpdu) / (DELIMITER + mpdu).next_multiple_of(4);
        fit.min(waiting).min(u32::from(self.window)).max(1)
    }
}
