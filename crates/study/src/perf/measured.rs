//! Outcome of one run, as it is kept.

use serde::{Deserialize, Serialize};

use super::{HEADER_OCTETS, Load, Point, Probes, Settings, Totals};

/// One run that gave figures. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the run.
    pub name: String,
    /// `idle`, `udp` or `tcp`.
    pub load: String,
    /// `up`: from the client to the server.
    pub direction: String,
    /// Number of the repetition, from 1.
    pub repeat: u32,
    /// 10³ bits of payload per second that were asked for; none of TCP, zero when idle.
    pub offered_kbps: Option<f64>,
    /// Octets of payload in a datagram; none of TCP.
    pub payload_bytes: Option<usize>,
    /// Seconds that were asked for.
    pub seconds: u32,
    /// Seconds before them.
    pub warm_up_seconds: u32,
    /// 10³ bits of payload per second that left the sending application.
    pub sent_kbps: f64,
    /// 10³ bits of payload per second that reached the receiving one, over its own time.
    pub goodput_kbps: f64,
    /// Goodput with the headers of IP and UDP; none of TCP, whose segments iperf3 does not count.
    pub ip_kbps: Option<f64>,
    /// Payload that was sent and did not arrive, in percent; none of TCP, which repeats it.
    pub loss_pct: Option<f64>,
    /// Seconds by which the receiver's time is longer than what was asked for: what the published nRF24 report calls
    /// latency.
    pub overrun_s: f64,
    /// Segments that TCP sent again.
    pub retransmits: Option<u64>,
    /// Echo requests during the seconds that count.
    pub probes: Probes,
}

/// A run without figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// Name of the run.
    pub name: String,
    /// Reason of the failure.
    pub why: String,
}

/// Outcome of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Figures of a run that was measured.
    Measured(Measured),
    /// None: iperf3 or ping failed, or took too long.
    Failed(Failed),
}

impl Measured {
    /// The figures of `point`; an idle link has no `totals`.
    pub fn new(settings: &Settings, point: &Point, totals: Option<&Totals>, probes: Probes) -> Self {
        let (load, reverse, offered_kbps) = match point.load {
            Load::Idle => ("idle", settings.reverse, Some(0.0)),
            Load::Udp(rate) => ("udp", settings.reverse, Some(rate.kbps())),
            Load::Tcp { reverse } => ("tcp", reverse, None),
        };
        let udp = matches!(point.load, Load::Udp(_));
        let goodput_kbps = totals.map_or(0.0, |totals| totals.received.kbps());
        let payload = settings.payload_bytes;
        let share = (payload + HEADER_OCTETS) as f64 / payload as f64;
        Self {
            name: point.name(),
            load: load.to_owned(),
            direction: if reverse { "down" } else { "up" }.to_owned(),
            repeat: point.repeat,
            offered_kbps,
            payload_bytes: udp.then_some(payload),
            seconds: settings.seconds,
            warm_up_seconds: settings.warm_up_seconds,
            sent_kbps: totals.map_or(0.0, |totals| totals.sent.kbps()),
            goodput_kbps,
            ip_kbps: udp.then_some(goodput_kbps * share),
            loss_pct: totals.filter(|_| udp).map(loss_pct),
            overrun_s: totals.map_or(0.0, |totals| totals.received.seconds - f64::from(settings.seconds)),
            retransmits: totals.and_then(|totals| totals.retransmits),
            probes,
        }
    }
}

/// Payload that was sent and did not arrive. What the warm-up left in a queue arrives among the rest and may make the difference negative:
/// then nothing is known to be lost.
fn loss_pct(totals: &Totals) -> f64 {
    let (sent, received) = (totals.sent.bytes as f64, totals.received.bytes as f64);
    if sent > 0.0 { ((sent - received) / sent * 100.0).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::settings;
    use super::*;
    use crate::perf::Sent;
    use airtime_core::units::Bitrate;

    #[test]
    fn figures_are_the_receivers() {
        let totals = Totals {
            sent: Sent { bytes: 100_000, seconds: 20.0 },
            received: Sent { bytes: 75_000, seconds: 25.0 },
            retransmits: None,
        };
        let point = Point { load: Load::Udp(Bitrate(40_000)), repeat: 1 };
        let measured = Measured::new(&settings(), &point, Some(&totals), Probes::default());
        assert_eq!((measured.sent_kbps, measured.goodput_kbps), (40.0, 24.0));
        // 60 octets of IP carry 32.
        assert_eq!(measured.ip_kbps, Some(45.0));
        assert_eq!((measured.loss_pct, measured.overrun_s), (Some(25.0), 5.0));
    }
}
