//! How fast a saturated 2M link is simulated, both hosts through HCI bytes.
//!
//! `cargo bench -p airtime-lab`. Elements are LL PDUs of both directions, so elements per second is
//! PDUs per second of one core; the time of `60 s` is what a minute of such a link costs.

use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run;
use airtime_lab::{Library, Plan};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PLAN: &str = r#"
name = "saturated"
link = "ble-coc"
[central]
personality = "zephyr-ll"
[peripheral]
personality = "zephyr-ll"
[ble]
conn_interval = "50ms"
[coc]
in_flight = 12
tx_buffers = 12
credits = { initial = 65535, on_connect = 0, grant = 1000, every = 1000 }
[acl]
count = 12
"#;

fn scenario(seconds: u64) -> Scenario {
    let set = [("run.duration".to_owned(), format!("{seconds}s")), ("run.warmup".to_owned(), "0s".to_owned())];
    let plan = Plan::parse("saturated", PLAN, &Library::builtin(), &set).expect("the plan is good");
    plan.point(0)
        .expect("a plan has a point")
        .scenario
        .of::<airtime_ble_link::plan::Scenario>()
        .cloned()
        .expect("it is a Bluetooth LE link")
}

fn saturated(c: &mut Criterion) {
    let mut group = c.benchmark_group("saturated 2M link");
    group.sample_size(20);
    for seconds in [10, 60, 600] {
        let scenario = scenario(seconds);
        let pdus = 2 * run::run(&scenario, 1).counts.exchanges;
        group.throughput(Throughput::Elements(pdus));
        group.bench_with_input(BenchmarkId::from_parameter(format!("{seconds} s")), &scenario, |b, scenario| {
            b.iter(|| run::run(scenario, 1));
        });
    }
    group.finish();
}

criterion_group!(benches, saturated);
criterion_main!(benches);
