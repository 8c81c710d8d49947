//! Rate control, and PPDUs of 40 MHz beside neighbours.

use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Aggregation, Guard, Phy, Width};
use airtime_wifi::cell::{CellConfig, Errors, Secondary, WidePolicy};
use airtime_wifi::mac::RateConfig;
use airtime_wifi::trace::OnAir;

use super::support::{Bench, SGI7, STA, saturated};

const END: Instant = Instant::from_nanos(10_000_000_000);

/// Error rates of a link that carries MCS 4 well and MCS 5 badly.
const PER: [f64; 8] = [0.0, 0.0, 0.0, 0.01, 0.05, 0.6, 0.95, 1.0];

fn cell(rate: RateConfig, per: &[f64]) -> CellConfig {
    let mut config = CellConfig::pair();
    config.stations[0] = saturated(0, 1_482);
    config.stations[0].rate = rate;
    config.stations[0].errors = Errors { per: per.to_vec(), ..Errors::default() };
    config.stations[0].retry_limit = None;
    config
}

fn delivered(rate: RateConfig, per: &[f64]) -> u64 {
    let mut bench = Bench::new(cell(rate, per), 6);
    bench.run(END, |_, _| ());
    bench.cell.counters(STA).delivered
}

#[test]
fn minstrel_finds_the_rate_that_carries_most() {
    let fixed: Vec<u64> = (0..8).map(|mcs| delivered(RateConfig::Fixed(Phy { mcs, ..SGI7 }), &PER)).collect();
    let best = (0..8).max_by_key(|&mcs| fixed[mcs]).unwrap();
    assert_eq!(best, 4, "{fixed:?}");
    let mut bench = Bench::new(cell(RateConfig::minstrel(SGI7), &PER), 6);
    let on_air = bench.on_air(END);
    let minstrel = bench.cell.counters(STA).delivered;
    // One PPDU in ten is a single MPDU at another rate.
    assert!(minstrel * 100 > fixed[4] * 90 && minstrel < fixed[4], "{minstrel} {fixed:?}");
    let late: Vec<&OnAir> = on_air.iter().filter(|sent| sent.start > Instant::from_nanos(2_000_000_000)).collect();
    let at_best = late.iter().filter(|sent| sent.phy.mcs == 4).count();
    assert!(at_best * 100 > late.len() * 75, "{at_best} of {}", late.len());
}

#[test]
fn minstrel_keeps_the_highest_rate_of_a_good_link_and_survives_a_dead_one() {
    let good = delivered(RateConfig::minstrel(SGI7), &[]);
    assert!(good * 100 > delivered(RateConfig::Fixed(SGI7), &[]) * 90);
    assert_eq!(delivered(RateConfig::minstrel(SGI7), &[1.0; 8]), 0);
}

const HT40: Phy = Phy::ht(Width::Mhz40, Guard::Ns400, 7);

/// Goodput in Mbit/s with neighbours whose exchanges of 1 ms take `percent` of their channel when nobody disturbs them.
fn wide(percent: u64, policy: WidePolicy, heard: bool) -> (f64, Vec<OnAir>) {
    let mut config = cell(RateConfig::Fixed(HT40), &[]);
    let exchange = Duration::from_millis(1);
    config.secondary =
        (percent > 0).then(|| Secondary { exchange, every: exchange * 100 / percent.max(1), policy, heard });
    let mut bench = Bench::new(config, 6);
    let on_air = bench.on_air(END);
    (bench.cell.counters(STA).delivered as f64 * 1_400.0 * 8.0 / 10e6, on_air)
}

#[test]
fn narrowing_never_does_worse_than_20_mhz() {
    let narrow = delivered(RateConfig::Fixed(SGI7), &[]) as f64 * 1_400.0 * 8.0 / 10e6;
    let (free, _) = wide(0, WidePolicy::Fallback, true);
    assert!((free - 130.87).abs() < 1.0, "{free}");
    let mut before = free;
    for percent in [10, 30, 60, 90] {
        let (fallback, on_air) = wide(percent, WidePolicy::Fallback, true);
        assert!(fallback < before && fallback > narrow * 0.99, "{percent}: {fallback} {narrow}");
        assert!(on_air.iter().any(|sent| sent.phy.width == Width::Mhz20));
        before = fallback;
    }
}

#[test]
fn deferring_single_frames_to_long_exchanges_does_worse_than_20_mhz() {
    let single = |phy, secondary| {
        let mut config = cell(RateConfig::Fixed(phy), &[]);
        config.stations[0].aggregation = Aggregation::NONE;
        config.secondary = secondary;
        let mut bench = Bench::new(config, 6);
        let on_air = bench.on_air(END);
        assert!(on_air.iter().all(|sent| sent.phy.width == phy.width));
        bench.cell.counters(STA).delivered
    };
    let (exchange, every) = (Duration::from_millis(1), Duration::from_micros(1_200));
    let busy = Secondary { exchange, every, policy: WidePolicy::Defer, heard: true };
    let (narrow, free, deferring) = (single(SGI7, Some(busy)), single(HT40, None), single(HT40, Some(busy)));
    assert!(deferring < narrow && narrow < free, "{deferring} {narrow} {free}");
}

#[test]
fn neighbours_that_nobody_hears_cross_the_line_at_some_load() {
    let narrow = delivered(RateConfig::Fixed(SGI7), &[]) as f64 * 1_400.0 * 8.0 / 10e6;
    let row: Vec<f64> = [5, 20, 40, 60, 80].map(|percent| wide(percent, WidePolicy::Fallback, false).0).to_vec();
    assert!(row.windows(2).all(|pair| pair[1] < pair[0]), "{row:?}");
    assert!(row[0] > narrow && row[4] < narrow, "{row:?} {narrow}");
}
