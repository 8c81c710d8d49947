//! Power save: what the access point holds, for how long, and what wakes the station. Closed forms, to the nanosecond.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Phy, Timing, mpdu_octets};
use airtime_wifi::cell::{Beacons, CellConfig, CellOutput, Dozed, Errors, PowerSave};
use airtime_wifi::mac::Backoff;
use airtime_wifi::trace::{OnAir, PpduOutcome};

use super::support::{AP, Bench, SGI7, STA};

/// Between two beacons.
const BEACON: Duration = Duration::from_micros(102_400);
/// Time for which the station stays awake.
const MIN_ACTIVE: Duration = Duration::from_millis(50);
/// Octets of a Null frame, FCS included, and of the Ethernet frame of an echo request.
const NULL: u32 = 24 + 4;
const ECHO: usize = 98;

fn ms(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

/// A station that wakes for every so many beacons, with the mean of every backoff.
fn config(every: u16) -> CellConfig {
    CellConfig {
        backoff: Backoff::Mean,
        beacons: Some(Beacons::usual(b"airtime")),
        power_save: Some(PowerSave { station: STA, every, dtim_period: every as u8, min_active: MIN_ACTIVE }),
        ..CellConfig::pair()
    }
}

/// Everything that arrives, with its instant, and everything on the air.
fn watch(bench: &mut Bench, end: Instant) -> (Vec<Instant>, Vec<OnAir>) {
    let (mut arrived, mut all) = (Vec::new(), Vec::new());
    bench.run(end, |now, output| match output {
        CellOutput::Delivered { .. } => arrived.push(now),
        CellOutput::OnAir(on_air) => all.push(on_air),
        _ => {}
    });
    (arrived, all)
}

/// The mean backoff of a queue that found the channel busy, behind its inter-frame space.
fn contended(access: Access) -> Duration {
    let timing = Timing::ghz24();
    timing.aifs(access.aifsn) + timing.slot * u64::from(access.cw_min) / 2
}

/// From the end of a beacon that names the station to the end of the frame that was held: the Null frame and its acknowledgement, then
/// the frame, whose count has begun behind the Null frame already.
fn fetched() -> Duration {
    let (timing, low) = (Timing::ghz24(), Phy::dsss1());
    let null = contended(Access::VOICE) + timing.ppdu(low, NULL + low.alone()) + timing.sifs + timing.ack(low);
    let data = SGI7.alone() + mpdu_octets(ECHO as u32, true);
    null + contended(Access::BEST_EFFORT) + timing.ppdu(SGI7, data)
}

/// The beacon that starts next behind `at`: its start and its end.
fn beacon_from(all: &[OnAir], at: Instant) -> (Instant, Instant) {
    let beacons = all.iter().filter(|sent| sent.from == AP && sent.to.is_none());
    let beacon = beacons.map(|sent| (sent.start, sent.end)).find(|(start, _)| *start >= at);
    beacon.expect("there are beacons")
}

/// The wait of an echo request that comes to the access point at `at`, with a station that wakes every so many beacons.
fn wait(every: u16, at: Instant) -> Duration {
    let mut bench = Bench::new(config(every), 1);
    bench.run(at, |_, _| ());
    let frame = bench.frame(0, ECHO);
    bench.cell.offer(at, AP, STA, frame).unwrap();
    assert_eq!(bench.cell.holding(), Some(AP));
    let (arrived, all) = watch(&mut bench, at + BEACON * (u64::from(every) + 2));
    let due = BEACON * u64::from(every);
    let target = Instant::ZERO + due * (at.as_nanos().div_ceil(due.as_nanos()));
    let (start, end) = beacon_from(&all, target);
    // The beacon has the first slot there is: the channel was idle.
    assert!(start - target < Duration::from_micros(9), "{start} {target}");
    assert_eq!(arrived, [end + fetched()], "{every} {at}");
    assert_eq!(bench.cell.holding(), None);
    let dozed = bench.cell.dozed(bench.now).unwrap();
    assert_eq!((dozed.held, dozed.fetches), (1, 1));
    arrived[0] - at
}

/// Instants that are spread evenly over a period of `every` beacons wait for half of it on average, and the exchange.
#[test]
fn what_comes_to_a_station_that_dozes_waits_for_its_beacon() {
    for every in [1_u16, 3, 10] {
        let (period, count) = (BEACON * u64::from(every), 16_u64);
        let from = Instant::ZERO + period * 2;
        let waits = (0..count).map(|place| wait(every, from + period * (2 * place + 1) / (2 * count)));
        let waits: Vec<u64> = waits.map(Duration::as_nanos).collect();
        let (mean, worst) = (waits.iter().sum::<u64>() / count, *waits.iter().max().unwrap());
        // On top of the period: the beacon itself, some 1.2 ms at 1 Mbit/s, and the exchange.
        let more = mean - period.as_nanos() / 2;
        assert!((1_900_000..3_000_000).contains(&more), "{every}: {more}");
        assert_eq!(worst - mean, period.as_nanos() * (count - 1) / (2 * count), "{every}");
    }
}

#[test]
fn with_a_listen_interval_of_ten_it_waits_up_to_a_second() {
    let worst = wait(10, Instant::ZERO + BEACON * 10 + Duration::from_micros(1));
    assert!(worst > Duration::from_millis(1_024) && worst < Duration::from_millis(1_027), "{worst}");
}

/// Its own request wakes the station at once, and the answer comes while it is awake.
#[test]
fn what_the_station_asks_for_is_answered_at_once() {
    let mut bench = Bench::new(config(10), 1);
    let at = ms(500);
    bench.run(at, |_, _| ());
    assert_eq!(bench.cell.dozed(at), Some(Dozed { dozes: 1, asleep: at - ms(50) - left(), ..Dozed::default() }));
    let frame = bench.frame(0, ECHO);
    bench.cell.offer(at, STA, AP, frame).unwrap();
    let (arrived, all) = watch(&mut bench, at + Duration::from_millis(2));
    let [request] = arrived[..] else { panic!("{arrived:?}") };
    assert!(request - at < Duration::from_micros(200), "{request}");
    // The far end takes its time, and less than the station stays awake.
    let answer = request + Duration::from_millis(30);
    let (none, _) = watch(&mut bench, answer);
    let frame = bench.frame(0, ECHO);
    bench.cell.offer(answer, AP, STA, frame).unwrap();
    assert_eq!(bench.cell.holding(), None);
    let (arrived, _) = watch(&mut bench, answer + Duration::from_millis(2));
    assert!(none.is_empty() && arrived[0] - answer < Duration::from_micros(200), "{arrived:?}");
    assert!(all.iter().all(|sent| sent.outcome == PpduOutcome::Heard));
    // It dozes again when its time behind the answer is over.
    let (_, all) = watch(&mut bench, ms(700));
    let null = all.iter().find(|sent| sent.from == STA).expect("a Null frame");
    let slot = Timing::ghz24().slot;
    let due = null.start - arrived[0];
    assert!(due >= MIN_ACTIVE && due < MIN_ACTIVE + slot, "{due}");
}

/// From the end of its time to the acknowledgement of its Null frame, on an idle channel.
fn left() -> Duration {
    let (timing, low) = (Timing::ghz24(), Phy::dsss1());
    let mut bench = Bench::new(config(10), 1);
    let (_, all) = watch(&mut bench, ms(60));
    let null = &all[0];
    let slots = null.start - ms(50);
    assert!(slots < timing.slot, "it waits for a boundary of slots: {slots}");
    assert_eq!(null.end - null.start, timing.ppdu(low, NULL + low.alone()));
    slots + timing.ppdu(low, NULL + low.alone()) + timing.sifs + timing.ack(low)
}

/// With frames less than its time apart the station never dozes, and nothing is held.
#[test]
fn what_comes_often_keeps_it_awake() {
    let mut bench = Bench::new(config(3), 1);
    for place in 0..50 {
        let at = ms(20 + 40 * place);
        bench.run(at, |_, _| ());
        let frame = bench.frame(place as u16, ECHO);
        bench.cell.offer(at, AP, STA, frame).unwrap();
        assert_eq!(bench.cell.holding(), None);
    }
    assert_eq!(bench.cell.dozed(bench.now), Some(Dozed::default()));
}

/// A backlog comes at once, in order and in aggregates, when the station is awake.
#[test]
fn what_was_held_comes_at_once() {
    let mut bench = Bench::new(config(3), 1);
    bench.run(ms(120), |_, _| ());
    for number in 0..64 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(ms(120), AP, STA, frame).unwrap();
    }
    let (arrived, all) = watch(&mut bench, ms(400));
    assert_eq!(arrived.len(), 64);
    let data = all.iter().filter(|sent| sent.from == AP && sent.to == Some(STA)).count();
    assert_eq!(data, 2, "aggregates of 32");
    let (first, last) = (arrived[0], arrived[63]);
    assert!(last - first < Duration::from_millis(12), "{first} {last}");
    assert_eq!(bench.cell.dozed(ms(400)).unwrap().held, 64);
}

/// Null frames and beacons that get lost delay what is held, and lose nothing of it; the same seed gives the same.
#[test]
fn losses_delay_and_lose_nothing() {
    let run = |seed| {
        let mut config = config(2);
        config.backoff = Backoff::Random;
        for station in &mut config.stations {
            station.errors = Errors { loss: Loss::Packet { per: 0.3 }, ..Errors::default() };
            station.retry_limit = None;
        }
        let mut bench = Bench::new(config, seed);
        let mut arrived = Vec::new();
        for place in 0..200_u64 {
            let at = ms(10 + 137 * place);
            bench.run(at, |now, output| {
                if let CellOutput::Delivered { .. } = output {
                    arrived.push(now);
                }
            });
            let frame = bench.frame(place as u16, ECHO);
            bench.cell.offer(at, AP, STA, frame).unwrap();
        }
        bench.run(ms(40_000), |now, output| {
            if let CellOutput::Delivered { .. } = output {
                arrived.push(now);
            }
        });
        (arrived, bench.cell.dozed(bench.now).unwrap())
    };
    let (arrived, dozed) = run(1);
    assert_eq!(arrived.len(), 200);
    assert!(dozed.held > 100 && dozed.fetches > 100, "{dozed:?}");
    assert_eq!(run(1), (arrived, dozed));
}

#[test]
#[should_panic(expected = "who dozes is a station, and wakes for the beacons of an access point")]
fn nobody_dozes_without_beacons() {
    let _ = Bench::new(CellConfig { beacons: None, ..config(1) }, 1);
}
