//! Job of a client: the work of whichever kind, whom it trusts, and when it gives up.

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, State, Terms};
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CallError, CallId, Caller, Next};

use super::{BUFFER, Calls, JobError, Peer, Read, Stage, Suite, Trust, Write};

/// Work to be done.
#[derive(Debug)]
pub enum Work {
    /// One call with these messages.
    Calls(Calls),
    /// Memory of the server's.
    Read(Read),
    /// Octets to the server.
    Write(Write),
    /// The published checks or benchmarks.
    Suite(Box<Suite>),
}

impl Work {
    /// True if a call of it may take as long as its octets need.
    pub fn is_transfer(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Write(_))
    }
}

/// Calls the same method of whichever work it is.
macro_rules! each {
    ($work:expr, $inner:ident => $call:expr) => {
        match $work {
            Work::Calls($inner) => $call,
            Work::Read($inner) => $call,
            Work::Write($inner) => $call,
            Work::Suite($inner) => $call,
        }
    };
}

/// Work for a client, with what has to be so before any of it is done.
#[derive(Debug)]
pub struct Job {
    work: Work,
    trust: Trust,
    peer: Peer,
    /// Longest time without anything happening.
    patience: Duration,
    stage: Stage,
    /// Instant at which something last happened, and the progress at that time.
    moved: (Instant, u64),
    /// The terms in force; none without a connection, or before its server is known to be the right one.
    accepted: Option<Terms>,
    terms: Option<Terms>,
    connections: u32,
    /// Instants at which the first call could begin, and at which the last thing happened.
    times: Option<(Instant, Instant)>,
    error: Option<JobError>,
}

impl Job {
    /// Job of this work with a server that is to be trusted in this way. When nothing happens for `patience` the job fails. `peer`
    /// is told of connections by whoever makes the client's secrets.
    pub fn new(work: Work, trust: Trust, peer: Peer, patience: Duration) -> Self {
        Self {
            work,
            trust,
            peer,
            patience,
            stage: Stage::Looking,
            moved: (Instant::ZERO, 0),
            accepted: None,
            terms: None,
            connections: 0,
            times: None,
            error: None,
        }
    }

    /// The work, done as far as it is.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Terms agreed on with the server, at the last connection.
    pub fn terms(&self) -> Option<Terms> {
        self.terms
    }

    /// Server that the job is with, as far as it is known.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Connections that calls could begin on.
    pub fn connections(&self) -> u32 {
        self.connections
    }

    /// Instants at which calls could begin, and at which the work was over or came to where it is.
    pub fn times(&self) -> Option<(Instant, Instant)> {
        self.times
    }

    /// Reason of its failure, if it failed.
    pub fn error(&self) -> Option<&JobError> {
        self.error.as_ref().or(each!(&self.work, work => work.error()))
    }

    /// Remedy for its failure, where one is known: a server that seals may leave unanswered what is not sealed.
    pub fn remedy(&self) -> Option<&'static str> {
        let open = self.terms.is_some_and(|terms| terms.seals && terms.identity.is_none());
        (open && self.error().is_some_and(JobError::is_silence))
            .then_some("the server encrypts, and does not answer calls in the open: leave out --open")
    }

    /// Sentence on a key that is known and was not looked at.
    pub fn remark(&self) -> Option<String> {
        self.trust.remark()
    }

    /// Progress, and the whole: octets, items or calls.
    pub fn progress(&self) -> (u64, u64) {
        each!(&self.work, work => work.progress())
    }

    /// Looks at where the client stands; the terms, when calls may begin on them.
    fn look(&mut self, state: State) -> Option<Terms> {
        match state {
            State::Ready(terms) if self.accepted.is_some() => return Some(terms),
            State::Ready(terms) => match self.trust.accept(&self.peer, &terms) {
                Ok(()) => {
                    (self.accepted, self.terms, self.stage) = (Some(terms), Some(terms), Stage::Calling);
                    self.connections += 1;
                    return Some(terms);
                }
                Err(error) => self.error = Some(error),
            },
            State::Failed(error) => self.error = Some(JobError::Setup(error)),
            State::SettingUp => (self.accepted, self.stage) = (None, Stage::SettingUp),
            State::Idle => self.accepted = None,
        }
        None
    }

    /// Notes whether anything has happened, and gives up when it has not for too long.
    fn watch(&mut self, now: Instant) {
        // Connections count as well: set-up is progress.
        let mark = each!(&self.work, work => work.moves()) + u64::from(self.connections) + self.peer.met();
        if mark != self.moved.1 {
            self.moved = (now, mark);
        } else if self.moved.0 + self.patience <= now && !self.is_done() {
            self.error = Some(JobError::Silent { stage: self.stage, patience: self.patience });
        }
    }

    /// True once nothing more will happen, well or not.
    pub fn is_done(&self) -> bool {
        self.error().is_some() || each!(&self.work, work => work.is_over())
    }
}

impl Script<BUFFER> for Job {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        if self.is_done() {
            return;
        }
        if let Some(terms) = self.look(client.state()) {
            let began = self.times.map_or(now, |(began, _)| began);
            self.times = Some((began, now));
            each!(&mut self.work, work => work.advance(now, &terms, client));
        } else {
            each!(&mut self.work, work => work.settle());
        }
        self.watch(now);
    }

    fn poll(&mut self) -> Option<Report> {
        match &mut self.work {
            Work::Suite(suite) => suite.poll(),
            _ => None,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let own = match &self.work {
            Work::Suite(suite) => suite.deadline(),
            _ => None,
        };
        let gives_up = self.moved.0 + self.patience;
        (!self.is_done()).then(|| own.map_or(gives_up, |own| own.min(gives_up)))
    }

    fn is_over(&self) -> bool {
        self.is_done()
    }
}

impl Caller for Job {
    fn next(&mut self, call: CallId) -> Next {
        each!(&mut self.work, work => work.next(call))
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        each!(&mut self.work, work => work.read(call, offset, into));
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) {
        each!(&mut self.work, work => work.received(call, octets, last));
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        each!(&mut self.work, work => work.ended(call, result));
    }
}
