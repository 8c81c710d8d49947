//! Whatever a central of the laboratory calls.

use std::fmt;

use airtime_app::rpc::BUFFER;
use airtime_core::Instant;
use airtime_rpc::client::Client;
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CallError, CallId, Caller, Next};

/// A script of any kind.
pub struct AnyScript(Box<dyn Script<BUFFER>>);

impl AnyScript {
    /// Script of any kind, made of this one.
    pub fn new(script: impl Script<BUFFER> + 'static) -> Self {
        Self(Box::new(script))
    }
}

impl fmt::Debug for AnyScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyScript").field("is_over", &self.0.is_over()).finish_non_exhaustive()
    }
}

impl Caller for AnyScript {
    fn next(&mut self, call: CallId) -> Next {
        self.0.next(call)
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.0.read(call, offset, into);
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        self.0.received(call, octets, last);
    }

    fn room(&self, call: CallId) -> u32 {
        self.0.room(call)
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        self.0.ended(call, result);
    }
}

impl Script<BUFFER> for AnyScript {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        self.0.advance(now, client);
    }

    fn poll(&mut self) -> Option<Report> {
        self.0.poll()
    }

    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}
