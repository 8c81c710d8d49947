//! Script of a run's client: the checks, or benchmarks one after the other.

use std::collections::VecDeque;

use crate::plan::Rpc;
use crate::plan::rpc::Suite;
use airtime_core::Instant;
use airtime_rpc::client::Client;
use airtime_rpc::service::pattern;
use airtime_rpc::suite::{Bench, BenchConfig, Conformance, Report, Script};
use airtime_rpc::{CallError, CallId, Caller, Next};

use super::calls::SUITE;

/// Longest message that a client of the laboratory puts together, headers and seal included.
pub const BUFFER: usize = 16_384;

/// The script of a scenario.
#[derive(Debug)]
pub struct LabScript {
    now: Running,
    next: VecDeque<BenchConfig>,
    /// Reports that finished scripts had left: a handful for each.
    reports: VecDeque<Report>,
    began: Option<Instant>,
    over: bool,
}

/// Script that runs at the moment.
#[derive(Debug)]
enum Running {
    Checks(Box<Conformance>),
    Bench(Box<Bench>),
}

/// Calls the same method of either script.
macro_rules! either {
    ($running:expr, $script:ident => $call:expr) => {
        match $running {
            Running::Checks($script) => $call,
            Running::Bench($script) => $call,
        }
    };
}

impl LabScript {
    /// The script of these calls.
    ///
    /// # Panics
    /// Without a benchmark, which no plan gives.
    pub fn new(calls: &Rpc) -> Self {
        let mut next = VecDeque::from(calls.benches());
        let now = match calls.suite {
            Some(Suite::Conformance) => Running::Checks(Box::new(Conformance::new().knowing(pattern))),
            Some(Suite::Bench) | None => {
                let first = next.pop_front().expect("a plan of calls has a benchmark");
                Running::Bench(Box::new(Bench::new(first).knowing(pattern)))
            }
        };
        Self { now, next, reports: VecDeque::new(), began: None, over: false }
    }

    fn running_is_over(&self) -> bool {
        either!(&self.now, script => Script::<BUFFER>::is_over(&**script))
    }
}

impl Caller for LabScript {
    fn next(&mut self, call: CallId) -> Next {
        either!(&mut self.now, script => script.next(call))
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        either!(&mut self.now, script => script.read(call, offset, into));
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        either!(&mut self.now, script => script.received(call, octets, last));
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        either!(&mut self.now, script => script.ended(call, result));
    }
}

impl Script<BUFFER> for LabScript {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        let began = *self.began.get_or_insert(now);
        while !self.over {
            either!(&mut self.now, script => Script::<BUFFER>::advance(&mut **script, now, client));
            if !self.running_is_over() {
                break;
            }
            while let Some(report) = either!(&mut self.now, script => Script::<BUFFER>::poll(&mut **script)) {
                self.reports.push_back(report);
            }
            match self.next.pop_front() {
                Some(next) => self.now = Running::Bench(Box::new(Bench::new(next).knowing(pattern))),
                None => {
                    self.over = true;
                    self.reports.push_back(Report::Ended { name: SUITE, took: now - began });
                }
            }
        }
    }

    fn poll(&mut self) -> Option<Report> {
        let running = || either!(&mut self.now, script => Script::<BUFFER>::poll(&mut **script));
        self.reports.pop_front().or_else(running)
    }

    fn deadline(&self) -> Option<Instant> {
        either!(&self.now, script => Script::<BUFFER>::deadline(&**script))
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
