//! Stay in TX: its length so far, and the point at which the transmitter must leave.
//!
//! Frames without acknowledgement follow one another without a gap, and the PLL runs open loop meanwhile: after at most 4 ms
//! it has to settle again (6.1.5). The driver has no clock, so it counts the air time of what it writes: with CE high, the FIFO is
//! never given more than fits into one stay. When only the last frame of a stay is left, CE goes low; when that is out, CE rises,
//! and the next stay begins with a settling, its first payloads already in the FIFO.

use airtime_core::Duration;

use crate::air::{Framing, PAYLOAD_MAX, T_TX_MAX};

/// The air time written for this stay in TX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stay {
    framing: Framing,
    /// None when there is no limit to keep.
    limit: Option<Duration>,
    used: Duration,
    /// CE is low until the frame on the air is out; what is written belongs to the next stay.
    breaking: bool,
}

impl Stay {
    /// A transmitter that is not in TX.
    pub(super) fn new(framing: Framing, limited: bool) -> Self {
        Self { framing, limit: limited.then_some(T_TX_MAX), used: Duration::ZERO, breaking: false }
    }

    /// The longest frame does not fit into this stay any more.
    pub(super) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.used + self.framing.time(PAYLOAD_MAX) > limit)
    }

    /// CE is low until the last frame is out.
    pub(super) fn is_breaking(&self) -> bool {
        self.breaking
    }

    /// A payload was written. After an acknowledgement the transmitter settles anyway (Figure 10), so the stay ends with that frame.
    pub(super) fn wrote(&mut self, payload: usize, wants_ack: bool) {
        self.used = if wants_ack { Duration::ZERO } else { self.used + self.framing.time(payload) };
    }

    /// CE went low under the last frame of the stay.
    pub(super) fn breaks(&mut self) {
        *self = Self { used: Duration::ZERO, breaking: true, ..*self };
    }

    /// CE is high again.
    pub(super) fn resumed(&mut self) {
        self.breaking = false;
    }

    /// The FIFO ran dry: the transmitter left TX by itself.
    pub(super) fn ran_dry(&mut self) {
        self.used = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::Rate;

    fn frames(framing: Framing, octets: usize) -> u64 {
        let mut stay = Stay::new(framing, true);
        let mut count = 0;
        while !stay.is_over() {
            stay.wrote(octets, false);
            count += 1;
        }
        count
    }

    #[test]
    fn a_stay_takes_as_many_frames_as_fit_into_4_ms() {
        for rate in Rate::ALL {
            for width in 3..=5 {
                let framing = Framing::enhanced(rate, width);
                assert_eq!(frames(framing, 32), framing.frames_per_stay(32), "{rate} AW{width}");
            }
        }
        let framing = Framing::enhanced(Rate::M2, 5);
        let short = frames(framing, 8) * framing.time(8).as_nanos();
        assert!(short <= 4_000_000 && short > 4_000_000 - framing.time(32).as_nanos());
    }

    #[test]
    fn an_acknowledged_frame_ends_it_and_no_limit_is_never_over() {
        let framing = Framing::enhanced(Rate::M2, 3);
        let mut stay = Stay::new(framing, true);
        (0..25).for_each(|_| stay.wrote(32, false));
        assert!(stay.is_over());
        stay.wrote(32, true);
        assert!(!stay.is_over());
        let mut endless = Stay::new(framing, false);
        (0..1_000).for_each(|_| endless.wrote(32, false));
        assert!(!endless.is_over());
    }
}
