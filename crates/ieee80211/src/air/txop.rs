//! The closed form of a saturated sender alone on its channel that has transmission opportunities (TXOPs): several exchanges a SIFS
//! apart, for which it contends once. IEEE Std 802.11-2020, 10.23.2.8 and 10.23.2.9.

use airtime_core::Duration;

use super::{Access, Aggregation, Filled, Msdus, Phy, Timing};

/// From an idle channel to the next idle channel for whoever contends, with the mean backoff of the smallest contention window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Txop {
    /// Exchanges of a PPDU and its response.
    pub exchanges: u32,
    /// MPDUs in all of them.
    pub mpdus: u32,
    /// MSDUs in those.
    pub msdus: u32,
    /// Arbitration space.
    pub aifs: Duration,
    /// Half of the smallest contention window.
    pub backoff: Duration,
    /// From the start of the first PPDU to the end of the last response: what the limit bounds.
    pub busy: Duration,
}

impl Txop {
    /// The TXOP of a sender with as many of `msdus` as it can send. Each PPDU is as long as `limits` allow, and as lets its exchange end
    /// within `limit` of the first one's start; the first one carries an MSDU whatever `limit` says. Without a limit (zero) one exchange
    /// is all (10.23.2.9).
    pub fn new(
        timing: &Timing,
        access: Access,
        limits: &Aggregation,
        phy: Phy,
        msdus: &Msdus,
        limit: Duration,
    ) -> Self {
        let mut txop = Self {
            exchanges: 0,
            mpdus: 0,
            msdus: 0,
            aifs: timing.aifs(access.aifsn),
            backoff: timing.slot * u64::from(access.cw_min) / 2,
            busy: Duration::ZERO,
        };
        if limit.is_zero() {
            let filled = msdus.fill(limits, phy, timing);
            txop.add(filled, timing.exchange(phy, &filled));
            return txop;
        }
        loop {
            let space = if txop.exchanges == 0 { Duration::ZERO } else { timing.sifs };
            let left = limit.saturating_sub(txop.busy + space);
            // An A-MPDU is answered by a Block Ack, which lasts at least as long as an acknowledgement.
            let several = msdus.fill(&limits.within(timing.ppdu_before(left, timing.block_ack(phy))), phy, timing);
            let filled = if several.mpdus > 1 {
                several
            } else {
                let alone = Aggregation { window: 1, ..*limits };
                msdus.fill(&alone.within(timing.ppdu_before(left, timing.ack(phy))), phy, timing)
            };
            let exchange = timing.exchange(phy, &filled);
            if txop.exchanges > 0 && exchange > left {
                return txop;
            }
            txop.add(filled, space + exchange);
        }
    }

    fn add(&mut self, filled: Filled, time: Duration) {
        self.exchanges += 1;
        self.mpdus += filled.mpdus;
        self.msdus += filled.msdus;
        self.busy += time;
    }

    /// Duration of the whole cycle.
    pub fn total(&self) -> Duration {
        self.aifs + self.backoff + self.busy
    }

    /// Goodput in bit/s, rounded down, of MSDUs that carry `payload` octets each.
    pub fn goodput_bps(&self, payload: u32) -> u64 {
        u64::from(self.msdus) * u64::from(payload) * 8 * 1_000_000_000 / self.total().as_nanos()
    }
}

impl Timing {
    /// Longest PPDU that leaves room for a SIFS and a response of `response` within `time`.
    pub fn ppdu_before(&self, time: Duration, response: Duration) -> Duration {
        time.saturating_sub(self.sifs + response)
    }

    /// Duration of a PPDU with this content, and of its response.
    fn exchange(&self, phy: Phy, filled: &Filled) -> Duration {
        let response = if filled.mpdus == 1 { self.ack(phy) } else { self.block_ack(phy) };
        self.ppdu(phy, filled.psdu) + self.sifs + response
    }
}
