//! The published checks and benchmarks, one after the other on one connection, and what they reported.

use std::collections::VecDeque;
use std::fmt;

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, Terms};
use airtime_rpc::suite::{Failure, Report, Script};
use airtime_rpc::{CallError, CallId, Next};

use super::{BUFFER, JobError};

/// Reports that wait for whoever polls. What more there is was heard here all the same.
const REPORTS_MAX: usize = 1_024;

/// A check that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, as published.
    pub name: &'static str,
    /// Result: passed, or the failure.
    pub result: Result<(), Failure>,
}

/// A benchmark that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Name of the benchmark.
    pub name: &'static str,
    /// Time of each call that counts.
    pub calls: Vec<Duration>,
    /// Items of those calls, and octets of payload.
    pub items: u64,
    /// Octets of payload of a benchmark, as `items` counts them.
    pub octets: u64,
    /// From the first of them to the end of the last; none before it is over.
    pub took: Option<Duration>,
    /// Calls that did not end well, those of the warm-up as well, and how the first one of them ended.
    pub failed: u64,
    /// Error of the call that is counted in `failed`.
    pub error: Option<CallError>,
}

/// Scripts in a row.
pub struct Suite {
    parts: VecDeque<Box<dyn Script<BUFFER>>>,
    of: usize,
    checks: Vec<Check>,
    benchmarks: Vec<Benchmark>,
    calls: u64,
    reports: VecDeque<Report>,
}

impl Suite {
    /// Suite of these scripts, one after the other.
    pub fn new(parts: impl IntoIterator<Item = Box<dyn Script<BUFFER>>>) -> Self {
        let parts: VecDeque<_> = parts.into_iter().collect();
        Self { of: parts.len(), parts, checks: Vec::new(), benchmarks: Vec::new(), calls: 0, reports: VecDeque::new() }
    }

    /// Checks so far.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Benchmarks so far.
    pub fn benchmarks(&self) -> &[Benchmark] {
        &self.benchmarks
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    pub(super) fn error(&self) -> Option<&JobError> {
        None
    }

    pub(super) fn is_over(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        ((self.of - self.parts.len()) as u64, self.of as u64)
    }

    pub(super) fn moves(&self) -> u64 {
        self.calls
    }

    pub(super) fn advance(&mut self, now: Instant, _: &Terms, client: &mut Client<BUFFER>) {
        while let Some(part) = self.parts.front_mut() {
            part.advance(now, client);
            while let Some(report) = part.poll() {
                note(&mut self.checks, &mut self.benchmarks, &mut self.calls, report);
                if self.reports.len() < REPORTS_MAX {
                    self.reports.push_back(report);
                }
            }
            if !part.is_over() {
                return;
            }
            self.parts.pop_front();
        }
    }

    /// Scripts see how their calls ended when they are advanced.
    pub(super) fn settle(&mut self) {}

    pub(super) fn poll(&mut self) -> Option<Report> {
        self.reports.pop_front()
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.parts.front().and_then(|part| part.deadline())
    }

    pub(super) fn next(&mut self, call: CallId) -> Next {
        self.parts.front_mut().map_or(Next::End, |part| part.next(call))
    }

    pub(super) fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        if let Some(part) = self.parts.front_mut() {
            part.read(call, offset, into);
        }
    }

    pub(super) fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        if let Some(part) = self.parts.front_mut() {
            part.received(call, octets, last);
        }
    }

    pub(super) fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        if let Some(part) = self.parts.front_mut() {
            part.ended(call, result);
        }
    }
}

fn note(checks: &mut Vec<Check>, benchmarks: &mut Vec<Benchmark>, calls: &mut u64, report: Report) {
    let last = |benchmarks: &mut Vec<Benchmark>, name: &'static str| {
        if benchmarks.last().is_none_or(|last| last.name != name || last.took.is_some()) {
            let fresh = Benchmark { name, calls: Vec::new(), items: 0, octets: 0, took: None, failed: 0, error: None };
            benchmarks.push(fresh);
        }
        benchmarks.len() - 1
    };
    match report {
        Report::Began { name } => {
            last(benchmarks, name);
        }
        Report::Call { name, took, items, octets, warmup, result } => {
            *calls += 1;
            let benchmark = last(benchmarks, name);
            let benchmark = &mut benchmarks[benchmark];
            match result {
                Ok(()) if !warmup => {
                    benchmark.calls.push(took);
                    benchmark.items += u64::from(items);
                    benchmark.octets += u64::from(octets);
                }
                Ok(()) => {}
                Err(error) => {
                    benchmark.failed += 1;
                    benchmark.error.get_or_insert(error);
                }
            }
        }
        Report::Checked { name, result } => {
            *calls += 1;
            checks.push(Check { name, result });
        }
        Report::Ended { name, took } => {
            let benchmark = last(benchmarks, name);
            benchmarks[benchmark].took = Some(took);
        }
        _ => {}
    }
}

impl fmt::Debug for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite").field("left", &self.parts.len()).field("of", &self.of).finish_non_exhaustive()
    }
}
