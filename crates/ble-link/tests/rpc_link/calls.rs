//! A script that makes one call again and again, and remembers when each began and ended.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_app::rpc::BUFFER;
use airtime_core::Instant;
use airtime_rpc::client::{Client, State};
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CallError, CallId, Caller, Kind, Next};

/// What is called.
#[derive(Clone, Debug)]
pub struct Plan {
    pub name: &'static str,
    pub kind: Kind,
    /// The request messages.
    pub requests: Vec<Vec<u8>>,
    pub calls: usize,
    pub outstanding: usize,
}

/// `echo` of a text.
pub fn echo(text: &str) -> Plan {
    let request = [&[0x0a, text.len() as u8], text.as_bytes()].concat();
    Plan { name: "echo", kind: Kind::Unary, requests: vec![request], calls: 1, outstanding: 1 }
}

/// `flash_read` from address 0 on.
pub fn flash_read(octets: u32) -> Plan {
    let request = [&[0x10][..], &varint(octets)].concat();
    Plan { name: "flash_read", kind: Kind::Unary, requests: vec![request], calls: 1, outstanding: 1 }
}

/// `data_write` of this many octets.
pub fn data_write(octets: u32) -> Plan {
    let request = [&[0x0a][..], &varint(octets), &vec![0x5a; octets as usize]].concat();
    Plan { name: "data_write", kind: Kind::Unary, requests: vec![request], calls: 1, outstanding: 1 }
}

/// `counter_stream`: items from the server.
pub fn counter_stream(items: u32) -> Plan {
    let request = [&[0x08][..], &varint(items)].concat();
    Plan { name: "counter_stream", kind: Kind::ServerStream, requests: vec![request], calls: 1, outstanding: 1 }
}

/// `counter_upload`: items to the server.
pub fn counter_upload(items: u32) -> Plan {
    let item = |seq: u32| [&[0x08][..], &varint(seq), &[0x10], &varint(10 * seq)].concat();
    let requests = (0..items).map(item).collect();
    Plan { name: "counter_upload", kind: Kind::ClientStream, requests, calls: 1, outstanding: 1 }
}

/// Base 128, least significant group first, as protocol buffers have it.
fn varint(mut value: u32) -> Vec<u8> {
    let mut octets = Vec::new();
    while value >= 0x80 {
        octets.push(value as u8 | 0x80);
        value >>= 7;
    }
    octets.push(value as u8);
    octets
}

impl Plan {
    pub fn times(self, calls: usize, outstanding: usize) -> Self {
        Self { calls, outstanding, ..self }
    }
}

/// What became of one call.
#[derive(Clone, Debug)]
pub struct Done {
    pub began: Instant,
    pub ended: Instant,
    pub result: Result<(), CallError>,
    /// The response messages.
    pub responses: Vec<Vec<u8>>,
}

/// Calls that ended, in the order they did.
pub type Log = Rc<RefCell<Vec<Done>>>;

struct UnderWay {
    call: CallId,
    began: Instant,
    next: usize,
    responses: Vec<Vec<u8>>,
    whole: bool,
    result: Option<Result<(), CallError>>,
}

/// The script.
pub struct Calls {
    plan: Plan,
    begun: usize,
    under_way: Vec<UnderWay>,
    log: Log,
}

impl Calls {
    /// The script of a plan, and where it notes what became of the calls.
    pub fn new(plan: Plan) -> (Self, Log) {
        let log = Log::default();
        (Self { plan, begun: 0, under_way: Vec::new(), log: log.clone() }, log)
    }

    fn find(&mut self, call: CallId) -> &mut UnderWay {
        self.under_way.iter_mut().find(|one| one.call == call).expect("nothing is asked of a call that is over")
    }
}

impl Caller for Calls {
    fn next(&mut self, call: CallId) -> Next {
        let requests = self.plan.requests.len();
        let at = self.find(call).next;
        if at == requests {
            return Next::End;
        }
        Next::Message { octets: self.plan.requests[at].len() as u32 }
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        let at = self.find(call).next;
        let request = &self.plan.requests[at];
        let (from, to) = (offset as usize, offset as usize + into.len());
        into.copy_from_slice(&request[from..to]);
        if to == request.len() {
            self.find(call).next += 1;
        }
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        let one = self.find(call);
        if std::mem::replace(&mut one.whole, last) {
            one.responses.push(Vec::new());
        }
        one.responses.last_mut().expect("a response has begun").extend_from_slice(octets);
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        let one = self.find(call);
        assert_eq!(one.result.replace(result), None, "a call ends once");
    }
}

impl Script<BUFFER> for Calls {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        let ended = |one: &mut UnderWay| one.result.is_some();
        for one in self.under_way.extract_if(.., ended) {
            let UnderWay { began, responses, result, .. } = one;
            let result = result.expect("it ended");
            self.log.borrow_mut().push(Done { began, ended: now, result, responses });
        }
        while matches!(client.state(), State::Ready(_))
            && self.begun < self.plan.calls
            && self.under_way.len() < self.plan.outstanding
            && client.room() > 0
        {
            let call = client.start(now, self.plan.name, self.plan.kind).expect("there is room");
            self.begun += 1;
            self.under_way.push(UnderWay {
                call,
                began: now,
                next: 0,
                responses: Vec::new(),
                whole: true,
                result: None,
            });
        }
    }

    fn poll(&mut self) -> Option<Report> {
        None
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn is_over(&self) -> bool {
        self.log.borrow().len() == self.plan.calls
    }
}
