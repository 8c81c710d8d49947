//! Stations that contend, against the model of Bianchi and Tinnirello ("Remarks on IEEE 802.11 DCF performance analysis", IEEE
//! Communications Letters 9(8), 2005): 802.11a timing, frames of 1500 octets, no retry limit.
//!
//! The model is written down here once more and takes nothing from the crate.

use airtime_core::Instant;
use airtime_wifi::air::{Access, Aggregation, Phy, Responses, Timing};
use airtime_wifi::cell::{AfterFailure, CellConfig, StationConfig, StationId};
use airtime_wifi::mac::RateConfig;

use crate::support::{AP, Bench, saturated};

/// Octets of an MPDU: 1500 of payload, 24 of header, 4 of check sequence, 6 that are left of LLC and SNAP in that analysis.
const MPDU: u16 = 1_534;
const PAYLOAD_BITS: f64 = 12_000.0;

/// Times of 802.11a in µs.
const SLOT: f64 = 9.0;
const SIFS: f64 = 16.0;
const DIFS: f64 = 34.0;

fn ofdm_us(octets: u16, bits_per_symbol: u32) -> f64 {
    20.0 + 4.0 * f64::from((16 + 8 * u32::from(octets) + 6).div_ceil(bits_per_symbol))
}

/// Probability that a saturated station transmits in a slot when each transmission collides with probability `p`.
fn attempts(p: f64) -> f64 {
    let (window, doublings) = (16.0, 6);
    let sum: f64 = (0..doublings).map(|stage| (2.0 * p).powi(stage)).sum();
    2.0 / (1.0 + window + p * window * sum)
}

/// How frames are sent: bits per symbol of data and of control frames, whether EIFS follows a collision, whether an RTS goes first.
#[derive(Clone, Copy, Debug)]
struct Frames {
    bits: u32,
    control_bits: u32,
    eifs: bool,
    rts: bool,
}

/// Throughput in Mbit/s of saturated `stations`.
fn model(stations: u32, frames: Frames) -> f64 {
    let others = f64::from(stations - 1);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = (low + high) / 2.0;
        // More collisions than that many stations make: p is too high.
        if p > 1.0 - (1.0 - attempts(p)).powf(others) { high = p } else { low = p }
    }
    let tau = attempts(low);
    let busy = 1.0 - (1.0 - tau).powi(stations as i32);
    let success = f64::from(stations) * tau * (1.0 - tau).powf(others);
    let (data, ack) = (ofdm_us(MPDU, frames.bits), ofdm_us(14, frames.control_bits));
    let (rts, cts) = (ofdm_us(20, frames.control_bits), ofdm_us(14, frames.control_bits));
    // The winner draws 0 with this probability and goes again at once; everybody else needs a slot more.
    let again = 1.0 / 16.0;
    let reservation = if frames.rts { rts + SIFS + cts + SIFS } else { 0.0 };
    let succeeded = (reservation + data + SIFS + ack + DIFS) / (1.0 - again) + SLOT;
    let first = if frames.rts { rts } else { data };
    let collided = if frames.eifs { first + SIFS + ack + DIFS } else { first + DIFS };
    let slot = (1.0 - busy) * SLOT + success * succeeded + (busy - success) * collided;
    success * PAYLOAD_BITS / (1.0 - again) / slot
}

/// Stations, and Mbit/s with EIFS and with DIFS behind a collision, for 6, 9, 12, 18, 24, 36, 48 and 54 Mbit/s: what ns-3 3.44 expects
/// of its own stations (`src/wifi/examples/wifi-bianchi.cc`). Its solution of the model is a search for the probability in steps of
/// 10⁻⁴, which is 0.15 % of the figures.
const PUBLISHED: [(u32, [[f64; 2]; 8]); 3] = [
    (
        5,
        [
            [4.6899, 4.7087],
            [6.8188, 6.8586],
            [8.8972, 8.9515],
            [12.6719, 12.7822],
            [16.0836, 16.2470],
            [22.0092, 22.3164],
            [26.8382, 27.2963],
            [29.2861, 29.8324],
        ],
    ),
    (
        25,
        [
            [3.8478, 3.8802],
            [5.6073, 5.6762],
            [7.3329, 7.4274],
            [10.4866, 10.6809],
            [13.3595, 13.6496],
            [18.4002, 18.9552],
            [22.5568, 23.3965],
            [24.6808, 25.6896],
        ],
    ),
    (
        50,
        [
            [3.4711, 3.5071],
            [5.0612, 5.1380],
            [6.6225, 6.7278],
            [9.4804, 9.6978],
            [12.0889, 12.4144],
            [16.6777, 17.3036],
            [20.4729, 21.4243],
            [22.4162, 23.5618],
        ],
    ),
];

#[test]
fn the_model_is_that_of_the_published_table() {
    for (stations, row) in PUBLISHED {
        for (bits, published) in [24, 36, 48, 72, 96, 144, 192, 216].into_iter().zip(row) {
            // Control frames answer at mandatory rates, 6, 12 and 24 Mbit/s.
            let ack = [96, 48, 24].into_iter().find(|&rate| rate <= bits).unwrap();
            for (eifs, published) in [true, false].into_iter().zip(published) {
                let model = model(stations, Frames { bits, control_bits: ack, eifs, rts: false });
                assert!((model / published - 1.0).abs() < 0.0015, "{stations} {bits} {eifs}: {model} for {published}");
            }
        }
    }
}

fn config(stations: u32, phy: Phy, eifs: bool, rts_threshold: Option<u32>) -> CellConfig {
    let mut config = CellConfig::pair();
    // The model's EIFS holds an acknowledgement at the rate of all others.
    let response = Phy { mcs: phy.mcs.min(4), ..phy };
    config.timing = Timing { responses: Responses::Fixed(response), lowest: response, ..Timing::ghz5() };
    config.eifs = eifs;
    config.after_failure = AfterFailure::Together;
    let station = |place| StationConfig { rts_threshold, ..station(place, phy) };
    config.stations[0] = station(0);
    config.stations.extend((1..stations).map(|place| station(place as u8 + 1)));
    config
}

fn station(place: u8, phy: Phy) -> StationConfig {
    StationConfig {
        access: Access::DCF,
        rate: RateConfig::Fixed(phy),
        aggregation: Aggregation::NONE,
        retry_limit: None,
        ..saturated(place, MPDU)
    }
}

fn throughput(config: CellConfig, seconds: u64) -> f64 {
    let stations = config.stations.len() as u16;
    let mut bench = Bench::new(config, 5);
    bench.run(Instant::from_nanos(seconds * 1_000_000_000), |_, _| ());
    let delivered: u64 = (0..stations)
        .filter(|&place| StationId(place) != AP)
        .map(|place| bench.cell.counters(StationId(place)).delivered)
        .sum();
    delivered as f64 * PAYLOAD_BITS / (seconds as f64 * 1e6)
}

/// The furthest that throughputs are from the model, in percent, and all of them. With `rts` one goes in front of every frame.
fn far_from_the_model(rts: bool) -> (f64, String) {
    let mut report = String::new();
    let mut far = 0.0f64;
    for (mbps, bits) in [(6, 24), (12, 48), (24, 96), (54, 216)] {
        for eifs in [false, true] {
            for stations in [5, 10, 50] {
                let config = config(stations, Phy::ofdm(mbps).unwrap(), eifs, rts.then_some(0));
                let measured = throughput(config, 60);
                let expected = model(stations, Frames { bits, control_bits: bits.min(96), eifs, rts });
                let error = (measured / expected - 1.0) * 100.0;
                far = far.max(error.abs());
                report += &format!(
                    "{mbps} Mbit/s, EIFS {eifs}, {stations}: {measured:.4} for {expected:.4}, {error:+.2} %\n"
                );
            }
        }
    }
    (far, report)
}

#[test]
fn throughput_is_that_of_the_model() {
    let (far, report) = far_from_the_model(false);
    assert!(far < 1.5, "{report}");
}

#[test]
fn throughput_behind_rts_is_that_of_the_model() {
    let (far, report) = far_from_the_model(true);
    assert!(far < 1.5, "{report}");
}
