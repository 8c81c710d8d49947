//! How fast two unmodified blocking drivers are simulated: rf24-rs on both sides, every SPI octet and every bit of every frame.
//!
//! `cargo bench -p airtime-guest`. One simulated second at 10 MHz and 15 µs per transaction; elements are simulated
//! milliseconds, so 100 thousand elements per second are a hundred times real time.

#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/nrf24/pair.rs"]
mod pair;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/nrf24/rf24_rs.rs"]
mod rf24_rs;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/nrf24/scene.rs"]
mod scene;

use airtime_core::Duration;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use pair::{Guest, Seen};
use rf24_rs::Asks;
use scene::{Inbox, Style, cost};

/// Simulated time of one iteration.
const SPAN: Duration = Duration::from_millis(1_000);

/// More payloads than any of these styles gets across in that time.
const ENDLESS: u32 = 10_000;

fn second(style: Style) -> Seen {
    let boards = pair::boards(cost(10, 15));
    let inbox = Inbox::default();
    let [left, right] = &boards;
    let sender = Guest::blocking(left, move |machine| rf24_rs::sender(machine, style, Asks::SetDataRate, ENDLESS));
    let receiver = Guest::blocking(right, move |machine| rf24_rs::receiver(machine, Asks::SetDataRate, &inbox));
    pair::run(&boards, sender, receiver, SPAN)
}

fn drivers(c: &mut Criterion) {
    let mut group = c.benchmark_group("two rf24-rs");
    group.sample_size(20).throughput(Throughput::Elements(SPAN.as_micros() / 1_000));
    for style in [Style::Send, Style::Stream, Style::NoAck] {
        assert!(!second(style).arrivals.is_empty());
        group.bench_with_input(BenchmarkId::from_parameter(format!("{style:?}")), &style, |b, style| {
            b.iter(|| second(*style))
        });
    }
    group.finish();
}

criterion_group!(benches, drivers);
criterion_main!(benches);
