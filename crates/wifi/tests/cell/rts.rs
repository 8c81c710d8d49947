//! RTS and CTS: when they are sent, what they cost, and who keeps quiet for them.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation, Cycle, Guard, Phy, Timing, Width};
use airtime_wifi::cell::{CellConfig, CellOutput, Errors, StationConfig, StationId};
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::trace::{OnAir, PpduOutcome, TxFailure};
use airtime_wifi::wire::{Control, Frame, MacAddress};

use super::support::{AP, Bench, SGI7, STA, saturated, us};

/// A station that sends nothing of its own unless told.
const OTHER: StationId = StationId(2);

/// RTS in front of everything.
fn pair() -> CellConfig {
    let mut config = CellConfig::pair();
    config.backoff = Backoff::Mean;
    config.stations.push(StationConfig::usual(2));
    config.stations.iter_mut().for_each(|station| station.rts_threshold = Some(0));
    config
}

fn offer(bench: &mut Bench, at: Instant, from: StationId, count: u16) {
    for number in 0..count {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(at, from, AP, frame).unwrap();
    }
}

/// Start, end, and end of the response, in µs.
fn times(on_air: &OnAir) -> (bool, u64, u64, Option<u64>) {
    let us = |at: Instant| at.as_nanos() / 1_000;
    (on_air.rts, us(on_air.start), us(on_air.end), on_air.response.map(|(_, end)| us(end)))
}

#[test]
fn with_the_mean_backoff_every_cycle_is_the_closed_form() {
    let phys = [
        Phy::ofdm6(),
        Phy { mcs: 7, ..Phy::ofdm6() },
        SGI7,
        Phy::ht(Width::Mhz40, Guard::Ns400, 7),
        Phy::he(Width::Mhz20, Guard::Ns800, 11),
    ];
    for (phy, window) in phys.into_iter().flat_map(|phy| [1, 6, 64].map(|window| (phy, window))) {
        let mut config = CellConfig::pair();
        config.backoff = Backoff::Mean;
        let usual = saturated(0, 1_482);
        let (rate, aggregation) = (RateConfig::Fixed(phy), Aggregation::ht(window));
        config.stations[0] = StationConfig { rate, aggregation, rts_threshold: Some(1_400), ..usual };
        let mut bench = Bench::new(config, 1);
        let mut on_air = bench.on_air(Instant::from_nanos(200_000_000));
        on_air.retain(|sent| sent.rts);
        let limits = Aggregation::ht(window);
        let form = Cycle::new(&Timing::ghz24(), Access::BEST_EFFORT, &limits, phy, 1_482, u32::from(window))
            .with_rts(&Timing::ghz24(), phy);
        assert!(on_air.len() > 10);
        assert!(on_air.windows(2).all(|pair| pair[1].start - pair[0].start == form.total()), "{phy:?} {window}");
        let sent = on_air.len() as u64 * u64::from(form.mpdus);
        assert!(bench.cell.counters(STA).delivered.abs_diff(sent) <= u64::from(form.mpdus));
    }
}

#[test]
fn an_exchange_is_rts_cts_data_and_acknowledgement() {
    let mut bench = Bench::new(pair(), 1);
    offer(&mut bench, us(1_000), STA, 1);
    let on_air = bench.on_air(us(2_000));
    // At 24 Mbit/s 20 and 14 octets are two symbols each: 20 + 8 + 6 of signal extension. The PPDU is 210, its acknowledgement 34.
    assert_eq!(
        on_air.iter().map(times).collect::<Vec<_>>(),
        [(true, 1_000, 1_034, Some(1_078)), (false, 1_088, 1_298, Some(1_342)),]
    );
    assert_eq!((on_air[1].ready, on_air[1].ifs), (us(1_078), Duration::from_micros(10)));
    let counters = bench.cell.counters(STA);
    assert_eq!((counters.ppdus, counters.rts, counters.mpdus, counters.delivered), (2, 1, 1, 1));
}

#[test]
fn the_threshold_is_the_longest_psdu_without_rts() {
    // 1442 octets are an MPDU of 1482; two of them with their delimiters and padding 2974.
    for (threshold, frames, rts) in [(1_481, 1, 1), (1_482, 1, 0), (2_973, 2, 1), (2_974, 2, 0)] {
        let mut config = pair();
        config.stations[0].rts_threshold = Some(threshold);
        let mut bench = Bench::new(config, 1);
        offer(&mut bench, us(1_000), STA, frames);
        bench.run(us(3_000), |_, _| ());
        let counters = bench.cell.counters(STA);
        assert_eq!((counters.rts, counters.delivered), (rts, u64::from(frames)), "{threshold}");
    }
}

#[test]
fn a_collision_costs_the_rts_and_its_timeout() {
    let dcf = |config: &mut StationConfig| config.access = Access::DCF;
    let mut config = pair();
    config.backoff = Backoff::Random;
    config.stations.iter_mut().for_each(dcf);
    let mut bench = Bench::new(config, 3);
    bench.run(us(1_000), |_, _| ());
    // DCF on an idle channel: both at once.
    offer(&mut bench, us(1_000), STA, 1);
    offer(&mut bench, us(1_000), OTHER, 1);
    let on_air = bench.on_air(us(20_000));
    for first in &on_air[..2] {
        assert_eq!((times(first), first.outcome), ((true, 1_000, 1_034, None), PpduOutcome::Collided));
        assert!(first.mpdus.is_empty());
    }
    assert_eq!(on_air[2].idle_since, us(1_034));
    // SIFS 10, a slot 9, and 20 µs until a PPDU is known to have begun.
    assert_eq!(on_air[2].ifs, Duration::from_micros(39));
    for station in [STA, OTHER] {
        let counters = bench.cell.counters(station);
        assert_eq!((counters.lost, counters.delivered, counters.rts - counters.collisions), (0, 1, 1));
    }
}

#[test]
fn the_loss_of_mpdus_does_not_strike_an_rts() {
    let mut config = pair();
    config.stations[0].errors = Errors { per: vec![1.0; 8], loss: Loss::Packet { per: 1.0 }, ..Errors::default() };
    let mut bench = Bench::new(config, 1);
    offer(&mut bench, Instant::ZERO, STA, 1);
    let on_air = bench.on_air(us(100_000));
    let (last, tries) = on_air.split_last().unwrap();
    assert!(
        tries.iter().all(|sent| sent.rts == (sent.outcome == PpduOutcome::Heard)),
        "every CTS, and no MPDU arrives"
    );
    assert_eq!((tries.len(), last.outcome), (2 * 7, PpduOutcome::Heard), "a Block Ack request, which has no RTS");
}

#[test]
fn an_rts_without_cts_is_a_failure_of_what_it_goes_in_front_of() {
    let mut config = pair();
    config.stations[0].errors = Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() };
    let mut bench = Bench::new(config, 1);
    offer(&mut bench, us(1_000), STA, 2);
    let mut given_up = Vec::new();
    let mut starts = Vec::new();
    bench.run(us(50_000), |_, output| match output {
        CellOutput::OnAir(sent) => {
            assert_eq!(sent.outcome, PpduOutcome::NoResponse);
            starts.extend(sent.rts.then_some(sent.start.as_nanos()));
        }
        CellOutput::Done { failure, buffers, .. } => given_up.push((failure, buffers)),
        other => unreachable!("{other:?}"),
    });
    assert_eq!(given_up, [(Some(TxFailure::Retries), 2)]);
    // RTS 34, SIFS 10, CTS 34, AIFS 37, half of a window that doubles. The Block Ack request behind the seventh has no RTS.
    let waits: Vec<u64> = starts.windows(2).map(|pair| pair[1] - pair[0] - (34 + 10 + 34 + 37) * 1_000).collect();
    let half = |window| window * 4_500;
    assert_eq!(waits, [31u64, 63, 127, 255, 511, 1_023].map(half), "{starts:?}");
    let counters = bench.cell.counters(STA);
    assert_eq!((counters.rts, counters.mpdus, counters.lost, counters.given_up), (7, 0, 0, 2));
}

#[test]
fn whoever_has_heard_an_rts_keeps_quiet_for_what_it_reserves() {
    // The CTS does not get through: the reservation of 10 + 34 + 10 + 210 + 10 + 34 µs stands.
    let mut config = pair();
    config.stations[0].errors = Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() };
    config.stations[0].retry_limit = Some(1);
    config.stations[0].aggregation = Aggregation::NONE;
    config.stations[2].rts_threshold = None;
    for (offered, start) in [
        // AIFS 37 behind it, and half a window: who comes while the channel is reserved has to back off.
        (1_000, 1_342 + 37 + 67),
        (1_200, 1_342 + 37 + 67),
        // Behind it there is nothing to wait for but the next slot.
        (1_350, 1_342 + 37),
    ] {
        let mut bench = Bench::new(config.clone(), 1);
        bench.run(us(999), |_, _| ());
        offer(&mut bench, us(1_000), STA, 1);
        bench.run(us(offered), |_, _| ());
        offer(&mut bench, us(offered), OTHER, 1);
        let on_air = bench.on_air(us(3_000));
        let other = on_air.iter().find(|sent| sent.from == OTHER).unwrap();
        assert_eq!(other.start.as_nanos() / 1_000, start, "offered at {offered}");
    }
}

#[test]
fn a_promiscuous_station_hears_both_with_what_they_reserve() {
    let mut bench = Bench::new(pair(), 1);
    bench.cell.listen(OTHER, true);
    offer(&mut bench, us(1_000), STA, 1);
    let mut heard = Vec::new();
    bench.run(us(2_000), |at, output| {
        if let CellOutput::Heard { frame, info, .. } = output {
            heard.push((at, frame.to_vec(), info));
        }
    });
    assert_eq!(heard.len(), 4, "RTS, CTS, data, acknowledgement");
    let control = |index: usize| match Frame::parse_checked(&heard[index].1) {
        Ok(Frame::Control(control)) => (heard[index].0, heard[index].1.len(), heard[index].2.phy, control),
        other => panic!("{other:?}"),
    };
    let (transmitter, receiver) = (MacAddress::local(1), MacAddress::local(3));
    let rts = Control::Rts { receiver, transmitter, duration_us: 10 + 34 + 10 + 210 + 10 + 34 };
    assert_eq!(control(0), (us(1_034), 20, Phy::ofdm24(), rts));
    let cts = Control::Cts { receiver: transmitter, duration_us: 10 + 210 + 10 + 34 };
    assert_eq!(control(1), (us(1_078), 14, Phy::ofdm24(), cts));
}

#[test]
fn a_raw_frame_for_nobody_asks_in_vain() {
    let mut config = pair();
    config.stations[0].retry_limit = Some(2);
    let mut bench = Bench::new(config, 1);
    // An action frame for a station that is not there.
    let mut frame = bench.pool.packet();
    frame.resize(40);
    frame[0] = 0xd0;
    frame[4..10].copy_from_slice(&[2, 0, 0, 0, 0, 99]);
    bench.cell.inject(us(1_000), STA, frame).unwrap();
    let on_air = bench.on_air(us(10_000));
    // RTS at 1 Mbit/s: 192 + 160.
    assert_eq!(
        on_air.iter().map(|sent| (sent.rts, sent.end - sent.start)).collect::<Vec<_>>(),
        [(true, Duration::from_micros(352)), (true, Duration::from_micros(352)),]
    );
    assert_eq!(bench.cell.counters(STA).given_up, 1);
}
