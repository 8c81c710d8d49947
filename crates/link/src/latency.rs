//! Latencies of a run: of SDUs, from the host taking one to its arrival at the other application, and of IP packets.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use crate::ran::Percentiles;

/// Buckets per doubling: a bucket is at most 1/64 wide of its value.
const SUB_BITS: u32 = 6;
const BUCKETS: usize = 64 * (1 << SUB_BITS);

/// A histogram with logarithmic buckets, and the SDUs under way of each lane.
#[derive(Clone, Debug)]
pub struct Latencies {
    lanes: Vec<(usize, usize, VecDeque<Instant>)>,
    counts: Vec<u64>,
    total: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        Self::new()
    }
}

impl Latencies {
    /// An empty histogram of latencies, with nothing under way.
    pub fn new() -> Self {
        Self { lanes: Vec::new(), counts: vec![0; BUCKETS], total: 0 }
    }

    /// Forgets what was measured; what is under way stays.
    pub fn restart(&mut self) {
        self.counts.fill(0);
        self.total = 0;
    }

    fn lane(&mut self, stream: usize, lane: usize) -> &mut VecDeque<Instant> {
        let index = match self.lanes.iter().position(|(s, l, _)| (*s, *l) == (stream, lane)) {
            Some(index) => index,
            None => {
                self.lanes.push((stream, lane, VecDeque::new()));
                self.lanes.len() - 1
            }
        };
        &mut self.lanes[index].2
    }

    /// An SDU of this stream and lane was taken.
    pub fn submitted(&mut self, stream: usize, lane: usize, now: Instant) {
        self.lane(stream, lane).push_back(now);
    }

    /// The oldest SDU of this stream and lane has arrived: channels keep the order.
    pub fn delivered(&mut self, stream: usize, lane: usize, now: Instant) {
        if let Some(then) = self.lane(stream, lane).pop_front() {
            self.took(now - then);
        }
    }

    /// Adds a span that something took.
    pub fn took(&mut self, span: Duration) {
        self.counts[bucket(span)] += 1;
        self.total += 1;
    }

    /// Percentiles, if anything was measured. Each is the lower edge of its bucket.
    pub fn percentiles(&self) -> Option<Percentiles> {
        let at = |per_mille: u64| {
            let rank = (self.total * per_mille).div_ceil(1000).max(1);
            let mut seen = 0;
            let found = self.counts.iter().position(|count| {
                seen += count;
                seen >= rank
            });
            lower_edge(found.unwrap_or(0))
        };
        (self.total > 0).then(|| Percentiles { p50: at(500), p95: at(950), p99: at(990) })
    }
}

fn bucket(span: Duration) -> usize {
    let ns = span.as_nanos();
    let magnitude = (u64::BITS - ns.leading_zeros()).saturating_sub(SUB_BITS + 1);
    ((u64::from(magnitude) << SUB_BITS) + (ns >> magnitude)) as usize
}

fn lower_edge(bucket: usize) -> Duration {
    let sub = 1 << SUB_BITS;
    if bucket < 2 * sub {
        return Duration::from_nanos(bucket as u64);
    }
    let magnitude = bucket / sub - 1;
    Duration::from_nanos(((bucket % sub + sub) as u64) << magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_within_a_sixty_fourth() {
        for ns in (0..200).chain((1..60).map(|n| 1u64 << n)).chain([12_345_678, 987_654_321_987]) {
            let span = Duration::from_nanos(ns);
            let edge = lower_edge(bucket(span));
            assert!(edge <= span && (span - edge).as_nanos() <= ns / 64, "{ns}: {edge:?}");
        }
        assert!(bucket(Duration::MAX) < BUCKETS);
    }

    #[test]
    fn percentiles_of_a_hundred() {
        let mut latencies = Latencies::new();
        for ms in 1..=100u64 {
            latencies.submitted(0, 0, Instant::ZERO);
            latencies.delivered(0, 0, Instant::from_nanos(ms * 1_000_000));
        }
        let found = latencies.percentiles().unwrap();
        let (p50, p99) = (found.p50.as_millis_f64(), found.p99.as_millis_f64());
        assert!((p50 - 50.0).abs() < 0.8 && (p99 - 99.0).abs() < 1.6, "{found:?}");
    }
}
