//! Figures of one run beside its waterfall: latencies, and goodput by the second.

use airtime_figures::{Axis, Chart, Figure, Look, Mark, Series};
use airtime_lab::Record;

use crate::cells::figure;

/// Fewest whole seconds that a line through them tells anything of, *assumed*.
const SECONDS_MIN: usize = 3;

/// Latencies of one run, and its goodput by the second, as far as `record` has them.
pub fn beside(record: &Record) -> Vec<Figure> {
    [latencies(record), seconds(record)].into_iter().flatten().collect()
}

/// Share of the SDUs or values that took no longer.
fn latencies(record: &Record) -> Option<Figure> {
    let latency = record.latency_ms.as_ref().filter(|latency| latency.p99 > 0.0)?;
    let marks = [(latency.p50, 50.0), (latency.p95, 95.0), (latency.p99, 99.0)];
    let marks = marks.map(|(ms, share)| Mark::new(ms, share)).to_vec();
    Some(Figure::Chart(Chart {
        title: format!("Half arrive within {:.2} ms, 99 % within {:.2} ms", latency.p50, latency.p99),
        subtitle: format!("{}: from the application at one end to that at the other; p50, p95 and p99", record.label),
        x: Axis::linear("latency (ms)"),
        y: Axis::linear("share that took no longer (%)"),
        series: vec![Series { name: "latency".to_owned(), look: Look::Line, marks }],
    }))
}

/// Goodput of each whole second of the first run.
fn seconds(record: &Record) -> Option<Figure> {
    let series = Some(&record.series_kbps).filter(|series| series.len() >= SECONDS_MIN)?;
    let spread = series.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), kbps| (low.min(*kbps), high.max(*kbps)));
    let marks = series.iter().enumerate().map(|(second, kbps)| Mark::new(second as f64 + 1.0, *kbps)).collect();
    Some(Figure::Chart(Chart {
        title: format!("From {} to {} kbps by the second", figure(spread.0), figure(spread.1)),
        subtitle: format!("{}: the first run, from the connection on; a mark at the end of each second", record.label),
        x: Axis::linear("time (s)"),
        y: Axis::linear("goodput (kbps)"),
        series: vec![Series { name: "goodput".to_owned(), look: Look::Line, marks }],
    }))
}
