//! Several stations: shares of the channel, access categories, cross traffic, beacons.

use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation, Phy};
use airtime_wifi::cell::{Beacons, CellConfig, StationConfig, StationId, Traffic};
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::trace::PpduOutcome;

use super::support::{AP, Bench, SGI7, STA, saturated};

const SECONDS: u64 = 20;
const END: Instant = Instant::from_nanos(SECONDS * 1_000_000_000);

/// Stations 0, 2, 3... with these parameters, all of them saturated.
fn cell(stations: impl IntoIterator<Item = StationConfig>) -> CellConfig {
    let mut config = CellConfig::pair();
    let mut stations = stations.into_iter();
    config.stations[0] = stations.next().expect("one at least");
    config.stations.extend(stations);
    config
}

/// MPDUs that arrived from each station but the access point.
fn delivered(bench: &Bench, count: u16) -> Vec<u64> {
    (0..=count)
        .filter(|&place| StationId(place) != AP)
        .map(|place| bench.cell.counters(StationId(place)).delivered)
        .collect()
}

#[test]
fn equal_stations_get_equal_shares() {
    for count in [2u8, 5, 20] {
        let single = |place| StationConfig { aggregation: Aggregation::NONE, ..saturated(place, 500) };
        let mut bench = Bench::new(cell((0..=count).filter(|&p| p != 1).map(single)), 2);
        bench.run(END, |_, _| ());
        let shares = delivered(&bench, count.into());
        let sum: u64 = shares.iter().sum();
        let squares: u64 = shares.iter().map(|share| share * share).sum();
        // Jain's index: 1 when all are equal.
        let index = (sum * sum) as f64 / (shares.len() as f64 * squares as f64);
        assert!(index > 0.99, "{count}: {index:.4} {shares:?}");
    }
}

#[test]
fn a_slow_station_gets_as_many_frames_and_most_of_the_time() {
    // The anomaly of 802.11: equal chances, so equal numbers of single frames, and the slow one takes the channel.
    let single = |place, mcs| StationConfig {
        rate: RateConfig::Fixed(Phy { mcs, ..SGI7 }),
        aggregation: Aggregation::NONE,
        ..saturated(place, 1_482)
    };
    let mut bench = Bench::new(cell([single(0, 7), single(2, 0)]), 2);
    bench.run(END, |_, _| ());
    let shares = delivered(&bench, 2);
    // After a collision the fast one has given up waiting long before the slow one's frame ends, so it is a little ahead.
    assert!(shares[0] > shares[1] && (shares[0] - shares[1]) * 6 < shares[0], "{shares:?}");
    // Alone at MCS 7 it would be 31.24 Mbit/s.
    assert!(shares[0] * 1_400 * 8 < SECONDS * 6_000_000, "{shares:?}");
}

#[test]
fn access_categories_are_served_in_their_order() {
    let categories = [Access::VOICE, Access::VIDEO, Access::BEST_EFFORT, Access::BACKGROUND];
    let stations = categories.into_iter().zip([0, 2, 3, 4]);
    let mut bench =
        Bench::new(cell(stations.map(|(access, place)| StationConfig { access, ..saturated(place, 500) })), 2);
    bench.run(END, |_, _| ());
    let shares = delivered(&bench, 4);
    assert!(shares.windows(2).all(|pair| pair[0] > 2 * pair[1]), "{shares:?}");
}

#[test]
fn with_mean_backoffs_stations_take_turns_and_never_collide() {
    let mut config = cell((0..5).filter(|&p| p != 1).map(|place| saturated(place, 1_482)));
    config.backoff = Backoff::Mean;
    let mut bench = Bench::new(config, 2);
    let on_air = bench.on_air(END);
    assert!(on_air.iter().all(|sent| sent.outcome == PpduOutcome::Heard));
    let shares = delivered(&bench, 4);
    assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 64, "{shares:?}");
}

#[test]
fn cross_traffic_arrives_at_its_rate_and_takes_its_time() {
    let every = Duration::from_micros(2_000);
    let cross = StationConfig { traffic: Traffic::Poisson { to: AP, mpdu: 1_482, every }, ..StationConfig::usual(2) };
    let mut alone = Bench::new(cell([saturated(0, 1_482)]), 2);
    alone.run(END, |_, _| ());
    let mut shared = Bench::new(cell([saturated(0, 1_482), cross]), 2);
    shared.run(END, |_, _| ());
    let arrived = shared.cell.counters(StationId(2)).delivered as f64;
    let expected = SECONDS as f64 * 500.0;
    // A Poisson count has the standard deviation of the root of its mean.
    assert!((arrived - expected).abs() < 4.0 * expected.sqrt(), "{arrived}");
    assert!(shared.cell.counters(StationId(2)).overflowed * 100 < shared.cell.counters(StationId(2)).delivered);
    let (alone, shared) = (alone.cell.counters(STA).delivered, shared.cell.counters(STA).delivered);
    assert!(shared < alone * 97 / 100, "{shared} {alone}");
}

#[test]
fn more_than_the_channel_takes_overflows() {
    let every = Duration::from_micros(50);
    let cross = StationConfig { traffic: Traffic::Poisson { to: AP, mpdu: 1_482, every }, ..StationConfig::usual(2) };
    let mut bench = Bench::new(cell([StationConfig::usual(0), cross]), 2);
    bench.run(END, |_, _| ());
    let counters = bench.cell.counters(StationId(2));
    assert!(counters.overflowed > counters.delivered, "{counters:?}");
    assert!(bench.cell.queued(StationId(2)) <= 32);
}

#[test]
fn beacons_come_every_interval_and_cost_their_time() {
    let mut config = cell([saturated(0, 1_482)]);
    config.beacons = Some(Beacons::usual(b"airtime"));
    let mut bench = Bench::new(config, 2);
    let on_air = bench.on_air(END);
    let beacons: Vec<_> = on_air.iter().filter(|sent| sent.from == AP).collect();
    assert_eq!(beacons.len() as u64, END.as_nanos() / 102_400_000);
    let mut collided = 0;
    for (index, beacon) in beacons.iter().enumerate() {
        let due = Instant::ZERO + Duration::from_micros(102_400) * (index as u64 + 1);
        // Behind one A-MPDU and its Block Ack, or a few.
        assert!(beacon.start >= due && beacon.start - due < Duration::from_millis(30), "{index}");
        collided += u64::from(beacon.outcome == PpduOutcome::Collided);
        assert_eq!((beacon.to, beacon.response), (None, None));
    }
    assert!(collided < beacons.len() as u64 / 2);
}

#[test]
fn the_access_point_serves_its_stations_in_turn() {
    let mut bench = Bench::new(cell([StationConfig::usual(0), StationConfig::usual(2)]), 2);
    for number in 0..128 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, AP, StationId(number % 2 * 2), frame).unwrap();
    }
    let receivers: Vec<u16> = bench.on_air(END).iter().map(|sent| sent.to.unwrap().0).collect();
    assert_eq!(receivers, [0, 2, 0, 2]);
}

#[test]
fn probe_requests_and_answers_wait_as_many_as_there_are_buffers() {
    // Two stations with 10,000 probe requests a second each, at 1 Mbit/s: the channel takes a few hundred, and as many answers.
    let probes = Traffic::Probes { every: Duration::from_micros(100) };
    let mut config = cell([0, 2].map(|place| StationConfig { traffic: probes, ..StationConfig::usual(place) }));
    config.beacons = Some(Beacons::usual(b"airtime"));
    let mut bench = Bench::new(config, 1);
    bench.run(END, |_, _| ());
    let [asked, answered] = [STA, AP].map(|station| *bench.cell.counters(station));
    assert!(asked.overflowed > 9_000 * SECONDS && asked.ppdus + asked.overflowed < 11_000 * SECONDS, "{asked:?}");
    assert!(answered.overflowed > 0 && answered.ppdus > 0, "{answered:?}");
}
