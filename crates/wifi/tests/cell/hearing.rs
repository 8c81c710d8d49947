//! What reaches stations that only listen, and what is lost of a PPDU.

use std::collections::BTreeMap;

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Aggregation, Guard, Phy, Timing, Width};
use airtime_wifi::cell::{CellConfig, Collided, Errors, StationConfig, StationId};
use airtime_wifi::mac::RateConfig;
use airtime_wifi::trace::{MpduFate, PpduOutcome};

use super::support::{AP, Bench, STA, saturated, us};

/// A station that listens, and has a frame to send meanwhile.
const OTHER: StationId = StationId(2);

/// Spaces in front of the frame of the listener, in µs, behind a frame of the station that nobody answered, and behind one that
/// somebody did; with how often each came.
fn spaces(loss: Loss, seeds: u64) -> [BTreeMap<u64, u32>; 2] {
    let mut config = CellConfig { eifs: true, ..CellConfig::pair() };
    config.stations.push(StationConfig::usual(2));
    config.stations[0].retry_limit = Some(1);
    config.stations[0].aggregation = Aggregation::NONE;
    config.stations[0].errors = Errors { loss, ..Errors::default() };
    let mut seen = [BTreeMap::new(), BTreeMap::new()];
    for seed in 0..seeds {
        let mut bench = Bench::new(config.clone(), seed);
        bench.run(us(1_000), |_, _| ());
        let frame = bench.frame(0, 1_442);
        bench.cell.offer(us(1_000), STA, AP, frame).unwrap();
        bench.run(us(1_100), |_, _| ());
        let frame = bench.frame(0, 1_442);
        bench.cell.offer(us(1_100), OTHER, AP, frame).unwrap();
        let on_air = bench.on_air(us(5_000));
        assert_eq!((on_air[0].from, on_air[1].from), (STA, OTHER));
        let answered = on_air[0].outcome == PpduOutcome::Heard;
        *seen[usize::from(answered)].entry(on_air[1].ifs.as_micros()).or_insert(0) += 1;
    }
    seen
}

#[test]
fn every_receiver_draws_for_itself_and_a_duration_field_keeps_who_has_read_it_quiet() {
    let aifs = 37;
    // Nothing is lost: SIFS and acknowledgement are over when the channel is idle.
    assert_eq!(spaces(Loss::None, 5), [BTreeMap::new(), BTreeMap::from([(aifs, 5)])]);
    // Who has the frame expects SIFS and an acknowledgement at 24 Mbit/s, 10 + 34, which never come; who has it damaged waits EIFS, 314
    // more than DIFS; who has missed it waits for neither.
    let [alone, answered] = spaces(Loss::Shares { miss: 0.3, damage: 0.3 }, 2_000);
    let kinds: Vec<u64> = alone.keys().copied().collect();
    assert_eq!(kinds, [aifs, aifs + 44, aifs + 314]);
    let all: u32 = alone.values().sum();
    // 0.3 are missed and 0.3 damaged, of the listener's own draws.
    for (space, share) in [(aifs, 0.3), (aifs + 44, 0.4), (aifs + 314, 0.3)] {
        let seen = f64::from(alone[&space]) / f64::from(all);
        assert!((seen - share).abs() < 0.04, "{space} us: {seen} for {share}");
    }
    // An acknowledgement that it has read ends EIFS, and what it had missed no longer matters.
    assert_eq!(answered.keys().copied().collect::<Vec<_>>(), [aifs]);
}

#[test]
fn a_ppdu_that_is_missed_takes_all_its_mpdus_with_it() {
    let mut config = CellConfig::pair();
    let errors = Errors { loss: Loss::Shares { miss: 0.1, damage: 0.0 }, ..Errors::default() };
    config.stations[0] = StationConfig { errors, retry_limit: None, ..saturated(0, 1_482) };
    let mut bench = Bench::new(config, 11);
    bench.cell.watched(true);
    let on_air = bench.on_air(Instant::ZERO + Duration::from_secs(20));
    let missed = |fate: MpduFate| fate == MpduFate::Missed;
    let (mut lost, mut all) = (0, 0);
    for sent in &on_air {
        let count = sent.mpdus.iter().filter(|mpdu| missed(mpdu.fate)).count();
        assert!(count == 0 || count == sent.mpdus.len(), "{count} of {}", sent.mpdus.len());
        (lost, all) = (lost + count, all + sent.mpdus.len());
    }
    let counters = *bench.cell.counters(STA);
    // The last PPDU may still be under way.
    assert!(counters.missed.abs_diff(lost as u64) <= 32 && counters.missed == counters.lost, "{lost} {counters:?}");
    assert!((lost as f64 / all as f64 - 0.1).abs() < 0.02, "{lost} of {all}");
    assert_eq!(
        counters.unanswered,
        on_air.iter().filter(|sent| sent.outcome == PpduOutcome::NoResponse).count() as u64
    );
}

#[test]
fn a_collision_costs_eifs_unless_it_is_missed() {
    for (collided, space) in [(Collided::Damaged, 34 + 60), (Collided::Missed, 34)] {
        let station = |place| StationConfig {
            access: airtime_wifi::air::Access::DCF,
            aggregation: Aggregation::NONE,
            ..StationConfig::usual(place)
        };
        let mut config = CellConfig { eifs: true, collided, timing: Timing::ghz5(), ..CellConfig::pair() };
        config.stations = (0..4).map(station).collect();
        let mut bench = Bench::new(config, 3);
        for from in [0, 2] {
            let frame = bench.frame(0, 1_442);
            bench.cell.offer(Instant::ZERO, StationId(from), AP, frame).unwrap();
        }
        bench.run(us(50), |_, _| ());
        let frame = bench.frame(0, 1_442);
        bench.cell.offer(us(50), StationId(3), AP, frame).unwrap();
        let on_air = bench.on_air(us(20_000));
        assert!(on_air[..2].iter().all(|sent| sent.outcome == PpduOutcome::Collided));
        let listener = on_air.iter().find(|sent| sent.from == StationId(3)).unwrap();
        if listener.idle_since == on_air[0].end {
            assert_eq!(listener.ifs, Duration::from_micros(space), "{collided:?}");
        } else {
            panic!("the seed lets the listener go first");
        }
    }
}

#[test]
fn noise_strikes_fast_rates_first_and_gives_a_rate_control_something_to_choose_by() {
    let phy = |mcs| Phy::ht(Width::Mhz20, Guard::Ns400, mcs);
    let delivered = |rate, snr_db| {
        let mut config = CellConfig::pair();
        let errors = Errors { snr_db: Some(snr_db), ..Errors::default() };
        config.stations[0] = StationConfig { rate, errors, retry_limit: None, ..saturated(0, 1_482) };
        let mut bench = Bench::new(config, 5);
        bench.run(Instant::ZERO + Duration::from_secs(4), |_, _| ());
        bench.cell.counters(STA).delivered
    };
    let fixed = |mcs, snr_db| delivered(RateConfig::Fixed(phy(mcs)), snr_db);
    assert!(fixed(7, 30.0) > fixed(4, 30.0), "without errors the fastest is the fastest");
    assert!(fixed(7, 17.0) == 0 && fixed(4, 17.0) > 1_000, "17 dB are enough for 16-QAM, and not for 64-QAM");
    let chosen = delivered(RateConfig::minstrel(phy(7)), 17.0);
    let best = (0..8).map(|mcs| fixed(mcs, 17.0)).max().unwrap();
    assert!(chosen * 10 > best * 8, "{chosen} of {best}");
}
