//! Outcomes of the calls of a run: taken from the reports of its script, with the air's books of the same time.

use airtime_ble::ledger::{Account, Counts};
use airtime_core::ledger::Ledger;
use airtime_core::{Duration, Instant};
use airtime_keys::Words;
use airtime_link::{Latencies, Percentiles};
use airtime_rpc::CallError;
use airtime_rpc::suite::{Failure, Method, Report};

use crate::run::observe::Traffic;

/// The name under which a script reports that it is over as a whole.
pub const SUITE: &str = "suite";

/// Snapshot of a link at one instant: the octets it has carried and its books.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Access address of the link: another one has other books.
    pub link: u32,
    /// Books of the link, up to the last packet.
    pub ledger: Ledger<Account>,
    /// Those up to the instant itself.
    pub standing: Ledger<Account>,
    /// Counts of the link.
    pub counts: Counts,
    /// Frames, central to peripheral and peripheral to central.
    pub traffic: [Traffic; 2],
}

/// Calls of a run: everything its script has told.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Benchmarks, in their order; the last one may not be over.
    pub benches: Vec<BenchOutcome>,
    /// Checks, in their order.
    pub checks: Vec<CheckOutcome>,
    /// Instant at which the script was over as a whole.
    pub over: Option<Instant>,
    /// Calls of the warm-up that is running.
    warming: u32,
}

/// Outcome of one benchmark.
#[derive(Clone, Debug)]
pub struct BenchOutcome {
    /// Start of its first call that counts.
    pub began: Instant,
    /// End of the last one, so far.
    pub ended: Instant,
    /// Set once the script said that it is over.
    pub over: bool,
    /// Calls of the warm-up before.
    pub warmup: u32,
    /// Calls that count and ended well.
    pub calls: u64,
    /// Calls that count and did not.
    pub failed: u64,
    /// Error of the last of those that did not end well.
    pub failure: Option<CallError>,
    /// Items of their streams; calls, where there is no stream.
    pub items: u64,
    /// Octets of payload of those that ended well.
    pub octets: u64,
    /// Latencies of the calls.
    pub latencies: Latencies,
    /// The link when the first one began.
    pub before: Option<Snapshot>,
    /// The link when the last one ended.
    pub after: Option<Snapshot>,
    /// Octets of payload of each second.
    pub series: Vec<u64>,
    fastest: Duration,
    slowest: Duration,
    /// Sum of the times in ns, and of their squares: an hour's worth of calls of an hour fits.
    sum: u64,
    squares: u128,
}

/// Outcome of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckOutcome {
    /// Its name, as published.
    pub name: &'static str,
    /// Reason of its failure, if it failed.
    pub failure: Option<Failure>,
}

const SECOND: Duration = Duration::from_secs(1);

/// Per-second figures kept: a day.
const SECONDS_MAX: u64 = 86_400;

/// Octets of the payload of a call of the method `name`, which has `octets` both ways: those of the client, and those of the server.
pub fn sent(name: &str, octets: u32) -> [u64; 2] {
    let octets = u64::from(octets);
    match Method::from_word(name) {
        Some(Method::DataWrite | Method::BulkWrite | Method::CounterUpload) => [octets, 0],
        Some(Method::FlashRead | Method::BulkRead | Method::CounterStream) => [0, octets],
        _ => [octets / 2, octets - octets / 2],
    }
}

impl Calls {
    /// The script said this; `snapshot` is the link as it is now.
    pub fn report(&mut self, now: Instant, report: Report, snapshot: impl FnOnce() -> Option<Snapshot>) {
        match report {
            Report::Began { .. } => self.benches.push(BenchOutcome::new(now, self.warming, snapshot())),
            Report::Call { warmup: true, .. } => self.warming += 1,
            Report::Call { took, items, octets, result, .. } => {
                if let Some(bench) = self.benches.last_mut() {
                    bench.call(now, took, (items, octets), result);
                    bench.after = snapshot();
                }
            }
            Report::Checked { name, result } => self.checks.push(CheckOutcome { name, failure: result.err() }),
            Report::Ended { name: SUITE, .. } => self.over = Some(now),
            Report::Ended { .. } => {
                self.warming = 0;
                if let Some(bench) = self.benches.last_mut() {
                    bench.over = true;
                }
            }
            _ => {}
        }
    }

    /// Restarts the snapshots, because the link's counts began anew as the first call that counts did.
    pub fn counts_restarted(&mut self) {
        if let Some(before) = self.benches.last_mut().and_then(|bench| bench.before.as_mut()) {
            before.counts = Counts::default();
        }
    }

    /// True once a call that counts has begun.
    pub fn counting(&self) -> bool {
        !self.benches.is_empty() || !self.checks.is_empty()
    }
}

impl BenchOutcome {
    fn new(now: Instant, warmup: u32, before: Option<Snapshot>) -> Self {
        Self {
            began: now,
            ended: now,
            over: false,
            warmup,
            calls: 0,
            failed: 0,
            failure: None,
            items: 0,
            octets: 0,
            latencies: Latencies::new(),
            after: before.clone(),
            before,
            series: Vec::new(),
            fastest: Duration::MAX,
            slowest: Duration::ZERO,
            sum: 0,
            squares: 0,
        }
    }

    fn call(&mut self, now: Instant, took: Duration, (items, octets): (u32, u32), result: Result<(), CallError>) {
        self.ended = now;
        if let Err(error) = result {
            self.failed += 1;
            self.failure = Some(error);
            return;
        }
        self.calls += 1;
        self.items += u64::from(items);
        self.octets += u64::from(octets);
        self.latencies.took(took);
        self.fastest = self.fastest.min(took);
        self.slowest = self.slowest.max(took);
        self.sum = self.sum.saturating_add(took.as_nanos());
        self.squares = self.squares.saturating_add(u128::from(took.as_nanos()).pow(2));
        let second = (now.saturating_since(self.began) / SECOND).min(SECONDS_MAX) as usize;
        if self.series.len() <= second {
            self.series.resize(second + 1, 0);
        }
        self.series[second] += u64::from(octets);
    }

    /// From the first call that counts to the end of the last one.
    pub fn took(&self) -> Duration {
        self.ended - self.began
    }

    /// The quickest and the slowest call.
    pub fn range(&self) -> Option<(Duration, Duration)> {
        (self.calls > 0).then_some((self.fastest, self.slowest))
    }

    /// Standard deviation of the times of calls, in ms.
    pub fn deviation_ms(&self) -> f64 {
        let n = self.calls.max(1) as f64;
        let mean = self.sum as f64 / n;
        (self.squares as f64 / n - mean * mean).max(0.0).sqrt() / 1e6
    }

    /// Percentiles of the times of calls.
    pub fn latency(&self) -> Option<Percentiles> {
        self.latencies.percentiles()
    }

    /// The air's books of the time it took; none when the connection was another one at its end.
    pub fn ledger(&self) -> Option<Ledger<Account>> {
        let (before, after) = self.same_link()?;
        Some(after.ledger.since(&before.ledger))
    }

    /// The air's books of exactly the time it took; none when the connection was another one at its end.
    pub fn standing(&self) -> Option<Ledger<Account>> {
        let (before, after) = self.same_link()?;
        Some(after.standing.since(&before.standing))
    }

    /// Frames of the time it took, central to peripheral and peripheral to central.
    pub fn frames(&self) -> Option<[u64; 2]> {
        let (before, after) = self.same_link()?;
        Some([0, 1].map(|direction| after.traffic[direction].sdus - before.traffic[direction].sdus))
    }

    /// Connection events and data PDUs of the time it took.
    pub fn events_and_pdus(&self) -> Option<(u64, u64)> {
        let (before, after) = self.same_link()?;
        Some((after.counts.events - before.counts.events, after.counts.data_pdus - before.counts.data_pdus))
    }

    fn same_link(&self) -> Option<(&Snapshot, &Snapshot)> {
        let (before, after) = (self.before.as_ref()?, self.after.as_ref()?);
        (before.link == after.link).then_some((before, after))
    }
}
