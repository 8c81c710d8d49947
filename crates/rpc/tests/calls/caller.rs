//! A caller that has whole messages, and keeps what came.

use std::collections::{BTreeMap, VecDeque};

use airtime_rpc::{CallError, CallId, Caller, Next};

/// Calls under way and over.
#[derive(Default)]
pub struct Book {
    calls: BTreeMap<u16, Entry>,
}

#[derive(Default)]
struct Entry {
    requests: VecDeque<Vec<u8>>,
    under_way: Vec<u8>,
    /// More requests will come.
    open: bool,
    coming: Vec<u8>,
    responses: Vec<Vec<u8>>,
    result: Option<Result<(), CallError>>,
}

impl Book {
    pub fn begin(&mut self, call: CallId, requests: &[Vec<u8>]) {
        let entry = Entry { requests: requests.iter().cloned().collect(), ..Entry::default() };
        assert!(self.calls.insert(call.0, entry).is_none(), "{call:?} has been there");
    }

    /// More requests will come: the caller has something later.
    pub fn keep_open(&mut self, call: CallId, open: bool) {
        self.calls.get_mut(&call.0).expect("the call is known").open = open;
    }

    pub fn add(&mut self, call: CallId, request: Vec<u8>) {
        self.calls.get_mut(&call.0).expect("the call is known").requests.push_back(request);
    }

    /// Responses of a call that is over.
    pub fn result(&self, call: CallId) -> Result<Vec<Vec<u8>>, CallError> {
        let entry = &self.calls[&call.0];
        entry.result.expect("the call is over").map(|()| entry.responses.clone())
    }

    pub fn is_over(&self, call: CallId) -> bool {
        self.calls[&call.0].result.is_some()
    }

    fn entry(&mut self, call: CallId) -> &mut Entry {
        let entry = self.calls.get_mut(&call.0).expect("the call is known");
        assert!(entry.result.is_none(), "{call:?} is over");
        entry
    }
}

impl Caller for Book {
    fn next(&mut self, call: CallId) -> Next {
        let entry = self.entry(call);
        match entry.requests.pop_front() {
            Some(request) => {
                let octets = request.len() as u32;
                entry.under_way = request;
                Next::Message { octets }
            }
            None if entry.open => Next::Later,
            None => Next::End,
        }
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        let entry = self.entry(call);
        into.copy_from_slice(&entry.under_way[offset as usize..][..into.len()]);
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        let entry = self.entry(call);
        entry.coming.extend_from_slice(octets);
        if last {
            let message = core::mem::take(&mut entry.coming);
            entry.responses.push(message);
        }
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        self.entry(call).result = Some(result);
    }
}
