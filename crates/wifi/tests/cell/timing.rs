//! Exchanges to the nanosecond.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation, Phy, Timing};
use airtime_wifi::cell::{CellConfig, CellOutput, Errors, StationConfig, StationId};
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::trace::{MpduFate, OnAir, PpduOutcome, TxFailure};

use super::support::{AP, Bench, STA, us};

/// What a bench tells, in words: time in ns, and what it is.
fn words(at: Instant, output: &CellOutput) -> String {
    let ns = at.as_nanos();
    match output {
        CellOutput::Delivered { from, msdu, .. } => format!("{ns} from {} delivered {}", from.0, msdu.len()),
        CellOutput::Done { station, failure, buffers } => format!("{ns} done {} x{buffers} {failure:?}", station.0),
        CellOutput::OnAir(OnAir { from, idle_since, ready, ifs, start, end, response, .. }) => {
            let [idle, ready, start, end] = [idle_since, ready, start, end].map(|at| at.as_nanos());
            let response = response.map(|(start, end)| (start.as_nanos(), end.as_nanos()));
            format!("{ns} air {} {idle} {ready} +{} {start} {end} {response:?}", from.0, ifs.as_nanos())
        }
        CellOutput::Heard { .. } => format!("{ns} heard"),
    }
}

#[test]
fn two_stations_exchange_frames_at_known_instants() {
    let mut config = CellConfig::pair();
    config.backoff = Backoff::Mean;
    let mut bench = Bench::new(config, 1);
    let mut trace = Vec::new();
    bench.run(us(1_001), |_, _| unreachable!("nobody has anything to send"));
    // AIFS 37 after the start of the run, then slots of 9 µs: the next boundary is at 1009.
    let frame = bench.frame(1, 1_442);
    bench.cell.offer(us(1_001), STA, AP, frame).unwrap();
    bench.run(us(1_219), |at, output| trace.push(words(at, &output)));
    // The answer finds the channel busy and draws a backoff; another frame comes while it counts.
    let frame = bench.frame(2, 54);
    bench.cell.offer(us(1_219), AP, STA, frame).unwrap();
    bench.run(us(1_270), |at, output| trace.push(words(at, &output)));
    for number in 3..5 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(us(1_270), STA, AP, frame).unwrap();
    }
    bench.run(us(5_000), |at, output| trace.push(words(at, &output)));
    let expected = [
        // 42 µs of preamble and extension, 46 symbols of 3.6 µs end at 168 µs.
        "1219000 from 0 delivered 1442",
        "1263000 done 0 x1 None",
        "1263000 air 0 0 1001000 +0 1009000 1219000 Some((1229000, 1263000))",
        // 1263 + AIFS 37 + 67.5; 94 octets are 3 symbols of 3.6, so 12 µs.
        "1421500 from 1 delivered 54",
        "1465500 done 1 x1 None",
        "1465500 air 1 1263000 1263000 +37000 1367500 1421500 Some((1431500, 1465500))",
        // Its backoff was over at the same instant, so it goes after AIFS: two MPDUs, and a Block Ack of 38 µs.
        "1876500 from 0 delivered 1442",
        "1876500 from 0 delivered 1442",
        "1924500 done 0 x2 None",
        "1924500 air 0 1465500 1465500 +37000 1502500 1876500 Some((1886500, 1924500))",
    ];
    assert_eq!(trace, expected);
}

/// 802.11a at 6 Mbit/s, single frames, DCF: the access point and stations 0, 2 and 3.
fn ofdm6() -> CellConfig {
    let station = |place| StationConfig {
        access: Access::DCF,
        rate: RateConfig::Fixed(Phy::ofdm6()),
        aggregation: Aggregation::NONE,
        encrypted: false,
        ..StationConfig::usual(place)
    };
    let mut config = CellConfig::pair();
    config.timing = Timing::ghz5();
    config.stations = (0..4).map(station).collect();
    config
}

#[test]
fn after_a_collision_senders_wait_for_their_timeout_and_others_for_eifs() {
    for (eifs, space) in [(true, 94), (false, 34)] {
        let mut bench = Bench::new(CellConfig { eifs, ..ofdm6() }, 3);
        let offer = |bench: &mut Bench, at, from| {
            let frame = bench.frame(0, 1_510);
            bench.cell.offer(at, StationId(from), AP, frame).unwrap();
        };
        bench.run(us(100), |_, _| ());
        // DCF on an idle channel: both at once.
        offer(&mut bench, us(100), 0);
        offer(&mut bench, us(100), 2);
        bench.run(us(150), |_, _| ());
        offer(&mut bench, us(150), 3);
        let on_air = bench.on_air(us(50_000));
        // 1534 octets: 20 + 513 symbols of 4 µs.
        for first in &on_air[..2] {
            assert_eq!((first.start, first.end, first.outcome), (us(100), us(2_172), PpduOutcome::Collided));
            assert_eq!(first.response, None);
        }
        let next: Vec<_> = on_air[2..].iter().filter(|sent| sent.idle_since == us(2_172)).collect();
        assert_eq!(next.len(), 1, "the first after the collision");
        let from_listener = next[0].from == StationId(3);
        // SIFS 16, a slot 9, and 20 µs until a PPDU is known to have begun.
        assert_eq!(next[0].ifs, Duration::from_micros(if from_listener { space } else { 45 }));
        let slots = next[0].start - next[0].ready - next[0].ifs;
        assert_eq!(slots % Duration::from_micros(9), Duration::ZERO);
        assert_eq!(on_air.iter().filter(|sent| sent.outcome == PpduOutcome::Heard).count(), 3);
    }
}

#[test]
fn who_starts_before_the_other_is_noticed_collides() {
    // DCF goes at once on an idle channel; both know beforehand when they want to start.
    for (later_ns, outcome) in [
        (0, PpduOutcome::Collided),
        (3_999, PpduOutcome::Collided),
        (4_000, PpduOutcome::Heard),
        (8_000, PpduOutcome::Heard),
    ] {
        let mut bench = Bench::new(ofdm6(), 3);
        bench.run(us(100), |_, _| ());
        for (from, at) in [(0, us(100)), (2, us(100) + Duration::from_nanos(later_ns))] {
            let frame = bench.frame(0, 1_510);
            bench.cell.offer(at, StationId(from), AP, frame).unwrap();
        }
        let on_air = bench.on_air(us(5_000));
        assert_eq!(on_air[0].outcome, outcome, "{later_ns} ns later");
    }
}

#[test]
fn a_frame_for_an_idle_channel_waits_for_no_backoff_and_for_a_busy_one_it_does() {
    let mut config = CellConfig::pair();
    config.stations.push(StationConfig::usual(2));
    let mut waits = Vec::new();
    for seed in 0..40 {
        let mut bench = Bench::new(config.clone(), seed);
        bench.run(us(1_000), |_, _| ());
        let frame = bench.frame(0, 1_442);
        bench.cell.offer(us(1_000), STA, AP, frame).unwrap();
        bench.run(us(1_100), |_, _| ());
        let frame = bench.frame(0, 1_442);
        bench.cell.offer(us(1_100), StationId(2), AP, frame).unwrap();
        let on_air = bench.on_air(us(5_000));
        // 1000 µs is a slot boundary: 37 + 107 slots.
        assert_eq!(on_air[0].start, us(1_000));
        assert_eq!((on_air[1].ready, on_air[1].ifs), (us(1_254), Duration::from_micros(37)));
        waits.push((on_air[1].start - us(1_291)) / Duration::from_micros(9));
    }
    waits.sort_unstable();
    assert!(waits[0] <= 2 && waits[39] >= 13 && waits[39] <= 15, "0 to 15 slots: {waits:?}");
}

#[test]
fn failures_double_the_window_until_the_frame_is_given_up() {
    let mut config = CellConfig::pair();
    config.backoff = Backoff::Mean;
    config.stations[0].aggregation = Aggregation::NONE;
    config.stations[0].errors = Errors { per: vec![1.0; 8], ..Errors::default() };
    let mut bench = Bench::new(config, 1);
    for number in 0..2 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    let mut done = Vec::new();
    let mut starts = Vec::new();
    bench.run(us(100_000), |at, output| match output {
        CellOutput::OnAir(sent) => {
            assert_eq!((sent.outcome, sent.response), (PpduOutcome::NoResponse, None));
            starts.push(sent.start.as_nanos());
        }
        CellOutput::Done { failure, .. } => done.push((at, failure)),
        _ => {}
    });
    // PPDU 210, waiting for a response 10 + 9 + 20, AIFS 37, half of a window that doubles; after seven failures the first one again.
    let waits: Vec<u64> = starts.windows(2).map(|pair| pair[1] - pair[0] - 210_000 - 39_000 - 37_000).collect();
    let half = |window: u64| window * 4_500;
    let once = [31, 63, 127, 255, 511, 1_023].map(half);
    assert_eq!(waits, [&once[..], &[half(15)], &once[..]].concat());
    assert_eq!(starts[0], 37_000);
    let given_up = Some(TxFailure::Retries);
    assert_eq!(done.iter().map(|&(_, failure)| failure).collect::<Vec<_>>(), [given_up; 2]);
    assert_eq!(done[0].0.as_nanos(), starts[6] + 210_000);
}

#[test]
fn a_lost_block_ack_costs_a_window_and_gives_duplicates() {
    let mut config = CellConfig::pair();
    config.backoff = Backoff::Mean;
    config.stations[0].errors = Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() };
    config.stations[0].retry_limit = Some(2);
    let mut bench = Bench::new(config, 1);
    bench.cell.watched(true);
    for number in 0..2 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    let (mut on_air, mut delivered) = (Vec::new(), 0);
    bench.run(us(3_000), |_, output| match output {
        CellOutput::OnAir(sent) => on_air.push(sent),
        CellOutput::Delivered { .. } => delivered += 1,
        _ => {}
    });
    let fates = |sent: &OnAir| sent.mpdus.iter().map(|mpdu| mpdu.fate).collect::<Vec<_>>();
    assert_eq!((fates(&on_air[0]), fates(&on_air[1])), (vec![MpduFate::New; 2], vec![MpduFate::Duplicate; 2]));
    assert_eq!((delivered, on_air[0].outcome), (2, PpduOutcome::NoResponse));
    let response = on_air[0].response.expect("it was sent, and lost");
    // The sender has heard that something came: AIFS 37 behind its end, and half of a window of 31.
    assert_eq!((on_air[1].start - response.1).as_nanos(), 37_000 + 139_500);
    // Both are given up then, and a Block Ack request tells the receiver so: 24 octets at 24 Mbit/s, 20 + 3 symbols + 6.
    assert_eq!((on_air[2].end - on_air[2].start, on_air[2].mpdus[0].octets), (Duration::from_micros(38), 24));
}

/// From the end of the response to the first PPDU to the start of the second, in ns, and what was counted of responses.
fn behind_a_lost_acknowledgement(errors: Errors, eifs: bool, timing: Timing) -> (u64, [u64; 2]) {
    let mut config = CellConfig { backoff: Backoff::Mean, eifs, timing, ..CellConfig::pair() };
    config.stations[0].aggregation = Aggregation::NONE;
    config.stations[0].errors = errors;
    let mut bench = Bench::new(config, 1);
    let frame = bench.frame(0, 1_442);
    bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    let on_air = bench.on_air(us(2_000));
    let response = on_air[0].response.expect("it was sent, and lost");
    let counters = bench.cell.counters(STA);
    ((on_air[1].start - response.1).as_nanos(), [counters.responses_lost, counters.responses_damaged])
}

#[test]
fn a_damaged_acknowledgement_costs_eifs_and_a_missed_one_does_not() {
    let missed = Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() };
    let damaged = Errors { response: Loss::Shares { miss: 0.0, damage: 1.0 }, ..Errors::default() };
    // AIFS of SIFS and three slots, and half of a window of 31 slots of 9 µs.
    let (ghz24, ghz5) = (37_000 + 139_500, 43_000 + 139_500);
    let space = |errors: &Errors, eifs, timing| behind_a_lost_acknowledgement(errors.clone(), eifs, timing).0;
    assert_eq!(space(&missed, true, Timing::ghz24()), ghz24);
    assert_eq!(space(&damaged, false, Timing::ghz24()), ghz24);
    // SIFS and an acknowledgement at 1 Mbit/s in 2.4 GHz, 192 + 112 µs; at 6 Mbit/s in 5 GHz, 44 µs.
    assert_eq!(space(&damaged, true, Timing::ghz24()), ghz24 + 314_000);
    assert_eq!(space(&missed, true, Timing::ghz5()), ghz5);
    assert_eq!(space(&damaged, true, Timing::ghz5()), ghz5 + 60_000);
    // Both are given up in the end, and only one kind was damaged.
    let counted = |errors| behind_a_lost_acknowledgement(errors, true, Timing::ghz24()).1;
    assert!(counted(missed)[0] > 1 && counted(damaged.clone())[0] == counted(damaged)[1]);
}
