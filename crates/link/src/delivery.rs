//! Delivery of a run: the payload that arrived, by stream, and what was lost on the way.

use crate::ordered::Ordered;
use crate::ran::Told;

/// Prefix of the counters of payload that arrived over one stream; the rest of the name is the stream's: `p2c.link1`.
const OCTETS: &str = "octets.";

/// Delivery of a run in its steady state. Two runs can be compared by it, whatever their link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    /// Octets of payload that arrived, by stream: a direction, a connection, or both; empty where one figure says it all.
    pub streams: Ordered<u64>,
    /// Units that arrived (SDUs, packets, frames or calls); zero where the link counts none.
    pub arrived: u64,
    /// Units that left the sender's own queue and never arrived.
    pub lost: u64,
}

impl Delivery {
    /// Delivery with the streams that the counters of a run name, and no units.
    pub fn of_streams(told: &Told<'_>) -> Self {
        let named = told.counters.iter().filter_map(|(name, octets)| Some((name.strip_prefix(OCTETS)?, *octets)));
        Self { streams: named.collect(), ..Self::default() }
    }

    /// The delivery with so many units that arrived and that were lost.
    #[must_use]
    pub fn with(self, arrived: u64, lost: u64) -> Self {
        Self { arrived, lost, ..self }
    }

    /// Share of the units that was lost, 0 to 1; nothing of nothing.
    pub fn lost_share(&self) -> f64 {
        match self.arrived.saturating_add(self.lost) {
            0 => 0.0,
            all => self.lost as f64 / all as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Duration;

    #[test]
    fn streams_are_named_by_the_rest_of_their_counters() {
        let counters = [("events", 7), ("octets.p2c.link0", 500), ("octets.p2c.link1", 300)].into_iter().collect();
        let params = Ordered::new();
        let steady = Duration::from_secs(1);
        let told = Told { counters: &counters, steady, accepted_kbps: None, negotiated: None, params: &params };
        let delivery = Delivery::of_streams(&told).with(3, 1);
        assert_eq!(delivery.streams, [("p2c.link0", 500), ("p2c.link1", 300)].into_iter().collect());
        assert_eq!((delivery.lost_share(), Delivery::default().lost_share()), (0.25, 0.0));
    }
}
