//! How fast air and MAC alone are simulated: 10 s of UDP over HT20, MCS 7, short guard interval, A-MPDUs of up to 32, from a station
//! that always has more.
//!
//! `cargo bench -p airtime-wifi --bench air`. An element is an MPDU: time per element is what one costs.

use std::hint::black_box;

use airtime_core::{Instant, Pool};
use airtime_wifi::cell::{Cell, CellConfig, CellOutput, StationConfig, StationId, Traffic};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const STA: StationId = StationId(0);
const AP: StationId = StationId(1);

/// Simulated time of an iteration.
const END: Instant = Instant::from_nanos(10_000_000_000);

/// Octets of an Ethernet frame with 1400 octets of UDP.
const ETHERNET: usize = 1_442;

/// Every frame that arrives is offered again, so that the buffers never run empty. Returns how many arrived.
fn offered(watched: bool) -> u64 {
    let pool = Pool::new();
    let mut config = CellConfig::pair();
    config.stations[0].tx_buffers = 64;
    let mut cell = Cell::new(config, pool.clone(), 1);
    cell.watched(watched);
    let mut spare = Vec::new();
    for _ in 0..64 {
        let mut frame = pool.packet();
        frame.resize(ETHERNET);
        cell.offer(Instant::ZERO, STA, AP, frame).expect("64 buffers are free");
    }
    let mut arrived = 0;
    while let Some(at) = cell.deadline().filter(|&at| at <= END) {
        cell.wake(at);
        while let Some(output) = cell.poll(at) {
            match output {
                CellOutput::Delivered { msdu, .. } => {
                    arrived += 1;
                    spare.push(msdu);
                }
                CellOutput::Done { buffers, .. } => {
                    for _ in 0..buffers {
                        let frame = spare.pop().expect("what is done has arrived");
                        cell.offer(at, STA, AP, frame).expect("a buffer has become free");
                    }
                }
                CellOutput::OnAir(on_air) => {
                    black_box(on_air);
                }
                CellOutput::Heard { .. } => {}
            }
        }
    }
    arrived
}

/// `count` stations that the cell itself keeps saturated.
fn contending(count: u8) -> u64 {
    let mut config = CellConfig::pair();
    let saturated =
        |place| StationConfig { traffic: Traffic::Saturated { to: AP, mpdu: 1_482 }, ..StationConfig::usual(place) };
    config.stations[0] = saturated(0);
    config.stations.extend((1..count).map(|place| saturated(place + 1)));
    let mut cell = Cell::new(config, Pool::new(), 1);
    while let Some(at) = cell.deadline().filter(|&at| at <= END) {
        cell.wake(at);
        while let Some(output) = cell.poll(at) {
            black_box(output);
        }
    }
    (0..=u16::from(count)).map(|place| cell.counters(StationId(place)).delivered).sum()
}

fn air(c: &mut Criterion) {
    let mut group = c.benchmark_group("10 s of saturated UDP over HT20");
    group.sample_size(20);
    for (name, watched) in [("offered", false), ("offered, watched", true)] {
        // 65 Mbit/s: what is measured is a stream, not a stall.
        let arrived = offered(watched);
        assert!(arrived * 1_400 * 8 > 10 * 65_000_000, "{arrived} MPDUs arrived");
        group.throughput(Throughput::Elements(arrived));
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| offered(watched)));
    }
    for count in [1, 10] {
        group.throughput(Throughput::Elements(contending(count)));
        group.bench_function(BenchmarkId::new("contending", count), |b| b.iter(|| contending(count)));
    }
    group.finish();
}

criterion_group!(benches, air);
criterion_main!(benches);
