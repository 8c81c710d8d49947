//! Round-trip time of acknowledgements, and the timeout that follows from it. RFC 6298.

use airtime_core::Duration;

/// Shifts of the timeout at most; its length is bounded by `MAX_RTO` anyhow.
const MAX_BACKOFF: u32 = 10;
/// include/net/tcp.h, `TCP_RTO_MAX`.
pub(super) const MAX_RTO: Duration = Duration::from_secs(120);

/// The round trip as the sender knows it, and how often in a row it has waited in vain.
#[derive(Debug)]
pub(super) struct RoundTrip {
    smoothed: Option<Duration>,
    variation: Duration,
    longest: Duration,
    min_rto: Duration,
    backoff: u32,
}

impl RoundTrip {
    /// Nothing was measured yet.
    pub fn new(min_rto: Duration) -> Self {
        Self { smoothed: None, variation: Duration::ZERO, longest: Duration::ZERO, min_rto, backoff: 0 }
    }

    /// A segment that was sent once was acknowledged after `sample`. RFC 6298, 2.
    pub fn measured(&mut self, sample: Duration) {
        self.longest = self.longest.max(sample);
        let Some(smoothed) = self.smoothed else {
            (self.smoothed, self.variation) = (Some(sample), sample / 2);
            return;
        };
        let error = smoothed.saturating_sub(sample).max(sample.saturating_sub(smoothed));
        self.variation = (self.variation * 3 + error) / 4;
        self.smoothed = Some((smoothed * 7 + sample) / 8);
    }

    /// The retransmission timeout. Linux bounds the deviation from below, not the sum (`__tcp_set_rto`, `tcp_rtt_estimator`).
    pub fn timeout(&self) -> Duration {
        let base = self.smoothed.map_or(super::FIRST_RTO, |smoothed| smoothed + (self.variation * 4).max(self.min_rto));
        (base * (1 << self.backoff)).min(MAX_RTO)
    }

    /// The longest round trip so far, if one was measured.
    pub fn longest(&self) -> Option<Duration> {
        (!self.longest.is_zero()).then_some(self.longest)
    }

    /// Notes that something was acknowledged.
    pub fn heard(&mut self) {
        self.backoff = 0;
    }

    /// Number of times in a row that it has waited in vain.
    pub fn backoff(&self) -> u32 {
        self.backoff
    }

    /// The timeout is over, and the next is twice as long.
    pub fn back_off(&mut self) {
        self.backoff = (self.backoff + 1).min(MAX_BACKOFF);
    }
}
