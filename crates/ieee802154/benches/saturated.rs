//! How fast senders that always have more are simulated: 100 s of full frames, acknowledged, bit for bit.
//!
//! `cargo bench -p airtime-ieee802154`. An element is a simulated second, so elements per second is how many times faster than
//! real time one core is.

use std::hint::black_box;

use airtime_core::{Duration, Instant};
use airtime_ieee802154::ledger::Books;
use airtime_ieee802154::network::{Config, run};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Simulated time of an iteration.
const SECONDS: u64 = 100;

fn saturated(c: &mut Criterion) {
    let mut group = c.benchmark_group("100 s of full frames");
    group.sample_size(20).throughput(Throughput::Elements(SECONDS));
    for stations in [1, 10] {
        let config = Config { stations, duration: Duration::from_secs(SECONDS), ..Config::default() };
        // More than a third of the closed form: what is measured is a stream, not a stall.
        let (outcome, ()) = run(&config, ()).expect("the configuration fits");
        assert!(outcome.goodput().0 > config.closed_form_bps() / 3);
        group.bench_function(BenchmarkId::new("senders", stations), |b| b.iter(|| black_box(run(&config, ()))));
        let books = || Books::new(Instant::ZERO, 1);
        group.bench_function(BenchmarkId::new("with books", stations), |b| b.iter(|| black_box(run(&config, books()))));
    }
    group.finish();
}

criterion_group!(benches, saturated);
criterion_main!(benches);
