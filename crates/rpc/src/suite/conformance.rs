//! The published checks.

use airtime_core::Instant;
use heapless::Deque;

use super::answer::Known;
use super::running::{Running, Runs};
use super::task::{Task, Text};
use super::{Failure, Method, Report, Script};
use crate::client::{Client, State};
use crate::{CallId, Refused};

/// A check and its call.
struct Check {
    name: &'static str,
    method: Method,
    amount: u32,
}

const fn check(name: &'static str, method: Method, amount: u32) -> Check {
    Check { name, method, amount }
}

/// Checks of the published benchmark page, with their names.
const CHECKS: [Check; 9] = [
    check("echo_basic", Method::Echo, 5),
    check("echo_empty", Method::Echo, 0),
    check("echo_max_length", Method::Echo, 256),
    check("flash_read_basic", Method::FlashRead, 64),
    check("flash_read_8kb", Method::FlashRead, 8_192),
    check("data_write", Method::DataWrite, 64),
    check("counter_stream", Method::CounterStream, 5),
    check("counter_upload", Method::CounterUpload, 5),
    // With its headers 261 octets, where a first container has 238 at most.
    check("multi_container_echo", Method::Echo, 250),
];

/// Runs the published checks one after the other. Payloads are compared octet by octet; what is read of flash twice must be the
/// same.
#[derive(Debug)]
pub struct Conformance {
    known: Known,
    next: usize,
    end: usize,
    running: Option<Running>,
    reports: Deque<Report, { CHECKS.len() }>,
}

impl Conformance {
    /// Names of the checks in their order.
    pub const NAMES: [&str; CHECKS.len()] = {
        let mut names = [""; CHECKS.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = CHECKS[at].name;
            at += 1;
        }
        names
    };

    /// Conformance script with all of the checks.
    pub fn new() -> Self {
        Self { known: Known::default(), next: 0, end: CHECKS.len(), running: None, reports: Deque::new() }
    }

    /// Conformance script with the check of this name alone.
    pub fn only(name: &str) -> Option<Self> {
        let next = CHECKS.iter().position(|check| check.name == name)?;
        Some(Self { next, end: next + 1, ..Self::new() })
    }

    /// The same where the octet of flash at each address is known, such as [`service::pattern`](crate::service::pattern).
    #[must_use]
    pub fn knowing(mut self, content: fn(u32) -> u8) -> Self {
        self.known.content = Some(content);
        self
    }

    fn checked(&mut self, result: Result<(), Failure>) {
        let room = self.reports.push_back(Report::Checked { name: CHECKS[self.next].name, result });
        assert!(room.is_ok(), "there is room for every check");
        self.next += 1;
    }

    fn harvest(&mut self) {
        let Some(result) = self.running.as_ref().and_then(Running::ended) else { return };
        let Some(call) = self.running.take() else { return };
        let judged = if call.is_right() { Ok(()) } else { Err(Failure::Unexpected) };
        self.known.read = self.known.read.or(call.flash());
        self.checked(result.map_err(Failure::Call).and(judged));
    }

    fn is_done(&self) -> bool {
        self.next == self.end
    }
}

impl Default for Conformance {
    fn default() -> Self {
        Self::new()
    }
}

impl Runs for Conformance {
    fn running(&mut self, call: CallId) -> Option<&mut Running> {
        self.running.as_mut().filter(|running| running.call == call && running.ended().is_none())
    }
}

impl<const BUFFER: usize> Script<BUFFER> for Conformance {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        self.harvest();
        let failed = matches!(client.state(), State::Failed(_));
        while self.running.is_none() && !self.is_done() {
            let Check { name, method, amount } = CHECKS[self.next];
            let text = if name == "echo_basic" { Text::Hello } else { Text::Letters(self.next as u32) };
            let begun =
                if failed { Err(Refused::Unsupported) } else { client.start(now, method.name(), method.kind()) };
            match begun {
                Ok(call) => self.running = Some(Running::new(call, now, Task { method, amount, text }, self.known)),
                Err(Refused::NotReady | Refused::Busy) => return,
                Err(Refused::Name | Refused::Unsupported) => self.checked(Err(Failure::NotBegun)),
            }
        }
    }

    fn poll(&mut self) -> Option<Report> {
        self.reports.pop_front()
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn is_over(&self) -> bool {
        self.running.is_none() && self.is_done()
    }
}
