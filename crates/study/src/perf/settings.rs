//! Settings of a measurement: its loads, and their order.

use airtime_core::random;
use airtime_core::units::Bitrate;
use serde::Serialize;

use crate::Digest;

/// Octets of the headers of IPv4 and UDP: what a datagram is longer by than its payload.
pub const HEADER_OCTETS: usize = 28;

/// The smallest payload that iperf3 sends: its time stamp and number (iperf 3, src/iperf_udp.c).
pub const PAYLOAD_MIN: usize = 16;

/// Load on the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Load {
    /// Nothing: the delay of an idle link.
    Idle,
    /// UDP datagrams with this many bits of payload per second.
    Udp(Bitrate),
    /// A TCP stream.
    Tcp {
        /// Set if the server sends: its download.
        reverse: bool,
    },
}

/// Settings of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Load on the link.
    pub load: Load,
    /// Number of the repetition, from 1.
    pub repeat: u32,
}

impl Point {
    /// A name for its files: `udp-200kbps-2`.
    pub fn name(&self) -> String {
        match self.load {
            Load::Idle => format!("idle-{}", self.repeat),
            Load::Udp(rate) => format!("udp-{rate}-{}", self.repeat),
            Load::Tcp { reverse: false } => format!("tcp-up-{}", self.repeat),
            Load::Tcp { reverse: true } => format!("tcp-down-{}", self.repeat),
        }
    }
}

/// Settings of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Server that iperf3 connects to, and that is pinged.
    pub server: String,
    /// The port of iperf3.
    pub port: u16,
    /// The loads, each measured `repeats` times.
    #[serde(skip)]
    pub loads: Vec<Load>,
    /// Octets of payload in a datagram.
    pub payload_bytes: usize,
    /// Set if the server sends the datagrams.
    pub reverse: bool,
    /// Number of times that each load is measured.
    pub repeats: u32,
    /// Seconds that count.
    pub seconds: u32,
    /// Seconds before them that do not.
    pub warm_up_seconds: u32,
    /// Milliseconds between two echo requests during the test.
    pub probe_every_ms: u32,
    /// Octets behind the ICMP header of each.
    pub probe_bytes: usize,
    /// The seed of the order.
    pub seed: u64,
}

impl Settings {
    /// Every run, in an order of chance: what drifts while measuring then shows as spread and not as a slope.
    pub fn points(&self) -> Vec<Point> {
        let repeats = 1..=self.repeats;
        let mut points: Vec<Point> =
            repeats.flat_map(|repeat| self.loads.iter().map(move |load| Point { load: *load, repeat })).collect();
        let mut draws = random::stream(self.seed, "perf/order");
        // Fisher and Yates.
        for last in (1..points.len()).rev() {
            points.swap(last, draws.below(last as u64 + 1) as usize);
        }
        points
    }

    /// Digest of all that makes the result of `point` what it is.
    pub fn digest(&self, point: &Point) -> Digest {
        let Self {
            server, port, payload_bytes, reverse, seconds, warm_up_seconds, probe_every_ms, probe_bytes, ..
        } = self;
        // The order and the number of repetitions may differ when a measurement goes on.
        let settings = format!(
            "{server} {port} {payload_bytes} {reverse} {seconds} {warm_up_seconds} {probe_every_ms} {probe_bytes}"
        );
        Digest::of(["perf", &settings, &point.name()])
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeSet;

    pub fn settings() -> Settings {
        Settings {
            server: "10.0.0.2".to_owned(),
            port: 5201,
            loads: [0, 100, 200, 300]
                .map(|kbps| if kbps == 0 { Load::Idle } else { Load::Udp(Bitrate(kbps * 1_000)) })
                .to_vec(),
            payload_bytes: 32,
            reverse: false,
            repeats: 3,
            seconds: 20,
            warm_up_seconds: 3,
            probe_every_ms: 50,
            probe_bytes: 16,
            seed: 1,
        }
    }

    #[test]
    fn every_point_is_measured_once_and_in_no_order() {
        let points = settings().points();
        let names: BTreeSet<String> = points.iter().map(Point::name).collect();
        assert_eq!((points.len(), names.len()), (12, 12));
        assert!(names.contains("udp-200kbps-3") && names.contains("idle-1"), "{names:?}");
        let loads: Vec<Load> = points.iter().map(|point| point.load).collect();
        assert!(!loads.is_sorted());
        assert_eq!(points, settings().points(), "the same seed, the same order");
        assert_ne!(points, Settings { seed: 2, ..settings() }.points());
    }

    #[test]
    fn a_point_is_known_again_whatever_else_is_measured() {
        let point = settings().points()[0];
        let digest = settings().digest(&point);
        assert_eq!(digest, Settings { repeats: 9, seed: 4, ..settings() }.digest(&point));
        assert_ne!(digest, Settings { payload_bytes: 33, ..settings() }.digest(&point));
        assert_ne!(digest, settings().digest(&Point { repeat: point.repeat + 1, ..point }));
    }
}
