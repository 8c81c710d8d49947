//! A-MSDUs and TXOPs: the closed form, exactly or within three standard errors; what others and losses make of them.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_wifi::air::{Access, Aggregation, Guard, Msdus, Phy, Txop, Width};
use airtime_wifi::cell::{CellConfig, CellOutput, Errors, StationConfig, StationId};
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::trace::{MpduFate, OnAir, PpduOutcome};
use airtime_wifi::wire::{Frame, amsdu, llc};

use super::support::{AP, Bench, SGI7, STA, saturated, us};

/// An MPDU of 1482 octets without CCMP is that of an Ethernet frame of 1458; with it, of 1442.
const ETHERNET: u32 = 1_442;

fn alone(phy: Phy, window: u16, amsdu: Option<u16>, txop_us: u64) -> CellConfig {
    let mut config = CellConfig::pair();
    config.backoff = Backoff::Mean;
    config.stations[0] = StationConfig {
        rate: RateConfig::Fixed(phy),
        aggregation: Aggregation::ht(window),
        amsdu,
        txop: Duration::from_micros(txop_us),
        ..saturated(0, 1_482)
    };
    config
}

fn form(config: &CellConfig) -> Txop {
    let station = &config.stations[0];
    let msdus = Msdus { ethernet: ETHERNET, encrypted: true, amsdu: station.amsdu.unwrap_or(0).into() };
    let phy = station.rate.highest();
    Txop::new(&config.timing, Access::BEST_EFFORT, &station.aggregation, phy, &msdus, station.txop)
}

/// Exchanges of each TXOP.
fn opportunities(on_air: &[OnAir]) -> Vec<&[OnAir]> {
    on_air.chunk_by(|_, next| next.follows).collect()
}

#[test]
fn with_the_mean_backoff_every_txop_is_the_closed_form() {
    let phys = [
        SGI7,
        Phy::ht(Width::Mhz40, Guard::Ns800, 3),
        Phy { mcs: 4, ..Phy::ofdm6() },
        Phy::he(Width::Mhz20, Guard::Ns800, 7),
    ];
    let mut several = 0;
    for phy in phys {
        for window in [1, 2, 16, 64] {
            for amsdu in [None, Some(2_000), Some(3_839), Some(7_935)] {
                for txop_us in [0, 1, 700, 1_504, 2_528, 4_096] {
                    let config = alone(phy, window, amsdu, txop_us);
                    let form = form(&config);
                    let mut bench = Bench::new(config, 1);
                    bench.cell.watched(true);
                    let on_air = bench.on_air(Instant::from_nanos(100_000_000));
                    let case = format!("{phy:?} {window} {amsdu:?} {txop_us}");
                    let all = opportunities(&on_air);
                    let whole = &all[..all.len() - 1];
                    assert!(whole.len() > 5, "{case}");
                    for pair in all.windows(2) {
                        assert_eq!(pair[1][0].start - pair[0][0].start, form.total(), "{case}");
                    }
                    for txop in whole {
                        let last = txop[txop.len() - 1].response.unwrap().1;
                        let mpdus: Vec<_> = txop.iter().flat_map(|sent| &sent.mpdus).collect();
                        let msdus: u32 = mpdus.iter().map(|mpdu| u32::from(mpdu.msdus)).sum();
                        let found = (txop.len() as u32, mpdus.len() as u32, msdus, last - txop[0].start);
                        assert_eq!(found, (form.exchanges, form.mpdus, form.msdus, form.busy), "{case}");
                    }
                    several += usize::from(form.exchanges > 1 && form.msdus > form.mpdus);
                }
            }
        }
    }
    assert!(several > 20, "both at once: {several}");
}

#[test]
fn exchanges_of_a_txop_are_a_sifs_apart_and_have_no_backoff() {
    let mut bench = Bench::new(alone(SGI7, 1, None, 1_000), 1);
    let on_air = bench.on_air(us(3_000));
    let first = &opportunities(&on_air)[0];
    // 1482 octets are 46 symbols of 3.6 us, which end at 168: PPDU 210, SIFS 10, acknowledgement 34; three and two SIFS fit 1 ms.
    assert_eq!(first.len(), 3);
    for (index, sent) in first.iter().enumerate() {
        assert_eq!(sent.start - first[0].start, Duration::from_micros(index as u64 * 264));
        assert_eq!(sent.ifs, Duration::from_micros(if index == 0 { 37 } else { 10 }));
    }
    assert_eq!(first[1].ready, first[0].response.unwrap().1);
}

#[test]
fn with_random_backoffs_the_mean_is_within_three_standard_errors() {
    let mut config = alone(SGI7, 4, Some(3_839), 3_008);
    config.backoff = Backoff::Random;
    let form = form(&config);
    let on_air = Bench::new(config, 7).on_air(Instant::from_nanos(20_000_000_000));
    let starts: Vec<_> = opportunities(&on_air).iter().map(|txop| txop[0].start).collect();
    let count = (starts.len() - 1) as f64;
    let mean = (starts[starts.len() - 1] - starts[0]).as_nanos() as f64 / count;
    // A uniform number of 0 to 15 slots has a standard deviation of sqrt((16² - 1) / 12) slots.
    let error = (255.0f64 / 12.0).sqrt() * 9_000.0 / count.sqrt();
    assert!((mean - form.total().as_nanos() as f64).abs() < 3.0 * error, "{mean} instead of {form:?} ± {error}");
}

/// MPDUs that arrive damaged by a share are repeated by Block Ack, and no bit of time depends on which: with single frames a failure ends
/// the TXOP. Over 1,000 seeds the share of PPDUs that are answered is that of the loss.
#[test]
fn a_failure_ends_a_txop() {
    let mut config = alone(SGI7, 1, None, 1_000);
    config.stations[0].errors = Errors { loss: Loss::Packet { per: 0.25 }, ..Errors::default() };
    config.stations[0].retry_limit = None;
    config.stations[0].access.cw_max = 15;
    let (mut txops, mut exchanges) = (0.0, 0.0);
    for seed in 0..1_000 {
        let on_air = Bench::new(config.clone(), seed).on_air(us(20_000));
        let all = opportunities(&on_air);
        for txop in &all[..all.len() - 1] {
            let (last, before) = txop.split_last().unwrap();
            assert!(before.iter().all(|sent| sent.outcome == PpduOutcome::Heard));
            assert!(last.outcome == PpduOutcome::NoResponse || txop.len() == 3, "three fit");
            txops += 1.0;
            exchanges += txop.len() as f64;
        }
    }
    // One, and each more with three quarters: 1 + 3/4 + 9/16; the variance of that number is 0.715.
    let (mean, error) = (exchanges / txops, (0.715f64 / txops).sqrt());
    assert!((mean - 2.312_5).abs() < 3.0 * error, "{mean} ± {error} after {txops}");
}

#[test]
fn an_amsdu_is_lost_and_repeated_as_a_whole() {
    let mut config = alone(SGI7, 4, Some(7_935), 0);
    config.stations[0] = StationConfig { traffic: StationConfig::usual(0).traffic, ..config.stations[0].clone() };
    config.stations[0].errors = Errors { loss: Loss::Packet { per: 0.3 }, ..Errors::default() };
    config.stations[0].retry_limit = None;
    config.stations[0].tx_buffers = 200;
    let mut bench = Bench::new(config, 3);
    bench.cell.watched(true);
    for number in 0..200 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    assert_eq!((bench.cell.room(STA), bench.cell.queued(STA)), (0, 200));
    let (mut numbers, mut freed, mut sizes, mut lost) = (Vec::new(), 0, Vec::new(), 0);
    bench.run(us(200_000), |_, output| match output {
        CellOutput::Delivered { msdu, .. } => numbers.push(u16::from_be_bytes([msdu[14], msdu[15]])),
        CellOutput::Done { failure, buffers, .. } => {
            assert_eq!(failure, None);
            freed += buffers;
        }
        CellOutput::OnAir(sent) => {
            lost += sent.mpdus.iter().filter(|mpdu| mpdu.fate == MpduFate::Damaged).count();
            sizes.extend(sent.mpdus.iter().map(|mpdu| mpdu.msdus));
        }
        CellOutput::Heard { .. } => {}
    });
    assert_eq!(numbers, (0..200).collect::<Vec<_>>(), "in order, once, and all of them");
    assert_eq!((freed, bench.cell.room(STA)), (200, 200));
    assert!(lost > 5 && sizes.iter().all(|&msdus| msdus == 5), "40 A-MSDUs of five: {sizes:?}");
    assert_eq!(sizes.len(), 40 + lost);
}

#[test]
fn an_amsdu_given_up_is_all_of_its_msdus() {
    let mut config = alone(SGI7, 1, Some(7_935), 0);
    config.stations[0] = StationConfig { traffic: StationConfig::usual(0).traffic, ..config.stations[0].clone() };
    config.stations[0].errors = Errors { loss: Loss::Packet { per: 1.0 }, ..Errors::default() };
    let mut bench = Bench::new(config, 3);
    for number in 0..5 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    let mut failed = 0;
    bench.run(us(200_000), |_, output| {
        if let CellOutput::Done { failure: Some(_), buffers, .. } = output {
            failed += buffers;
        }
    });
    let counters = bench.cell.counters(STA);
    assert_eq!((failed, counters.given_up, counters.mpdus), (5, 5, 7));
}

#[test]
fn others_wait_for_the_end_of_a_txop_and_get_their_turn() {
    let mut config = alone(SGI7, 1, None, 4_096);
    config.backoff = Backoff::Random;
    config.stations.push(saturated(2, 1_482));
    let on_air = Bench::new(config, 5).on_air(Instant::from_nanos(2_000_000_000));
    let of = |station: u16| on_air.iter().filter(move |sent| sent.from == StationId(station)).count() as f64;
    // 16 exchanges of 254 and the SIFS between fit; the other one has as many turns and a single exchange in each.
    let all = opportunities(&on_air);
    let turns = |station: u16| all.iter().filter(|txop| txop[0].from == StationId(station)).count() as f64;
    assert!((turns(0) / turns(2) - 1.0).abs() < 0.1, "{} and {}", turns(0), turns(2));
    assert!((of(0) / of(2) - 15.0).abs() < 1.5, "{}", of(0) / of(2));
    for txop in &all {
        assert!(txop.iter().all(|sent| sent.from == txop[0].from), "nobody comes between");
    }
}

#[test]
fn rts_goes_in_front_of_the_first_exchange_alone() {
    let mut config = alone(SGI7, 1, None, 1_000);
    config.stations[0].rts_threshold = Some(0);
    let mut bench = Bench::new(config, 1);
    let on_air = bench.on_air(us(5_000));
    let kinds: Vec<_> = on_air.iter().take(8).map(|sent| (sent.rts, sent.follows)).collect();
    let once = [(true, false), (false, false), (false, true), (false, true)];
    assert_eq!(kinds, [once, once].concat());
    let first = on_air[0].start;
    assert!(on_air[3].response.unwrap().1 - first <= Duration::from_millis(1), "the RTS counts as well");
}

#[test]
fn a_promiscuous_station_hears_every_subframe() {
    let mut config = alone(SGI7, 2, Some(3_839), 0);
    config.stations[0] = StationConfig { traffic: StationConfig::usual(0).traffic, ..config.stations[0].clone() };
    config.stations.push(StationConfig::usual(2));
    let mut bench = Bench::new(config, 1);
    bench.cell.listen(StationId(2), true);
    for number in 0..5 {
        let frame = bench.frame(number, 1_442);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    let mut heard = Vec::new();
    bench.run(us(20_000), |_, output| {
        if let CellOutput::Heard { frame, info, .. } = output {
            let Ok(Frame::Data { header, payload }) = Frame::parse_checked(&frame) else { return };
            let sealed = &payload[8..payload.len() - 8];
            let several = header.qos.unwrap() & amsdu::PRESENT != 0;
            let numbers = |msdu: &[u8]| llc::parse_msdu(msdu).map(|(_, packet)| packet[1]).unwrap();
            let found = match several {
                true => amsdu::Subframes::new(sealed).map(|subframe| numbers(subframe.msdu)).collect(),
                false => vec![numbers(sealed)],
            };
            heard.push((found, frame.len(), info.aggregated));
        }
    });
    // Header 26, CCMP 16 and check 4; subframes of 14 + 1436, padded to 1452 but for the last; the fifth is alone.
    let two = 46 + 1_452 + 1_450;
    assert_eq!(heard, [(vec![0, 1], two, true), (vec![2, 3], two, true), (vec![4], 1_482, false)]);
}
