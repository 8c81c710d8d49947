//! The test service, and how often it ran each call.

use airtime_rpc::client::Mode;
use airtime_rpc::service::{PatternFlash, TestService};
use airtime_rpc::{CALLS_MAX, CallId, Kind, Next, Service, Status};

use super::task::{CALLS_EXPECTED, Task, number};

/// A service that counts what it runs, and compares what it is asked with what was sent.
#[derive(Debug)]
pub struct Counted {
    inner: TestService<PatternFlash>,
    seed: u64,
    /// Whether the client can say that it gives a call up: in compatible mode it can only end its stream.
    cancels: bool,
    standing: Vec<Standing>,
    runs: Vec<u8>,
}

/// A call that stands.
#[derive(Debug)]
struct Standing {
    call: CallId,
    kind: Kind,
    /// Number and task, once the first message is there.
    told: Option<(u32, Task)>,
    /// Messages that came whole.
    messages: usize,
    /// What has come of the one under way.
    message: Vec<u8>,
}

impl Counted {
    /// A service with a flash of `octets`, for the calls of the run with `seed`.
    pub fn new(seed: u64, mode: Mode, octets: u32) -> Self {
        let inner = TestService::new(PatternFlash::new(octets));
        Self {
            inner,
            seed,
            cancels: mode == Mode::Extended,
            standing: Vec::with_capacity(CALLS_MAX),
            runs: Vec::with_capacity(CALLS_EXPECTED),
        }
    }

    /// How often call `number` was run: its request, or its stream of requests, had come whole.
    pub fn runs(&self, number: u32) -> u8 {
        self.runs.get(number as usize).copied().unwrap_or(0)
    }

    /// Calls that stand, as the service itself and this one see it.
    pub fn standing(&self) -> usize {
        assert_eq!(self.inner.under_way(), self.standing.len());
        self.standing.len()
    }

    fn find(&mut self, call: CallId) -> &mut Standing {
        self.standing.iter_mut().find(|one| one.call == call).expect("a call that stands")
    }

    /// A message has come whole.
    fn take(&mut self, call: CallId) {
        let seed = self.seed;
        let one = self.find(call);
        let (_, task) = one.told.get_or_insert_with(|| {
            let number = number(&one.message).expect("the first message has the number");
            (number, Task::of(seed, number))
        });
        assert!(task.requests[one.messages] == one.message, "what was sent, and in order: {}", task.name);
        one.messages += 1;
        one.message.clear();
    }

    /// The request is complete: this is where a call is done.
    fn ran(&mut self, call: CallId) {
        let cancels = self.cancels;
        let one = self.find(call);
        let (number, task) = one.told.as_ref().expect("a call with a request");
        let number = *number as usize;
        let given_up = !cancels && task.cancelled_after.is_some();
        assert!(given_up || one.messages == task.requests.len(), "not every message of {}", task.name);
        self.runs.resize(self.runs.len().max(number + 1), 0);
        self.runs[number] += 1;
        assert_eq!(self.runs[number], 1, "call {number} is run once");
    }
}

impl Service for Counted {
    fn open(&mut self, call: CallId, name: &str) -> Result<Kind, Status> {
        let kind = self.inner.open(call, name)?;
        assert!(self.standing.iter().all(|one| one.call != call), "a call stands once");
        self.standing.push(Standing { call, kind, told: None, messages: 0, message: Vec::new() });
        Ok(kind)
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        self.inner.received(call, octets, last)?;
        self.find(call).message.extend_from_slice(octets);
        if last {
            self.take(call);
            if self.find(call).kind != Kind::ClientStream {
                self.ran(call);
            }
        }
        Ok(())
    }

    fn finished(&mut self, call: CallId) -> Result<(), Status> {
        self.inner.finished(call)?;
        if self.find(call).kind == Kind::ClientStream {
            self.ran(call);
        }
        Ok(())
    }

    fn next(&mut self, call: CallId) -> Next {
        self.inner.next(call)
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.inner.read(call, offset, into);
    }

    fn room(&self, call: CallId) -> u32 {
        self.inner.room(call)
    }

    fn closed(&mut self, call: CallId) {
        self.inner.closed(call);
        let before = self.standing.len();
        self.standing.retain(|one| one.call != call);
        assert_eq!(self.standing.len() + 1, before, "a call is closed once");
    }
}
