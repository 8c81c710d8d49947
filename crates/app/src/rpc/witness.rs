//! A caller that is told on.

use airtime_rpc::{CallError, CallId, Caller, Next};

/// Passes everything to a caller, and remembers whether a call of it ended.
pub(super) struct Witness<'a, S> {
    pub(super) caller: &'a mut S,
    pub(super) ended: bool,
}

impl<S: Caller> Caller for Witness<'_, S> {
    fn next(&mut self, call: CallId) -> Next {
        self.caller.next(call)
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.caller.read(call, offset, into);
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        self.caller.received(call, octets, last);
    }

    fn room(&self, call: CallId) -> u32 {
        self.caller.room(call)
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        self.ended = true;
        self.caller.ended(call, result);
    }
}
