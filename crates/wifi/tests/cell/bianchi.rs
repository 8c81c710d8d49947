//! Stations that contend, against the model of Bianchi and Tinnirello ("Remarks on IEEE 802.11 DCF performance analysis", IEEE
//! Communications Letters 9(8), 2005): timing of 802.11a and 802.11b, frames of 1500 octets, no retry limit.
//!
//! The model is written down here once more and takes nothing from the crate.

use airtime_core::Instant;
use airtime_wifi::air::{Access, Aggregation, Phy, Preamble, Responses, Timing};
use airtime_wifi::cell::{AfterFailure, CellConfig, StationConfig, StationId};
use airtime_wifi::mac::RateConfig;

use super::support::{AP, Bench, saturated};

/// Bits of payload of a frame.
const PAYLOAD_BITS: f64 = 12_000.0;

/// A channel in µs: slot and spaces, smallest contention window and how often it doubles.
#[derive(Clone, Copy, Debug)]
struct Channel {
    slot: f64,
    sifs: f64,
    difs: f64,
    window: f64,
    doublings: i32,
}

/// 802.11a.
const OFDM: Channel = Channel { slot: 9.0, sifs: 16.0, difs: 34.0, window: 16.0, doublings: 6 };

/// 802.11b.
const DSSS: Channel = Channel { slot: 20.0, sifs: 10.0, difs: 50.0, window: 32.0, doublings: 5 };

/// Frames in µs: data, acknowledgement, RTS and CTS if they go first, and whether EIFS follows a collision.
#[derive(Clone, Copy, Debug)]
struct Frames {
    data: f64,
    ack: f64,
    rts_cts: Option<(f64, f64)>,
    eifs: bool,
}

/// Octets of an MPDU of OFDM: 1500 of payload, 24 of header, 4 of check sequence, 6 that are left of LLC and SNAP in that analysis. With
/// DSSS it has 8 of them.
const OFDM_MPDU: u16 = 1_534;
const DSSS_MPDU: u16 = 1_536;

/// Frames of OFDM at `bits` per symbol; control frames have `control_bits`.
fn ofdm(bits: u32, control_bits: u32, eifs: bool, rts: bool) -> Frames {
    let us = |octets: u16, bits: u32| 20.0 + 4.0 * f64::from((16 + 8 * u32::from(octets) + 6).div_ceil(bits));
    let control = |octets| us(octets, control_bits);
    let rts_cts = rts.then(|| (control(20), control(14)));
    Frames { data: us(OFDM_MPDU, bits), ack: control(14), rts_cts, eifs }
}

/// Frames of DSSS and CCK with the long preamble at `mbps`; control frames have `control_mbps`.
fn dsss(mbps: f64, control_mbps: f64, eifs: bool, rts: bool) -> Frames {
    let us = |octets: u16, mbps: f64| 192.0 + (8.0 * f64::from(octets) / mbps).ceil();
    let control = |octets| us(octets, control_mbps);
    let rts_cts = rts.then(|| (control(20), control(14)));
    Frames { data: us(DSSS_MPDU, mbps), ack: control(14), rts_cts, eifs }
}

/// Probability that a saturated station transmits in a slot when each transmission collides with probability `p`.
fn attempts(channel: Channel, p: f64) -> f64 {
    let Channel { window, doublings, .. } = channel;
    let sum: f64 = (0..doublings).map(|stage| (2.0 * p).powi(stage)).sum();
    2.0 / (1.0 + window + p * window * sum)
}

/// Throughput in Mbit/s of saturated `stations`.
fn model(stations: u32, channel: Channel, frames: Frames) -> f64 {
    let others = f64::from(stations - 1);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = (low + high) / 2.0;
        // More collisions than that many stations make: p is too high.
        if p > 1.0 - (1.0 - attempts(channel, p)).powf(others) { high = p } else { low = p }
    }
    let tau = attempts(channel, low);
    let busy = 1.0 - (1.0 - tau).powi(stations as i32);
    let success = f64::from(stations) * tau * (1.0 - tau).powf(others);
    let Channel { slot, sifs, difs, window, .. } = channel;
    let Frames { data, ack, rts_cts, eifs } = frames;
    // The winner draws 0 with this probability and goes again at once; everybody else needs a slot more.
    let again = 1.0 / window;
    let reservation = rts_cts.map_or(0.0, |(rts, cts)| rts + sifs + cts + sifs);
    let succeeded = (reservation + data + sifs + ack + difs) / (1.0 - again) + slot;
    let first = rts_cts.map_or(data, |(rts, _)| rts);
    let collided = if eifs { first + sifs + ack + difs } else { first + difs };
    let mean = (1.0 - busy) * slot + success * succeeded + (busy - success) * collided;
    success * PAYLOAD_BITS / (1.0 - again) / mean
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
                let model = model(stations, OFDM, ofdm(bits, ack, eifs, false));
                assert!((model / published - 1.0).abs() < 0.0015, "{stations} {bits} {eifs}: {model} for {published}");
            }
        }
    }
}

/// Stations, and Mbit/s with EIFS and with DIFS behind a collision, for 1, 2, 5.5 and 11 Mbit/s of 802.11b with the long preamble: the
/// same source.
const PUBLISHED_DSSS: [(u32, [[f64; 2]; 4]); 3] = [
    (5, [[0.8418, 0.8437], [1.6170, 1.6228], [3.8565, 3.8896], [6.3821, 6.4734]]),
    (25, [[0.6973, 0.7016], [1.3442, 1.3574], [3.2385, 3.3161], [5.4217, 5.6429]]),
    (50, [[0.6285, 0.6336], [1.2124, 1.2279], [2.9266, 3.0184], [4.9103, 5.1745]]),
];

#[test]
fn the_model_is_that_of_the_published_table_of_802_11b() {
    for (stations, row) in PUBLISHED_DSSS {
        for (mbps, published) in [1.0, 2.0, 5.5, 11.0].into_iter().zip(row) {
            for (eifs, published) in [true, false].into_iter().zip(published) {
                let model = model(stations, DSSS, dsss(mbps, mbps.min(2.0), eifs, false));
                assert!((model / published - 1.0).abs() < 0.0015, "{stations} {mbps} {eifs}: {model} for {published}");
            }
        }
    }
}

/// Saturated stations that send MPDUs of `mpdu` octets with `phy` to the access point, which is one of them.
fn config(stations: u32, timing: Timing, access: Access, phy: Phy, mpdu: u16) -> CellConfig {
    let mut config = CellConfig::pair();
    // The model's EIFS holds an acknowledgement at the rate of all others.
    config.timing = Timing { lowest: timing.response_phy(phy), ..timing };
    config.after_failure = AfterFailure::Together;
    let rate = RateConfig::Fixed(phy);
    let (aggregation, retry_limit) = (Aggregation::NONE, None);
    let station = |place| StationConfig { access, rate, aggregation, retry_limit, ..saturated(place, mpdu) };
    config.stations[0] = station(0);
    config.stations.extend((1..stations).map(|place| station(place as u8 + 1)));
    config
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

/// What is measured and how far that is from the model, of 5, 10 and 50 stations with DIFS and with EIFS behind a collision. With `rts`
/// one goes in front of every frame.
fn compare(
    name: &str,
    rts: bool,
    seconds: u64,
    config: impl Fn(u32) -> CellConfig,
    expected: impl Fn(u32, bool) -> f64,
) {
    let mut report = String::new();
    let mut far = 0.0f64;
    for (eifs, stations) in [false, true].into_iter().flat_map(|eifs| [5, 10, 50].map(|stations| (eifs, stations))) {
        let mut config = CellConfig { eifs, ..config(stations) };
        config.stations.iter_mut().for_each(|station| station.rts_threshold = rts.then_some(0));
        let (measured, expected) = (throughput(config, seconds), expected(stations, eifs));
        let error = (measured / expected - 1.0) * 100.0;
        far = far.max(error.abs());
        report += &format!("{name}, EIFS {eifs}, {stations}: {measured:.4} for {expected:.4}, {error:+.2} %\n");
    }
    assert!(far < 1.5, "{report}");
}

/// All rates of OFDM that are compared.
fn compare_ofdm(rts: bool) {
    for (mbps, bits) in [(6, 24), (12, 48), (24, 96), (54, 216)] {
        let phy = Phy::ofdm(mbps).unwrap();
        let timing = Timing { responses: Responses::Mandatory, ..Timing::ghz5() };
        let config = |stations| config(stations, timing, Access::DCF, phy, OFDM_MPDU);
        let expected = |stations, eifs| model(stations, OFDM, ofdm(bits, bits.min(96), eifs, rts));
        compare(&format!("{mbps} Mbit/s, RTS {rts}"), rts, 60, config, expected);
    }
}

/// All rates of DSSS and CCK.
fn compare_dsss(rts: bool) {
    for (mcs, mbps) in [(0, 1.0), (1, 2.0), (2, 5.5), (3, 11.0)] {
        let phy = Phy::dsss(Preamble::Long, mcs);
        let config = |stations| config(stations, Timing::dsss(Preamble::Long), Access::DCF_DSSS, phy, DSSS_MPDU);
        let expected = |stations, eifs| model(stations, DSSS, dsss(mbps, mbps.min(2.0), eifs, rts));
        // As many frames as those of OFDM.
        compare(&format!("{mbps} Mbit/s, RTS {rts}"), rts, 300, config, expected);
    }
}

#[test]
fn throughput_is_that_of_the_model() {
    compare_ofdm(false);
}

#[test]
fn throughput_behind_rts_is_that_of_the_model() {
    compare_ofdm(true);
}

#[test]
fn throughput_of_802_11b_is_that_of_the_model() {
    compare_dsss(false);
    compare_dsss(true);
}
