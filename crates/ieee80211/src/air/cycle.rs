//! The closed form of a saturated sender alone on its channel: one cycle after the other, and the goodput that follows.

use airtime_core::Duration;

use super::{Access, Aggregation, Phy, Timing, psdu_octets};

/// From an idle channel to the next idle channel, with the mean backoff of the smallest contention window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// MPDUs of the PPDU.
    pub mpdus: u32,
    /// Arbitration space.
    pub aifs: Duration,
    /// Half of the smallest contention window.
    pub backoff: Duration,
    /// RTS, CTS and the space behind either; nothing for a PPDU that goes without.
    pub rts_cts: Duration,
    /// The PPDU, signal extension included.
    pub ppdu: Duration,
    /// Space in front of the response.
    pub sifs: Duration,
    /// Acknowledgement of a single MPDU, Block Ack of several; signal extension included.
    pub response: Duration,
}

impl Cycle {
    /// The cycle of a sender with `waiting` MPDUs of `mpdu` octets.
    pub fn new(timing: &Timing, access: Access, limits: &Aggregation, phy: Phy, mpdu: u32, waiting: u32) -> Self {
        let mpdus = limits.mpdus(phy, timing, mpdu, waiting);
        let alone = if mpdus == 1 { phy.alone() } else { 0 };
        Self {
            mpdus,
            aifs: timing.aifs(access.aifsn),
            backoff: timing.slot * u64::from(access.cw_min) / 2,
            rts_cts: Duration::ZERO,
            ppdu: timing.ppdu(phy, psdu_octets(mpdus, mpdu) + alone),
            sifs: timing.sifs,
            response: if mpdus == 1 { timing.ack(phy) } else { timing.block_ack(phy) },
        }
    }

    /// The same cycle with an RTS in front of its PPDU, which is sent with `phy`. 10.3.2.9.
    pub fn with_rts(self, timing: &Timing, phy: Phy) -> Self {
        Self { rts_cts: timing.rts(phy) + timing.sifs + timing.cts(phy) + timing.sifs, ..self }
    }

    /// Duration of the whole cycle.
    pub fn total(&self) -> Duration {
        self.aifs + self.backoff + self.rts_cts + self.ppdu + self.sifs + self.response
    }

    /// Goodput in bit/s, rounded down, of MPDUs that carry `payload` octets each.
    pub fn goodput_bps(&self, payload: u32) -> u64 {
        goodput_bps(u64::from(self.mpdus) * u64::from(payload), self.total())
    }

    /// Upper bound of TCP in bit/s: `self` carries segments of `payload` octets, and `acks` goes the other way once for each such cycle.
    pub fn tcp_bps(&self, payload: u32, acks: &Self) -> u64 {
        goodput_bps(u64::from(self.mpdus) * u64::from(payload), self.total() + acks.total())
    }
}

/// Bits per second of `octets` every `time`.
fn goodput_bps(octets: u64, time: Duration) -> u64 {
    octets * 8 * 1_000_000_000 / time.as_nanos()
}
