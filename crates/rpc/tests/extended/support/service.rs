//! A service with a method of each kind. It remembers which calls it ran, and asserts that it is used as the contract says.

use std::collections::{BTreeMap, VecDeque};

use airtime_rpc::{CallId, Kind, Next, Service, Status};

use super::octet;

/// Octets that a call of `chat` keeps: a credit of the first 512, and some more.
const CHAT_ROOM: u32 = 700;

/// The service.
#[derive(Debug, Default)]
pub struct Works {
    /// Calls that stand.
    pub standing: BTreeMap<u16, Work>,
    /// How often each number of a request was run.
    pub runs: BTreeMap<u32, u32>,
    /// Calls opened and closed so far.
    pub opened: u32,
    pub closed: u32,
    /// Most octets that a call of `chat` kept.
    pub kept_most: u32,
    /// Whether `slow` answers.
    pub released: bool,
}

/// A call.
#[derive(Debug)]
pub struct Work {
    method: Method,
    request: Vec<u8>,
    /// Messages of `chat` to be sent back.
    kept: VecDeque<Vec<u8>>,
    finished: bool,
    answered: bool,
    items: u32,
    sum: u32,
    reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Echo,
    Read,
    Count,
    Sum,
    Chat,
    Slow,
    Fail,
}

#[derive(Debug)]
enum Reading {
    Octets(Vec<u8>),
    Text(u32),
}

impl Work {
    fn number(&self) -> u32 {
        self.word(0)
    }

    fn wanted(&self) -> u32 {
        self.word(4)
    }

    fn word(&self, at: usize) -> u32 {
        self.request.get(at..at + 4).map_or(0, |octets| u32::from_le_bytes(octets.try_into().expect("four octets")))
    }

    fn cost(&self) -> u32 {
        let whole: usize = self.kept.iter().map(|message| message.len() + 1).sum();
        whole as u32 + self.request.len() as u32
    }
}

impl Works {
    fn work(&mut self, call: CallId) -> &mut Work {
        self.standing.get_mut(&call.0).expect("a call that stands")
    }
}

impl Service for Works {
    fn open(&mut self, call: CallId, name: &str) -> Result<Kind, Status> {
        let (method, kind) = match name {
            "echo" => (Method::Echo, Kind::Unary),
            "read" => (Method::Read, Kind::Unary),
            "count" => (Method::Count, Kind::ServerStream),
            "sum" => (Method::Sum, Kind::ClientStream),
            "chat" => (Method::Chat, Kind::Bidirectional),
            "slow" => (Method::Slow, Kind::Unary),
            "fail" => (Method::Fail, Kind::Unary),
            _ => return Err(Status::UnknownCommand),
        };
        let work = Work {
            method,
            request: Vec::new(),
            kept: VecDeque::new(),
            finished: false,
            answered: false,
            items: 0,
            sum: 0,
            reading: Reading::Octets(Vec::new()),
        };
        assert!(self.standing.insert(call.0, work).is_none(), "opened twice");
        self.opened += 1;
        Ok(kind)
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        let work = self.work(call);
        work.request.extend_from_slice(octets);
        if work.method == Method::Chat && last {
            let message = std::mem::take(&mut work.request);
            work.kept.push_back(message);
        }
        if work.method == Method::Chat {
            let cost = work.cost();
            assert!(cost <= CHAT_ROOM, "more than the room that was given: {cost}");
            self.kept_most = self.kept_most.max(cost);
            return Ok(());
        }
        if !last {
            return Ok(());
        }
        if work.method == Method::Sum {
            work.items += 1;
            work.sum = work.request.iter().fold(work.sum, |sum, octet| sum.rotate_left(5) ^ u32::from(*octet));
            work.request.clear();
            return Ok(());
        }
        let number = work.number();
        *self.runs.entry(number).or_default() += 1;
        Ok(())
    }

    fn finished(&mut self, call: CallId) -> Result<(), Status> {
        let work = self.work(call);
        assert!(!work.finished, "finished twice");
        assert!(matches!(work.method, Method::Sum | Method::Chat));
        work.finished = true;
        Ok(())
    }

    fn next(&mut self, call: CallId) -> Next {
        let released = self.released;
        let work = self.work(call);
        let octets = match work.method {
            Method::Echo => std::mem::take(&mut work.request),
            Method::Read => {
                work.reading = Reading::Text(work.number());
                return Next::Message { octets: work.wanted() };
            }
            Method::Count if work.items == work.wanted() => return Next::End,
            Method::Count => {
                work.items += 1;
                [work.number().to_le_bytes(), (work.items - 1).to_le_bytes()].concat()
            }
            Method::Sum => {
                assert!(work.finished, "asked before the end of the requests");
                [work.items.to_le_bytes(), work.sum.to_le_bytes()].concat()
            }
            Method::Chat => match work.kept.pop_front() {
                Some(message) => message,
                None if work.finished => return Next::End,
                None => return Next::Later,
            },
            Method::Slow if !released => return Next::Later,
            Method::Slow => Vec::new(),
            Method::Fail => return Next::Failed(Status::Internal),
        };
        assert!(!work.answered || matches!(work.method, Method::Count | Method::Chat), "asked after the answer");
        work.answered = true;
        let length = octets.len() as u32;
        work.reading = Reading::Octets(octets);
        Next::Message { octets: length }
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        assert!(!into.is_empty(), "asked for nothing");
        match &self.work(call).reading {
            Reading::Octets(octets) => {
                let from = offset as usize;
                into.copy_from_slice(&octets[from..from + into.len()]);
            }
            Reading::Text(seed) => {
                let seed = *seed;
                into.iter_mut().zip(offset..).for_each(|(into, at)| *into = octet(seed, at));
            }
        }
    }

    fn closed(&mut self, call: CallId) {
        assert!(self.standing.remove(&call.0).is_some(), "closed twice");
        self.closed += 1;
    }

    fn room(&self, call: CallId) -> u32 {
        let work = &self.standing[&call.0];
        match work.method {
            Method::Chat => CHAT_ROOM - work.cost(),
            _ => u32::MAX,
        }
    }
}
