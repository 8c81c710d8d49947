//! All runs of a load as one row.

use std::cmp::Ordering;

use serde::Serialize;

use super::Measured;

/// Median and range of a figure over the repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Figure in the middle, or the mean of both.
    pub median: f64,
    /// The smallest of the figures.
    pub low: f64,
    /// The largest of the figures.
    pub high: f64,
}

/// Round trips of all repetitions together, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Waits {
    /// Half of the round trips are no longer.
    pub p50: f64,
    /// 95 % are no longer.
    pub p95: f64,
    /// 99 % are no longer; to be taken seriously from a thousand samples on.
    pub p99: f64,
    /// The longest of the times.
    pub max: f64,
    /// Number of requests that were answered.
    pub samples: usize,
    /// Number of requests that were not.
    pub unanswered: u64,
}

/// All runs of a load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// `idle`, `udp` or `tcp`.
    pub load: String,
    /// `up`: from the client to the server.
    pub direction: String,
    /// 10³ bits of payload per second that were asked for; none of TCP, zero when idle.
    pub offered_kbps: Option<f64>,
    /// Octets of payload in a datagram; none of TCP.
    pub payload_bytes: Option<usize>,
    /// Number of repetitions.
    pub runs: usize,
    /// 10³ bits of payload per second at the receiver.
    pub goodput_kbps: Spread,
    /// Goodput with the headers of IP and UDP.
    pub ip_kbps: Option<Spread>,
    /// Percent of the payload that did not arrive.
    pub loss_pct: Option<Spread>,
    /// Seconds that the test took longer than asked for.
    pub overrun_s: Spread,
    /// Segments sent again.
    pub retransmits: Option<Spread>,
    /// Round trips under that load; none when nothing was answered.
    pub round_trip_ms: Option<Waits>,
}

/// The rows of `runs`: idle, then UDP by its load, then TCP.
pub fn rows(runs: &[Measured]) -> Vec<Row> {
    let mut ordered: Vec<&Measured> = runs.iter().collect();
    ordered.sort_by(|a, b| compare(a, b));
    ordered.chunk_by(|a, b| compare(a, b) == Ordering::Equal).map(Row::of).collect()
}

fn compare(a: &Measured, b: &Measured) -> Ordering {
    let rank = |run: &Measured| ["idle", "udp"].iter().position(|load| run.load == *load).unwrap_or(2);
    let offered = |run: &Measured| run.offered_kbps.unwrap_or(0.0);
    rank(a)
        .cmp(&rank(b))
        .then_with(|| b.direction.cmp(&a.direction))
        .then_with(|| a.payload_bytes.cmp(&b.payload_bytes))
        .then_with(|| offered(a).total_cmp(&offered(b)))
}

impl Row {
    fn of(runs: &[&Measured]) -> Self {
        let first = runs[0];
        let all =
            |figure: fn(&Measured) -> Option<f64>| Spread::of(runs.iter().filter_map(|run| figure(run)).collect());
        let none = Spread { median: 0.0, low: 0.0, high: 0.0 };
        Self {
            load: first.load.clone(),
            direction: first.direction.clone(),
            offered_kbps: first.offered_kbps,
            payload_bytes: first.payload_bytes,
            runs: runs.len(),
            goodput_kbps: all(|run| Some(run.goodput_kbps)).unwrap_or(none),
            ip_kbps: all(|run| run.ip_kbps),
            loss_pct: all(|run| run.loss_pct),
            overrun_s: all(|run| Some(run.overrun_s)).unwrap_or(none),
            retransmits: all(|run| run.retransmits.map(|count| count as f64)),
            round_trip_ms: Waits::of(runs),
        }
    }
}

impl Spread {
    fn of(mut figures: Vec<f64>) -> Option<Self> {
        figures.sort_by(f64::total_cmp);
        let (low, high) = (*figures.first()?, *figures.last()?);
        let (left, right) = (figures[(figures.len() - 1) / 2], figures[figures.len() / 2]);
        Some(Self { median: f64::midpoint(left, right), low, high })
    }
}

impl Waits {
    fn of(runs: &[&Measured]) -> Option<Self> {
        let mut trips: Vec<f64> = runs.iter().flat_map(|run| &run.probes.round_trips_ms).copied().collect();
        trips.sort_by(f64::total_cmp);
        let max = *trips.last()?;
        let sent: u64 = runs.iter().map(|run| run.probes.sent).sum();
        // The nearest rank: the smallest of the values that so many percent do not exceed.
        let rank = |percent: usize| trips[(trips.len() * percent).div_ceil(100).max(1) - 1];
        let samples = trips.len();
        let unanswered = sent.saturating_sub(samples as u64);
        Some(Self { p50: rank(50), p95: rank(95), p99: rank(99), max, samples, unanswered })
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::settings;
    use super::*;
    use crate::perf::{Load, Point, Probes, Sent, Totals};
    use airtime_core::units::Bitrate;

    fn run(load: Load, repeat: u32, received: u64, trips: Vec<f64>) -> Measured {
        let totals = Totals {
            sent: Sent { bytes: 1_000, seconds: 20.0 },
            received: Sent { bytes: received, seconds: 20.0 },
            retransmits: None,
        };
        let probes = Probes { sent: trips.len() as u64 + 1, round_trips_ms: trips };
        Measured::new(&settings(), &Point { load, repeat }, Some(&totals), probes)
    }

    #[test]
    fn repetitions_become_a_row() {
        let udp = |kbps: u64| Load::Udp(Bitrate(kbps * 1_000));
        let runs = [
            run(Load::Tcp { reverse: true }, 1, 500, vec![]),
            run(udp(300), 1, 900, (1..=60).map(f64::from).collect()),
            run(udp(100), 1, 1_000, vec![2.0]),
            run(udp(300), 2, 700, (61..=100).map(f64::from).collect()),
            run(Load::Tcp { reverse: false }, 1, 500, vec![]),
        ];
        let rows = rows(&runs);
        let heads: Vec<_> =
            rows.iter().map(|row| (row.load.as_str(), row.direction.as_str(), row.offered_kbps, row.runs)).collect();
        assert_eq!(
            heads,
            [
                ("udp", "up", Some(100.0), 1),
                ("udp", "up", Some(300.0), 2),
                ("tcp", "up", None, 1),
                ("tcp", "down", None, 1)
            ]
        );
        assert_eq!(rows[1].loss_pct, Some(Spread { median: 20.0, low: 10.0, high: 30.0 }));
        let waits = Waits { p50: 50.0, p95: 95.0, p99: 99.0, max: 100.0, samples: 100, unanswered: 2 };
        assert_eq!(rows[1].round_trip_ms, Some(waits));
        assert_eq!(rows[2].round_trip_ms, None, "nothing was answered");
    }
}
