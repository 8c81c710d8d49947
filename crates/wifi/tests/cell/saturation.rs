//! A saturated station alone on its channel: the closed form, exactly or within three standard errors.

use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation, Cycle, Guard, Phy, Timing, Width};
use airtime_wifi::cell::CellConfig;
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::trace::OnAir;

use super::support::{Bench, SGI7, STA, saturated};

fn alone(phy: Phy, window: u16, backoff: Backoff) -> CellConfig {
    let mut config = CellConfig::pair();
    config.backoff = backoff;
    config.stations[0] = saturated(0, 1_482);
    config.stations[0].rate = RateConfig::Fixed(phy);
    config.stations[0].aggregation = Aggregation::ht(window);
    config
}

/// Starts of PPDUs from one to the next.
fn cycles(on_air: &[OnAir]) -> Vec<Duration> {
    on_air.windows(2).map(|pair| pair[1].start - pair[0].start).collect()
}

/// Every rate of 802.11g, HT20 and HT40 with both guard intervals, and HE20.
fn every_phy() -> Vec<Phy> {
    let ht = |width, guard| (0..8).map(move |mcs| Phy::ht(width, guard, mcs));
    (0..8)
        .map(|mcs| Phy { mcs, ..Phy::ofdm6() })
        .chain(ht(Width::Mhz20, Guard::Ns400))
        .chain(ht(Width::Mhz20, Guard::Ns800))
        .chain(ht(Width::Mhz40, Guard::Ns400))
        .chain(ht(Width::Mhz40, Guard::Ns800))
        .chain((0..12).map(|mcs| Phy::he(Width::Mhz20, Guard::Ns800, mcs)))
        .collect()
}

#[test]
fn with_the_mean_backoff_every_cycle_is_the_closed_form() {
    for (phy, window) in every_phy().into_iter().flat_map(|phy| [1, 2, 6, 16, 32, 64].map(|window| (phy, window))) {
        let mut bench = Bench::new(alone(phy, window, Backoff::Mean), 1);
        let on_air = bench.on_air(Instant::from_nanos(200_000_000));
        let limits = Aggregation::ht(window);
        let form = Cycle::new(&Timing::ghz24(), Access::BEST_EFFORT, &limits, phy, 1_482, u32::from(window));
        assert!(on_air.len() > 10);
        assert!(cycles(&on_air).iter().all(|&cycle| cycle == form.total()), "{phy:?} {window}");
        let sent = on_air.len() as u64 * u64::from(form.mpdus);
        assert!(bench.cell.counters(STA).delivered.abs_diff(sent) <= u64::from(form.mpdus));
    }
}

#[test]
fn with_random_backoffs_the_mean_is_within_three_standard_errors() {
    for window in [1, 6, 32] {
        let mut bench = Bench::new(alone(SGI7, window, Backoff::Random), 7);
        let on_air = bench.on_air(Instant::from_nanos(20_000_000_000));
        let form = Cycle::new(&Timing::ghz24(), Access::BEST_EFFORT, &Aggregation::ht(window), SGI7, 1_482, 64);
        let cycles = cycles(&on_air);
        let count = cycles.len() as f64;
        let mean = cycles.iter().map(|cycle| cycle.as_nanos() as f64).sum::<f64>() / count;
        // A uniform number of 0 to 15 slots has a standard deviation of sqrt((16² - 1) / 12) slots.
        let error = (255.0f64 / 12.0).sqrt() * 9_000.0 / count.sqrt();
        let expected = form.total().as_nanos() as f64;
        assert!((mean - expected).abs() < 3.0 * error, "{window}: {mean} instead of {expected} ± {error}");
        assert!(cycles.iter().any(|cycle| *cycle != cycles[0]), "backoffs are random");
    }
}
