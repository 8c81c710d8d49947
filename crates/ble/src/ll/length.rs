//! Data length: what both ends offered, and what is in effect. Core 6.0, Vol 6, Part B, 4.5.10.

use airtime_core::Duration;

use crate::air::{DATA_OCTETS_MIN, Phy};

/// One side's offer, as LL_LENGTH_REQ and LL_LENGTH_RSP carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Octets it can receive.
    pub max_rx_octets: u16,
    /// Time it can receive, in µs.
    pub max_rx_time: u16,
    /// Octets it wants to send.
    pub max_tx_octets: u16,
    /// Time it wants to send, in µs.
    pub max_tx_time: u16,
}

/// Time of the longest PDU on 1M with MIC: what 251 octets need there.
pub const TIME_MAX_UNCODED: u16 = 2120;
/// Time of the longest PDU on LE Coded S=8 with MIC.
pub const TIME_MAX: u16 = 17_040;
/// Time of a 27 octet PDU on 1M with MIC.
pub const TIME_MIN: u16 = 328;
/// Time of a 27 octet PDU on S=8 with MIC: always allowed on LE Coded.
const TIME_MIN_CODED_US: u64 = 2704;

/// Time that a packet may take on LE Coded, where its length allows `time` on the others.
pub fn coded(time: Duration) -> Duration {
    time.max(Duration::from_micros(TIME_MIN_CODED_US))
}

impl Offer {
    /// Lengths and times that hold before any length procedure.
    pub const INITIAL: Self = Self {
        max_rx_octets: DATA_OCTETS_MIN,
        max_rx_time: TIME_MIN,
        max_tx_octets: DATA_OCTETS_MIN,
        max_tx_time: TIME_MIN,
    };

    /// An offer of `rx` octets in and `tx` octets out, with the times that these need on the
    /// slowest PHY supported.
    pub const fn of(rx: u16, tx: u16, coded: bool) -> Self {
        Self {
            max_rx_octets: rx,
            max_rx_time: Self::time(rx, coded),
            max_tx_octets: tx,
            max_tx_time: Self::time(tx, coded),
        }
    }

    /// The offer with no packet to send that is longer than `time`.
    #[must_use]
    pub fn sent_within(self, time: Duration) -> Self {
        let most = u16::try_from(time.as_micros()).unwrap_or(TIME_MAX).clamp(TIME_MIN, TIME_MAX);
        Self { max_tx_time: self.max_tx_time.min(most), ..self }
    }

    /// µs that `octets` with MIC need on S=8 if `coded`, else on 1M.
    pub const fn time(octets: u16, coded: bool) -> u16 {
        let phy = if coded { Phy::LeCodedS8 } else { Phy::Le1M };
        phy.data_pdu(octets as u64, true).as_micros() as u16
    }

    /// True if every field is within its range: 27..=251 octets, 328..=17040 µs.
    pub fn is_valid(&self) -> bool {
        let octets = 27..=251;
        let times = TIME_MIN..=TIME_MAX;
        octets.contains(&self.max_rx_octets)
            && octets.contains(&self.max_tx_octets)
            && times.contains(&self.max_rx_time)
            && times.contains(&self.max_tx_time)
    }
}

/// The lengths of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataLength {
    /// Maximum lengths and times that this side offers.
    pub local: Offer,
    /// Maximum lengths and times that the other side offered.
    pub remote: Offer,
}

/// The lengths in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effective {
    /// Octets this side may send in one PDU, whatever the PHY.
    pub max_tx_octets: u16,
    /// Time this side may send, in µs, on the PHY in use.
    pub max_tx_time: u16,
    /// Octets the other side may send in one PDU.
    pub max_rx_octets: u16,
    /// Time the other side may send, in µs.
    pub max_rx_time: u16,
}

impl DataLength {
    /// Nothing negotiated yet.
    pub const fn initial() -> Self {
        Self { local: Offer::INITIAL, remote: Offer::INITIAL }
    }

    /// Lengths and times in effect with PHYs `tx` and `rx`, gap `frame_space` and connection interval `interval`.
    pub fn effective(&self, tx: Phy, rx: Phy, frame_space: Duration, interval: Duration) -> Effective {
        let max_tx_octets = self.local.max_tx_octets.min(self.remote.max_rx_octets);
        let max_rx_octets = self.local.max_rx_octets.min(self.remote.max_tx_octets);
        let uncoded_rx = u64::from(self.local.max_rx_time.min(self.remote.max_tx_time));
        let uncoded_tx = u64::from(self.local.max_tx_time.min(self.remote.max_rx_time));
        let rx_time = if rx.is_coded() { uncoded_rx.max(TIME_MIN_CODED_US) } else { uncoded_rx };
        // On LE Coded the interval must leave room for the peer's longest packet and two gaps.
        let required = 2 * frame_space.as_micros() + rx_time.min(u64::from(max_rx_octets) * 64 + 976);
        let available = uncoded_tx.min(interval.as_micros().saturating_sub(required));
        let tx_time = if tx.is_coded() { available.max(TIME_MIN_CODED_US) } else { uncoded_tx };
        Effective { max_tx_octets, max_tx_time: tx_time as u16, max_rx_octets, max_rx_time: rx_time as u16 }
    }
}

impl Effective {
    /// Payload octets of the longest PDU this side may send on `phy`.
    pub fn tx_payload(&self, phy: Phy, encrypted: bool) -> u16 {
        fit(self.max_tx_octets, self.max_tx_time, phy, encrypted)
    }

    /// Payload octets of the longest PDU the other side may send on `phy`.
    pub fn rx_payload(&self, phy: Phy, encrypted: bool) -> u16 {
        fit(self.max_rx_octets, self.max_rx_time, phy, encrypted)
    }
}

fn fit(octets: u16, time: u16, phy: Phy, encrypted: bool) -> u16 {
    let within = phy.octets_within(Duration::from_micros(time.into()), encrypted);
    octets.min(u16::try_from(within).unwrap_or(u16::MAX)).max(DATA_OCTETS_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::T_IFS;

    fn payload(interval_us: u64, phy: Phy) -> u16 {
        let offer = Offer::of(251, 251, true);
        let lengths = DataLength { local: offer, remote: offer };
        lengths.effective(phy, phy, T_IFS, Duration::from_micros(interval_us)).tx_payload(phy, false)
    }

    #[test]
    fn nothing_negotiated_is_27_octets_on_every_phy() {
        for phy in Phy::ALL {
            let effective = DataLength::initial().effective(phy, phy, T_IFS, Duration::from_millis(15));
            assert_eq!(effective.tx_payload(phy, false), 27, "{phy}");
            assert_eq!(effective.tx_payload(phy, true), 27, "{phy}");
        }
    }

    /// S=8 with 251 octets each way: 17,040 + 2·150 µs are reserved for the peer, and the rest of
    /// the interval is ours: 16,784 µs for 251 octets, so 34.375 ms is the first interval with them.
    #[test]
    fn coded_phy_needs_a_long_interval() {
        assert_eq!(payload(34_375, Phy::LeCodedS8), 251);
        assert_eq!(payload(33_125, Phy::LeCodedS8), 235);
        assert_eq!(payload(20_000, Phy::LeCodedS8), 31);
        assert_eq!(payload(7_500, Phy::LeCodedS8), 31);
        assert_eq!(payload(7_500, Phy::Le1M), 251);
    }

    #[test]
    fn the_smaller_offer_counts() {
        let lengths = DataLength { local: Offer::of(251, 200, false), remote: Offer::of(100, 251, false) };
        let effective = lengths.effective(Phy::Le2M, Phy::Le2M, T_IFS, Duration::from_millis(15));
        assert_eq!((effective.max_tx_octets, effective.max_rx_octets), (100, 251));
    }
}
