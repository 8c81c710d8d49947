//! A script that keeps as many calls of all kinds under way as it may.

use airtime_app::rpc::BUFFER;
use airtime_core::Instant;
use airtime_rpc::client::{Client, Mode, State};
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CALLS_MAX, CallError, CallId, Caller, Next, Status};

use super::task::{CALLS_EXPECTED, Task};

/// How calls ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub well: u32,
    pub lost: u32,
    pub cancelled: u32,
    pub late: u32,
}

impl Tally {
    /// All that ended.
    pub fn ended(&self) -> u32 {
        self.well + self.lost + self.cancelled + self.late
    }
}

/// A call under way.
#[derive(Debug)]
struct Call {
    call: CallId,
    number: u32,
    task: Task,
    cancel_at: Option<Instant>,
    /// Whether it was this end that gave it up.
    cancelled: bool,
    mode: Mode,
    /// Requests that have gone.
    sent: usize,
    /// Responses that came whole, and what has come of the next one.
    came: usize,
    message: Vec<u8>,
    result: Option<Result<(), CallError>>,
}

/// The script.
#[derive(Debug)]
pub struct Mixed {
    seed: u64,
    until: Instant,
    stops: bool,
    under_way: Vec<Call>,
    /// By the number of the call, whether it ended well; none before it ended.
    ended: Vec<Option<bool>>,
    tally: Tally,
    /// Most calls under way.
    most: usize,
}

impl Mixed {
    /// Calls until `until`, and then waits for those under way.
    pub fn new(seed: u64, until: Instant) -> Self {
        let (under_way, ended) = (Vec::with_capacity(CALLS_MAX), Vec::with_capacity(CALLS_EXPECTED));
        Self { seed, until, stops: false, under_way, ended, tally: Tally::default(), most: 0 }
    }

    /// How calls have ended.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// By the number of each call that began, whether it ended well; none if it has not ended.
    pub fn ended(&self) -> &[Option<bool>] {
        &self.ended
    }

    /// Most calls that were under way at once.
    pub fn most(&self) -> usize {
        self.most
    }

    fn find(&mut self, call: CallId) -> &mut Call {
        let under_way = |one: &&mut Call| one.call == call && one.result.is_none();
        self.under_way.iter_mut().find(under_way).expect("nothing is asked or said of a call that is over")
    }

    fn cancel(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        let due = |one: &Call| one.result.is_none() && one.cancel_at.is_some_and(|at| at <= now);
        while let Some(one) = self.under_way.iter_mut().find(|one| due(one)) {
            (one.cancel_at, one.cancelled) = (None, true);
            let call = one.call;
            client.cancel(now, call, self);
        }
    }

    fn collect(&mut self) {
        for one in self.under_way.extract_if(.., |one| one.result.is_some()) {
            judge(&one, &mut self.tally);
            let place = &mut self.ended[one.number as usize];
            assert_eq!(*place, None, "a call ends once");
            *place = Some(one.result == Some(Ok(())));
        }
    }

    fn begin(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        while let State::Ready(terms) = client.state()
            && client.room() > 0
            && !self.stops
        {
            let number = self.ended.len() as u32;
            let task = Task::of(self.seed, number);
            let begun = match task.patience {
                Some(_) => client.start_within(now, task.name, task.kind, task.patience),
                None => client.start(now, task.name, task.kind),
            };
            let call = begun.expect("there is room");
            assert!(self.under_way.iter().all(|one| one.call != call), "numbers of calls under way differ");
            self.under_way.push(Call {
                call,
                number,
                cancel_at: task.cancelled_after.map(|span| now + span),
                cancelled: false,
                mode: terms.mode,
                sent: 0,
                came: 0,
                message: Vec::new(),
                result: None,
                task,
            });
            self.ended.push(None);
            self.most = self.most.max(self.under_way.len());
        }
    }
}

/// Whether a call may have ended as it did.
fn judge(one: &Call, tally: &mut Tally) {
    let Call { task, number, .. } = one;
    let whole = one.came == task.responses.len() && one.message.is_empty();
    match one.result.expect("it ended") {
        Ok(()) => {
            assert!(whole && one.sent == task.requests.len(), "call {number} ended well without {}", task.name);
            tally.well += 1;
        }
        Err(CallError::Lost) => tally.lost += 1,
        Err(CallError::Refused(Status::Cancelled)) if one.cancelled => tally.cancelled += 1,
        Err(CallError::Timeout | CallError::Refused(Status::Deadline))
            if one.mode == Mode::Extended && task.patience.is_some() =>
        {
            tally.late += 1;
        }
        Err(error) => panic!("call {number}, {}, has no reason to end so: {error}", task.name),
    }
}

impl Caller for Mixed {
    fn next(&mut self, call: CallId) -> Next {
        let one = self.find(call);
        let request = one.task.requests.get(one.sent);
        request.map_or(Next::End, |request| Next::Message { octets: request.len() as u32 })
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        let one = self.find(call);
        let request = &one.task.requests[one.sent];
        let (from, to) = (offset as usize, offset as usize + into.len());
        into.copy_from_slice(&request[from..to]);
        one.sent += usize::from(to == request.len());
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        let one = self.find(call);
        one.message.extend_from_slice(octets);
        let expected = one.task.responses.get(one.came).expect("no more messages than were asked for");
        assert!(
            expected.starts_with(&one.message),
            "call {}: other octets than those of {}",
            one.number,
            one.task.name
        );
        if last {
            assert_eq!(expected.len(), one.message.len());
            one.came += 1;
            one.message.clear();
        }
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        self.find(call).result = Some(result);
    }
}

impl Script<BUFFER> for Mixed {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        self.stops |= self.until <= now;
        self.cancel(now, client);
        self.collect();
        self.begin(now, client);
    }

    fn poll(&mut self) -> Option<Report> {
        None
    }

    fn deadline(&self) -> Option<Instant> {
        let cancels = self.under_way.iter().filter(|one| one.result.is_none()).filter_map(|one| one.cancel_at);
        cancels.chain((!self.stops).then_some(self.until)).min()
    }

    fn is_over(&self) -> bool {
        self.stops && self.under_way.is_empty()
    }
}
