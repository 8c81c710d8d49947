//! How fast the whole pipeline is simulated: lwIP and its tasks, the host's driver, the bus octet for octet, the
//! co-processor, HT20 with A-MPDUs of 32, access point, wired hop, and a Linux-like far end.
//!
//! `cargo bench -p airtime-wifi --bench pipeline`. An element is one simulated second, so elements per second is how many
//! times faster than real time one core is.

use airtime_core::{Duration, Instant};
use airtime_wifi::ledger::{Books, Direction};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

#[path = "../tests/network/rig.rs"]
mod rig;

use rig::{Scenario, Test};

/// Simulated time of an iteration.
const SECONDS: u64 = 10;

fn scenario(test: Test) -> Scenario {
    Scenario { span: Duration::from_secs(SECONDS), ..Scenario::espressif(test) }
}

fn pipeline(c: &mut Criterion) {
    let mut group = c.benchmark_group("the whole pipeline");
    group.sample_size(10);
    group.throughput(Throughput::Elements(SECONDS));
    for (name, test) in [
        ("udp up", Test::UdpUp { payload: 1_470, rate: None }),
        ("tcp up", Test::TcpUp { write: 16_384, nodelay: true }),
        ("tcp down", Test::TcpDown),
    ] {
        let scenario = scenario(test);
        // What is measured is a stream, not a stall.
        let packets = scenario.run(()).counts().named().take(4).map(|(_, packets)| packets).sum::<u64>();
        assert!(packets > 2_000 * SECONDS, "{name}: {packets} packets");
        let id = BenchmarkId::from_parameter(name);
        group.bench_function(id, |b| b.iter(|| scenario.run(()).counts().lost()));
    }
    let scenario = scenario(Test::UdpUp { payload: 1_470, rate: None });
    group.bench_function(BenchmarkId::from_parameter("udp up, with books"), |b| {
        b.iter(|| scenario.run(Books::new(Instant::ZERO, Direction::Up)).observer.ledger().balances());
    });
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
