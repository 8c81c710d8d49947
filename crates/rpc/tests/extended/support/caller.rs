//! A caller that keeps everything it hears.

use std::collections::{BTreeMap, VecDeque};

use airtime_rpc::{CallError, CallId, Caller, Next};

/// What a call has to say, and what it heard.
#[derive(Debug, Default)]
pub struct Talk {
    /// Requests that were not asked for yet.
    pub requests: VecDeque<Vec<u8>>,
    /// Whether more requests may come: the answer is *later* then.
    pub holds: bool,
    /// Whole responses.
    pub responses: Vec<Vec<u8>>,
    /// What came of a response that is not whole.
    pub partial: Vec<u8>,
    /// How it ended: exactly once.
    pub results: Vec<Result<(), CallError>>,
    /// Room it has, if it is a slow reader.
    pub room: Option<u32>,
    /// The request that is being read.
    pub reading: Vec<u8>,
}

impl Talk {
    /// A call that says these and nothing more.
    pub fn of(requests: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { requests: requests.into_iter().collect(), ..Self::default() }
    }

    /// How it ended; none while it is under way.
    pub fn result(&self) -> Option<Result<(), CallError>> {
        assert!(self.results.len() <= 1, "ended twice: {:?}", self.results);
        self.results.first().copied()
    }
}

/// Somebody with calls.
#[derive(Debug, Default)]
pub struct Person {
    pub calls: BTreeMap<u16, Talk>,
}

impl Person {
    /// The call `id`.
    pub fn call(&mut self, id: CallId) -> &mut Talk {
        self.calls.get_mut(&id.0).expect("a call of mine")
    }
}

impl Caller for Person {
    fn next(&mut self, call: CallId) -> Next {
        let talk = self.call(call);
        assert!(talk.results.is_empty(), "asked after its end");
        match talk.requests.pop_front() {
            Some(request) => {
                talk.reading = request;
                Next::Message { octets: talk.reading.len() as u32 }
            }
            None if talk.holds => Next::Later,
            None => Next::End,
        }
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        assert!(!into.is_empty(), "asked for nothing");
        let from = offset as usize;
        into.copy_from_slice(&self.call(call).reading[from..from + into.len()]);
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        let talk = self.call(call);
        assert!(talk.results.is_empty(), "told after its end");
        talk.partial.extend_from_slice(octets);
        if let Some(room) = &mut talk.room {
            let cost = octets.len() as u32 + u32::from(last);
            *room = room.saturating_sub(cost);
        }
        if last {
            talk.responses.push(std::mem::take(&mut talk.partial));
        }
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        self.call(call).results.push(result);
    }

    fn room(&self, call: CallId) -> u32 {
        self.calls[&call.0].room.unwrap_or(u32::MAX)
    }
}
