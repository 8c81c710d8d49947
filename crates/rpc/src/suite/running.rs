//! One call under way.

use airtime_core::Instant;

use super::answer::{Answer, Known};
use super::task::{Requests, Task};
use crate::{CallError, CallId, Caller, Next};

/// A call from its begin until its end has been reported.
#[derive(Debug)]
pub(super) struct Running {
    pub call: CallId,
    pub began: Instant,
    pub task: Task,
    requests: Requests,
    answer: Answer,
    ended: Option<Result<(), CallError>>,
}

impl Running {
    pub fn new(call: CallId, began: Instant, task: Task, known: Known) -> Self {
        Self { call, began, task, requests: Requests::new(task), answer: Answer::new(task, known), ended: None }
    }

    pub fn next(&mut self) -> Next {
        self.requests.next()
    }

    pub fn read(&mut self, offset: u32, into: &mut [u8]) {
        self.requests.read(offset, into);
    }

    pub fn received(&mut self, octets: &[u8], last: bool) {
        self.answer.receive(octets, last, self.requests.check());
    }

    pub fn end(&mut self, result: Result<(), CallError>) {
        self.ended = Some(result);
    }

    /// Result, once it has ended.
    pub fn ended(&self) -> Option<Result<(), CallError>> {
        self.ended
    }

    /// True if all that came was right.
    pub fn is_right(&self) -> bool {
        self.answer.is_complete()
    }

    /// Length and check of the flash that it has read.
    pub fn flash(&self) -> Option<(u32, u32)> {
        self.answer.read()
    }
}

/// A script with calls under way: of each, that call itself says what the client wants to know.
pub(super) trait Runs {
    /// The call of this number, if it has not ended.
    fn running(&mut self, call: CallId) -> Option<&mut Running>;
}

impl<S: Runs> Caller for S {
    fn next(&mut self, call: CallId) -> Next {
        self.running(call).map_or(Next::End, Running::next)
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        if let Some(running) = self.running(call) {
            running.read(offset, into);
        }
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        if let Some(running) = self.running(call) {
            running.received(octets, last);
        }
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        if let Some(running) = self.running(call) {
            running.end(result);
        }
    }
}
