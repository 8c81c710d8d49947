//! Stations that contend, beside what ns-3.37 has of them: all of a cell together, which a plan's one station is a part of that scatters.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Aggregation, Timing};
use airtime_wifi::cell::{CellConfig, Collided, Errors, MissingBlockAck, StationConfig, StationId, Traffic};

use super::support::{AP, Bench};

/// Octets of an MPDU with 1400 octets of UDP, not encrypted: QoS header 26, LLC 8, IP and UDP 28, FCS 4.
const MPDU: u16 = 26 + 8 + 28 + 1_400 + 4;

/// Stations, window, share of MPDUs damaged at each receiver, and the policy behind a Block Ack that is missing; Mbit/s of UDP of all
/// stations together. HT20, MCS 7, short guard interval; two or three seeds of 20 s each, as in plans/field/wifi_loss.toml.
const PUBLISHED: [(u8, u16, f64, MissingBlockAck, f64); 7] = [
    (10, 1, 0.0, MissingBlockAck::Request, 29.837),
    (5, 1, 0.1, MissingBlockAck::Request, 28.612),
    (2, 32, 0.0, MissingBlockAck::Request, 62.358),
    (5, 32, 0.0, MissingBlockAck::Resend, 57.210),
    (5, 32, 0.0, MissingBlockAck::Request, 54.014),
    (10, 32, 0.0, MissingBlockAck::Resend, 52.028),
    (5, 32, 0.1, MissingBlockAck::Resend, 48.100),
];

#[test]
fn stations_that_contend_get_as_much_together_as_in_ns_3() {
    let mut report = String::new();
    let mut far = 0.0f64;
    for (count, window, damage, missing_block_ack, published) in PUBLISHED {
        let station = |place: u8| StationConfig {
            aggregation: Aggregation::ht(window),
            encrypted: false,
            // A single MPDU is sent seven times, aggregated ones for half a second, which none of these reaches.
            retry_limit: (window == 1).then_some(7),
            missing_block_ack,
            errors: Errors { loss: Loss::Shares { miss: 0.0, damage }, ..Errors::default() },
            traffic: if StationId(place.into()) == AP {
                Traffic::None
            } else {
                Traffic::Saturated { to: AP, mpdu: MPDU }
            },
            ..StationConfig::usual(place)
        };
        let mut config = CellConfig { eifs: true, collided: Collided::Missed, ..CellConfig::pair() };
        config.timing = Timing { whole_symbols: false, ..Timing::ghz24() };
        config.stations = (0..=count).map(station).collect();
        let mut bench = Bench::new(config, 7);
        let seconds = 400;
        bench.run(Instant::ZERO + Duration::from_secs(seconds), |_, _| ());
        let delivered: u64 = (0..=count).map(|place| bench.cell.counters(StationId(place.into())).delivered).sum();
        let mbps = delivered as f64 * 1_400.0 * 8.0 / (seconds as f64 * 1e6);
        let error = (mbps / published - 1.0) * 100.0;
        far = far.max(error.abs());
        report += &format!(
            "{count} stations, window {window}, damage {damage}, {missing_block_ack:?}: {mbps:.3} for {published}, {error:+.2} %\n"
        );
    }
    assert!(far < 1.0, "{report}");
}
