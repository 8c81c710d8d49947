//! The record of a link that declares itself: its runs, rounded.

use airtime_core::Duration;
use airtime_link::{Booked, Percentiles, Ran, Scenario};

use super::record::{repeated, series};
use crate::ordered::Ordered;
use crate::record::{Bottleneck, Goodput, Latency, Record, kbps};

/// Runs `scenario` with every repeat and fills in the figures; the fields of what was asked are left empty.
pub fn record(scenario: &dyn Scenario) -> Record {
    let runs = repeated(scenario.run(), |seed| scenario.ran(seed), |ran| ran.random_draws);
    let first: &Ran = &runs[0];
    let rates: Vec<f64> = runs.iter().map(|ran| kbps(ran.delivered, ran.steady)).collect();
    let accepted = first.accepted.map(|octets| kbps(octets, first.steady));
    Record {
        goodput_kbps: Goodput::of(&rates),
        latency_ms: first.latency.map(latency),
        accepted_kbps: accepted.filter(|accepted| (accepted - rates[0]).abs() > 0.05),
        delivered_bytes: first.delivered,
        elapsed_ns: first.elapsed.as_nanos(),
        ledger_ns: books(&first.books),
        series_kbps: series(&first.per_second),
        bottleneck: Bottleneck { account: first.bottleneck.into(), says: first.says.clone() },
        counters: first.counters.iter().cloned().collect(),
        outcome: first.outcome.clone(),
        setup_ns: first.setup.as_nanos(),
        steady_ns: first.steady.as_nanos(),
        steady_ledger_ns: books(&first.steady_books),
        ..Record::default()
    }
}

fn books(booked: &[Booked]) -> Ordered<u64> {
    booked.iter().map(|(account, time)| (*account, time.as_nanos())).collect()
}

/// Percentiles in milliseconds, to the microsecond.
fn latency(percentiles: Percentiles) -> Latency {
    let ms = |span: Duration| (span.as_millis_f64() * 1e3).round() / 1e3;
    Latency { p50: ms(percentiles.p50), p95: ms(percentiles.p95), p99: ms(percentiles.p99) }
}
