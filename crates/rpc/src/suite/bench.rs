//! Benchmark: the same call again and again.

use airtime_core::{Duration, Instant};
use heapless::Deque;

use super::answer::Known;
use super::running::{Running, Runs};
use super::task::{Task, Text};
use super::{BenchConfig, Report, Script};
use crate::client::{Client, State};
use crate::{CALLS_MAX, CallError, CallId, Refused, Status};

/// After so many calls in a row that failed there is nothing to measure.
const FAILURES_MAX: u32 = 32;

/// Reports that may wait: a call's for each place, begin and end.
const REPORTS: usize = 16;

/// One benchmark. What comes back is judged octet by octet; a call that brings something else counts as
/// [`CallError::Malformed`].
#[derive(Debug)]
pub struct Bench {
    config: BenchConfig,
    known: Known,
    calls: [Option<Running>; CALLS_MAX],
    begun: u32,
    ended: u32,
    /// Instant at which the first call after the warm-up began.
    began: Option<Instant>,
    failures: u32,
    reports: Deque<Report, REPORTS>,
    over: bool,
}

impl Bench {
    /// Benchmark of this configuration. Flash must read the same each time.
    pub fn new(config: BenchConfig) -> Self {
        Self {
            config,
            known: Known::default(),
            calls: [const { None }; CALLS_MAX],
            begun: 0,
            ended: 0,
            began: None,
            failures: 0,
            reports: Deque::new(),
            over: false,
        }
    }

    /// The same where the octet of flash at each address is known, such as [`service::pattern`](crate::service::pattern).
    #[must_use]
    pub fn knowing(mut self, content: fn(u32) -> u8) -> Self {
        self.known.content = Some(content);
        self
    }

    /// Calls of warm-up and measurement together.
    fn total(&self) -> u32 {
        self.config.calls.map_or(u32::MAX, |calls| calls.saturating_add(self.config.warmup))
    }

    fn under_way(&self) -> u32 {
        self.begun - self.ended
    }

    /// Reports the calls that have ended.
    fn harvest(&mut self, now: Instant) {
        for place in 0..CALLS_MAX {
            // One more report may follow the last of them.
            if self.reports.capacity() - self.reports.len() < 2 {
                return;
            }
            let Some(result) = self.calls[place].as_ref().and_then(Running::ended) else { continue };
            let Some(call) = self.calls[place].take() else { continue };
            let result = result.and(if call.is_right() { Ok(()) } else { Err(CallError::Malformed) });
            self.known.read = self.known.read.or(call.flash());
            self.report_call(&call, now - call.began, result);
        }
    }

    fn report_call(&mut self, call: &Running, took: Duration, result: Result<(), CallError>) {
        self.report(Report::Call {
            name: self.config.call.name(),
            took,
            items: call.task.items(),
            octets: call.task.octets(),
            // The first call that is measured begins when all of the warm-up have ended.
            warmup: self.ended < self.config.warmup,
            result,
        });
        self.ended = self.ended.saturating_add(1);
        self.failures = if result.is_ok() { 0 } else { self.failures + 1 };
    }

    fn report(&mut self, report: Report) {
        let room = self.reports.push_back(report);
        assert!(room.is_ok(), "reports are drained after every mutation");
    }

    fn end_if_done(&mut self, now: Instant) {
        if self.ended == self.total() || self.failures >= FAILURES_MAX {
            self.end(now);
        }
    }

    fn end(&mut self, now: Instant) {
        self.over = true;
        if let Some(began) = self.began {
            self.report(Report::Ended { name: self.config.call.name(), took: now - began });
        }
    }

    /// Begins a call, if one is due; says whether another may be.
    fn begin<const BUFFER: usize>(&mut self, now: Instant, client: &mut Client<BUFFER>) -> bool {
        let measured = self.begun >= self.config.warmup;
        let warming = measured && self.ended < self.config.warmup;
        if self.begun == self.total() || warming || self.under_way() >= u32::from(self.config.outstanding.max(1)) {
            return false;
        }
        let Some(place) = self.calls.iter().position(Option::is_none) else { return false };
        let method = self.config.call;
        let task = Task { method, amount: self.config.payload, text: Text::Letters(self.begun) };
        match client.start(now, method.name(), method.kind()) {
            Ok(call) => {
                self.calls[place] = Some(Running::new(call, now, task, self.known));
                self.begun += 1;
                if measured && self.began.is_none() {
                    self.began = Some(now);
                    self.report(Report::Began { name: method.name() });
                }
                true
            }
            Err(Refused::NotReady | Refused::Busy) => false,
            Err(Refused::Name | Refused::Unsupported) => {
                let result = Err(CallError::Refused(Status::UnknownCommand));
                let call = Running::new(CallId(0), now, task, self.known);
                self.begun += 1;
                self.report_call(&call, Duration::ZERO, result);
                self.end(now);
                false
            }
        }
    }
}

impl Runs for Bench {
    fn running(&mut self, call: CallId) -> Option<&mut Running> {
        self.calls.iter_mut().flatten().find(|running| running.call == call && running.ended().is_none())
    }
}

impl<const BUFFER: usize> Script<BUFFER> for Bench {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        if self.over {
            return;
        }
        self.harvest(now);
        self.end_if_done(now);
        if matches!(client.state(), State::Failed(_)) && !self.over {
            self.end(now);
        }
        while !self.over && self.begin(now, client) {}
    }

    fn poll(&mut self) -> Option<Report> {
        self.reports.pop_front()
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
