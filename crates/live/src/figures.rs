//! Spans of time, counted in a histogram of bounded size.

use airtime_core::Duration;
use hdrhistogram::Histogram;
use serde::Serialize;

/// Spans longer than this count as this long in percentiles; mean and longest are what they are.
const SPAN_MAX: Duration = Duration::from_secs(600);

/// Many spans; two significant digits of each are kept, and all of the longest.
#[derive(Clone, Debug)]
pub struct Spans {
    histogram: Histogram<u64>,
    /// Time beyond [`SPAN_MAX`] of all that are longer, in ns.
    beyond: u64,
    longest: Duration,
}

/// Summary of many spans, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Number of spans.
    pub count: u64,
    /// Mean of the spans, in µs.
    pub mean_us: f64,
    /// Median of the spans, in µs.
    pub p50_us: f64,
    /// Nine tenths are at most this.
    pub p90_us: f64,
    /// Span that all but a hundredth do not exceed, in µs.
    pub p99_us: f64,
    /// The longest span, in µs.
    pub max_us: f64,
}

impl Spans {
    /// No span yet.
    pub fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, SPAN_MAX.as_nanos(), 2).expect("the bounds make a histogram");
        Self { histogram, beyond: 0, longest: Duration::ZERO }
    }

    /// Counts `span` among the others.
    pub fn record(&mut self, span: Duration) {
        self.histogram.saturating_record(span.min(SPAN_MAX).as_nanos());
        self.beyond = self.beyond.saturating_add(span.saturating_sub(SPAN_MAX).as_nanos());
        self.longest = self.longest.max(span);
    }

    /// Percentile 0 to percentile 100 in microseconds, 101 figures; none when there was no span. From
    /// them spans can be drawn as they were distributed.
    pub fn percentiles_us(&self) -> Vec<f64> {
        let count = if self.histogram.is_empty() { 0 } else { 101 };
        (0..count).map(|percent| self.at(f64::from(percent) / 100.0)).collect()
    }

    /// Span that this share does not exceed, in µs. The histogram gives the end of the range that a span is counted in, which may be
    /// behind the longest.
    fn at(&self, quantile: f64) -> f64 {
        us(self.histogram.value_at_quantile(quantile).min(self.longest.as_nanos()) as f64)
    }

    /// Summary of the spans, if there were any.
    pub fn summary(&self) -> Option<Summary> {
        (!self.histogram.is_empty()).then(|| Summary {
            count: self.histogram.len(),
            mean_us: us(self.histogram.mean() + self.beyond as f64 / self.histogram.len() as f64),
            p50_us: self.at(0.5),
            p90_us: self.at(0.9),
            p99_us: self.at(0.99),
            max_us: us(self.longest.as_nanos() as f64),
        })
    }
}

/// Tenths of microseconds are enough.
fn us(ns: f64) -> f64 {
    (ns / 100.0).round() / 10.0
}

impl Default for Spans {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_spans_come_to_their_percentiles() {
        let mut spans = Spans::new();
        assert_eq!((spans.summary(), spans.percentiles_us()), (None, vec![]));
        (1..=100).for_each(|us| spans.record(Duration::from_micros(us)));
        let found = spans.summary().unwrap();
        assert_eq!(found.count, 100);
        for (value, expected) in
            [(found.mean_us, 50.5), (found.p50_us, 50.0), (found.p99_us, 99.0), (found.max_us, 100.0)]
        {
            assert!((value - expected).abs() <= expected / 100.0, "{value} for {expected}");
        }
        let percentiles = spans.percentiles_us();
        assert_eq!(percentiles.len(), 101);
        assert!(percentiles.is_sorted() && (percentiles[25] - 25.0).abs() < 0.5, "{percentiles:?}");
    }

    #[test]
    fn no_percentile_exceeds_the_longest() {
        for ns in [1, 300, 12_900, 1_234_567, 599_000_000_001] {
            let mut spans = Spans::new();
            spans.record(Duration::from_nanos(ns));
            let found = spans.summary().unwrap();
            for percentile in [found.p50_us, found.p99_us, spans.percentiles_us()[100]] {
                assert!(percentile <= found.max_us && percentile >= found.max_us * 0.99, "{percentile} of {found:?}");
            }
        }
    }

    #[test]
    fn a_span_of_an_hour_is_as_long_as_it_is() {
        let mut spans = Spans::new();
        spans.record(Duration::from_secs(3_600));
        spans.record(Duration::from_secs(1));
        let found = spans.summary().unwrap();
        assert!((found.max_us - 3.6e9).abs() < 1.0, "{found:?}");
        assert!((found.mean_us - 1_800.5e6).abs() < 18e6, "{found:?}");
    }
}
