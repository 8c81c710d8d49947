//! Outcome of one run of IP traffic over a link.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::ledger::{Account, Ledger};
use airtime_link::{Carried, Figure, Ordered, Percentiles, Ran, booked};

use super::tally::Flow;

/// Outcome of one run: `A` are the accounts of the link's books, `C` what it counts below its interfaces.
#[derive(Clone, Debug)]
pub struct Outcome<A: Account, C> {
    /// Books of the link from the start of the traffic to the end of the steady state.
    pub ledger: Ledger<A>,
    /// Books of the link since the warm-up.
    pub steady_ledger: Ledger<A>,
    /// From the start of the traffic to the first payload that arrived.
    pub setup: Option<Duration>,
    /// Length of the steady state.
    pub steady: Duration,
    /// Traffic of the steady state, up and down.
    pub flows: [Flow; 2],
    /// Octets of goodput per second since the start of the traffic.
    pub series: Vec<u64>,
    /// Delays of IP packets one way, in the steady state.
    pub latency: Option<Percentiles>,
    /// Round trips of echo requests in the steady state.
    pub round_trips: Option<Percentiles>,
    /// Counts of the link in the steady state.
    pub counted: C,
    /// Time from the end of the senders to the last arrival, when the run has waited for it.
    pub overrun: Option<Duration>,
    /// Set if no transfer that has a size is left.
    pub finished: bool,
    /// Random numbers drawn from the run's seed.
    pub random_draws: u64,
    /// Steps of the event loop.
    pub steps: u64,
}

impl<A: Account, C> Outcome<A, C> {
    /// Octets of goodput in the steady state: both directions.
    pub fn octets(&self) -> u64 {
        self.flows[0].octets + self.flows[1].octets
    }

    /// Octets of payload that the senders' stacks took in the steady state.
    pub fn taken(&self) -> u64 {
        self.flows[0].taken + self.flows[1].taken
    }

    /// Figures of the run, with what the link says of its `bottleneck`, and its counters.
    pub fn ran(&self, bottleneck: A, says: String, counters: Ordered<u64>) -> Ran {
        Ran {
            carried: Some(Carried { octets: self.octets(), time: self.steady }),
            accepted: Some(self.taken()),
            elapsed: self.ledger.elapsed(),
            setup: self.setup.unwrap_or(self.ledger.elapsed()),
            steady: self.steady_ledger.elapsed(),
            books: booked(&self.ledger),
            steady_books: booked(&self.steady_ledger),
            per_second: self.series.clone(),
            latency: self.latency,
            bottleneck: bottleneck.name(),
            says,
            counters,
            outcome: self.text().to_owned(),
            random_draws: self.random_draws,
            figures: self.overrun.map(overrun).into_iter().collect(),
            ..Ran::default()
        }
    }

    /// Counters of the ends of the run: round trips of echo requests, and by how much the traffic overran.
    pub fn round_trips_into(&self, counters: &mut Ordered<u64>) {
        let named = self.round_trips.map(|spans| spans.named()).into_iter().flatten();
        named.for_each(|(name, span)| counters.set(format!("round_trip_ns.{name}"), whole_micros(span)));
    }

    /// Sentence on transfers that were over before the time that is measured began.
    pub fn unmeasured(&self) -> Option<String> {
        let over = self.is_over_early();
        over.then(|| format!("Nothing was measured: {EARLY}; run.warmup=0us measures all of it."))
    }

    fn is_over_early(&self) -> bool {
        self.steady.is_zero() && self.finished && self.setup.is_some()
    }

    fn text(&self) -> &'static str {
        if self.is_over_early() {
            return EARLY;
        }
        match (self.octets(), self.finished) {
            (0, _) => "nothing arrived",
            (_, false) => "the transfer did not end in time",
            _ => "ok",
        }
    }
}

/// Outcome of transfers that need no longer than the warm-up.
const EARLY: &str = "the transfer was over within the warm-up";

/// The overrun as published figures have it.
fn overrun(span: Duration) -> Figure {
    Figure { unit: "s", field: "overrun_s", value: span.as_nanos() as f64 / 1e9 }
}

/// Nanoseconds of `span` to the microsecond, as its latencies are told.
fn whole_micros(span: Duration) -> u64 {
    (span.as_nanos() + 500) / 1_000 * 1_000
}
