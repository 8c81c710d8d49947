//! Calls at the client's end.

use airtime_core::{Duration, Instant};
use heapless::String;

use super::{Assembler, Defect, Items, Outgoing};
use crate::crypto::Session;
use crate::faults::Faults;
use crate::wire::{Command, CommandHeader, Container, Content, Control, Direction, PeerError};
use crate::{CallError, CallId, Caller, Kind, NAME_MAX, Next, Refused, Status};

/// One call at a time.
#[derive(Debug)]
pub(crate) struct Client<const BUFFER: usize> {
    frame: usize,
    max_request: usize,
    /// Longest wait for the next frame.
    patience: Duration,
    session: Option<Session>,
    assembler: Assembler<BUFFER>,
    calling: Option<Calling>,
    deadline: Option<Instant>,
    next_call: u16,
    transaction: u8,
}

/// The call under way.
#[derive(Debug)]
struct Calling {
    call: CallId,
    name: String<NAME_MAX>,
    kind: Kind,
    /// The transaction of the last request, if there was one, which is also that of a unary answer.
    transaction: Option<u8>,
    phase: Phase,
    /// The caller has given it up; what still comes of it is not told.
    given_up: bool,
    items: Items,
}

#[derive(Debug)]
enum Phase {
    /// The caller is to be asked for the next message.
    Asking,
    /// It has none yet.
    Waiting,
    /// A message is on its way.
    Sending(Outgoing),
    /// The stream is over, which is to be said.
    Ending,
    /// The server is to answer.
    Awaiting,
}

impl<const BUFFER: usize> Client<BUFFER> {
    pub fn new() -> Self {
        Self {
            frame: 0,
            max_request: 0,
            patience: Duration::ZERO,
            session: None,
            assembler: Assembler::new(),
            calling: None,
            deadline: None,
            next_call: 0,
            transaction: 0,
        }
    }

    /// A connection begins: transactions are counted anew.
    pub fn connected(&mut self, frame: usize) {
        // Field by field: a new one would be on the stack first, with its buffer.
        self.frame = frame;
        self.session = None;
        self.assembler.reset();
        self.calling = None;
        self.deadline = None;
        self.transaction = 0;
    }

    /// Calls may begin: requests have at most `max_request` octets, header and seal included.
    pub fn ready(&mut self, max_request: usize, patience: Duration, session: Option<Session>) {
        self.max_request = max_request;
        self.patience = patience;
        self.session = session;
    }

    pub fn room(&self) -> usize {
        usize::from(self.calling.is_none())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The number of the next transaction; controls of the set-up have some too.
    pub fn count_transaction(&mut self) -> u8 {
        let transaction = self.transaction;
        self.transaction = transaction.wrapping_add(1);
        transaction
    }

    pub fn start(&mut self, now: Instant, name: &str, kind: Kind) -> Result<CallId, Refused> {
        if !CommandHeader::is_name(name) {
            return Err(Refused::Name);
        }
        if kind == Kind::Bidirectional {
            return Err(Refused::Unsupported);
        }
        if self.calling.is_some() {
            return Err(Refused::Busy);
        }
        let call = CallId(self.next_call);
        self.next_call = self.next_call.wrapping_add(1);
        let name = name.try_into().map_err(|_| Refused::Name)?;
        self.calling = Some(Calling {
            call,
            name,
            kind,
            transaction: None,
            phase: Phase::Asking,
            given_up: false,
            items: Items::default(),
        });
        // Transactions of both ends may have the same number: what was complete before is no repetition of what comes.
        self.assembler.reset();
        self.deadline = Some(now + self.patience);
        Ok(call)
    }

    pub fn resume(&mut self, call: CallId) {
        if let Some(calling) = &mut self.calling
            && calling.call == call
            && matches!(calling.phase, Phase::Waiting)
        {
            calling.phase = Phase::Asking;
        }
    }

    /// The published protocol has no word for it. What the server has not got whole is forgotten. A stream to it is ended, and
    /// whatever it may be answering is waited for: items of a stream would pass for those of the next one, and a server that
    /// still answers refuses some of what follows, which may be the first item of an upload but not those behind it.
    pub fn cancel(&mut self, now: Instant, call: CallId, caller: &mut (impl Caller + ?Sized)) {
        let Some(calling) = self.calling.as_mut().filter(|calling| calling.call == call && !calling.given_up) else {
            return;
        };
        let result = Err(CallError::Refused(Status::Cancelled));
        match (calling.kind, &calling.phase) {
            (Kind::ClientStream, Phase::Ending) | (_, Phase::Awaiting) => {}
            (Kind::ClientStream, _) if calling.transaction.is_some() => calling.phase = Phase::Ending,
            _ => return self.end(result, caller),
        }
        calling.given_up = true;
        self.deadline = Some(now + self.patience);
        caller.ended(call, result);
    }

    /// Memory for who needs some while no message is under way here.
    pub fn scratch(&mut self) -> &mut [u8] {
        self.assembler.scratch()
    }

    pub fn disconnected(&mut self, caller: &mut (impl Caller + ?Sized)) {
        self.end(Err(CallError::Lost), caller);
    }

    pub fn wake(&mut self, now: Instant, caller: &mut (impl Caller + ?Sized)) {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.end(Err(CallError::Timeout), caller);
        }
    }

    /// Writes the next frame of the requests under way.
    pub fn transmit(&mut self, now: Instant, into: &mut [u8], caller: &mut (impl Caller + ?Sized)) -> Option<usize> {
        loop {
            let frame = self.frame;
            let calling = self.calling.as_mut()?;
            let (call, kind) = (calling.call, calling.kind);
            match &mut calling.phase {
                Phase::Waiting | Phase::Awaiting => return None,
                Phase::Asking => match caller.next(call) {
                    Next::Later => {
                        // Nobody waits for the server.
                        calling.phase = Phase::Waiting;
                        self.deadline = None;
                    }
                    Next::Message { octets } => {
                        if let Err(error) = self.request(octets) {
                            self.end(Err(error), caller);
                        }
                    }
                    Next::End if kind == Kind::ClientStream => calling.phase = Phase::Ending,
                    Next::End => self.end(Err(CallError::Refused(Status::BadArgument)), caller),
                    Next::Failed(status) => self.end(Err(CallError::Refused(status)), caller),
                },
                Phase::Sending(outgoing) => {
                    let len = outgoing.transmit(frame, into, |offset, into| caller.read(call, offset, into));
                    if outgoing.is_done() {
                        calling.phase = if kind == Kind::ClientStream { Phase::Asking } else { Phase::Awaiting };
                    }
                    self.deadline = Some(now + self.patience);
                    return Some(len);
                }
                Phase::Ending => {
                    calling.phase = Phase::Awaiting;
                    self.deadline = Some(now + self.patience);
                    return Some(Control::StreamEndToServer.emit(self.count_transaction(), into));
                }
            }
        }
    }

    /// Takes a container with octets of a message.
    pub fn receive(
        &mut self,
        now: Instant,
        container: &Container<'_>,
        faults: &mut Faults,
        caller: &mut (impl Caller + ?Sized),
    ) {
        let awaited = self.calling.as_ref().is_some_and(|calling| calling.awaits(container));
        if !awaited {
            faults.stale += 1;
            return;
        }
        match self.assembler.feed(container) {
            Ok(complete) => {
                self.deadline = Some(now + self.patience);
                if complete {
                    self.take_response(faults, caller);
                    self.assembler.release();
                }
            }
            Err(Defect::Stale | Defect::Occupied) => faults.stale += 1,
            Err(Defect::Repeated) => faults.out_of_order += 1,
            Err(Defect::Gap) => {
                faults.out_of_order += 1;
                self.end(Err(CallError::Lost), caller);
            }
            Err(Defect::TooLong | Defect::Control) => {
                faults.malformed += 1;
                self.end(Err(CallError::Malformed), caller);
            }
        }
    }

    /// The server's stream is over. Its transaction is the server's own, so that there is nothing to compare.
    pub fn stream_ended(&mut self, faults: &mut Faults, caller: &mut (impl Caller + ?Sized)) {
        let streaming = self.calling.as_ref().is_some_and(Calling::is_streaming);
        if streaming {
            self.end(Ok(()), caller);
        } else {
            faults.stale += 1;
        }
    }

    /// The server cannot do what it was asked in `transaction`.
    pub fn refused(
        &mut self,
        transaction: u8,
        error: PeerError,
        faults: &mut Faults,
        caller: &mut (impl Caller + ?Sized),
    ) {
        let ours = self.calling.as_ref().is_some_and(|calling| calling.transaction == Some(transaction));
        // Of a stream to the server any item may be refused.
        let of_stream = self.calling.as_ref().is_some_and(|calling| calling.kind == Kind::ClientStream);
        if !ours && !of_stream {
            faults.stale += 1;
            return;
        }
        let status = match error {
            PeerError::ResponseTooLarge => Status::TooLarge,
            PeerError::Busy => Status::Busy,
            PeerError::Other(_) => Status::Internal,
        };
        self.end(Err(CallError::Refused(status)), caller);
    }

    /// Begins to send a message of so many octets.
    fn request(&mut self, octets: u32) -> Result<(), CallError> {
        let too_large = CallError::Refused(Status::TooLarge);
        let limit = self.max_request;
        let transaction = self.count_transaction();
        let Some(calling) = &mut self.calling else { return Ok(()) };
        let data_len = u16::try_from(octets).map_err(|_| too_large)?;
        if Outgoing::payload(&calling.name, octets, self.session.is_some()) > limit {
            return Err(too_large);
        }
        let seal = self.session.as_mut().map(Session::seal).transpose().map_err(|_| CallError::Lost)?;
        let command = CommandHeader { direction: Direction::Request, name: &calling.name, data_len };
        let outgoing = Outgoing::new(transaction, command, seal, limit).map_err(|_| too_large)?;
        calling.transaction = Some(transaction);
        calling.phase = Phase::Sending(outgoing);
        Ok(())
    }

    /// Takes the response that is complete.
    fn take_response(&mut self, faults: &mut Faults, caller: &mut (impl Caller + ?Sized)) {
        let Some(message) = self.assembler.message() else { return };
        let Some(calling) = &mut self.calling else { return };
        let (call, kind, given_up) = (calling.call, calling.kind, calling.given_up);
        let octets = match &mut self.session {
            Some(session) => {
                let Ok(opened) = session.open(message.octets) else {
                    faults.not_genuine += 1;
                    return;
                };
                if calling.items.missed(opened.counter) {
                    faults.out_of_order += 1;
                    return self.end(Err(CallError::Lost), caller);
                }
                &*opened.octets
            }
            None => message.octets,
        };
        match Command::parse(octets) {
            Ok(Command { direction: Direction::Response, name, data }) if calling.name == name => {
                if !given_up {
                    caller.received(call, data, true);
                }
                if kind != Kind::ServerStream {
                    self.end(Ok(()), caller);
                }
            }
            // An answer to another call, which came too late.
            Ok(_) => faults.stale += 1,
            Err(_) => {
                faults.malformed += 1;
                self.end(Err(CallError::Malformed), caller);
            }
        }
    }

    fn end(&mut self, result: Result<(), CallError>, caller: &mut (impl Caller + ?Sized)) {
        self.deadline = None;
        if let Some(calling) = self.calling.take()
            && !calling.given_up
        {
            caller.ended(calling.call, result);
        }
    }
}

impl Calling {
    /// True if items of the server's stream may come.
    fn is_streaming(&self) -> bool {
        self.kind == Kind::ServerStream && matches!(self.phase, Phase::Awaiting)
    }

    /// Tells if a container can belong to the answer: a unary one has the transaction of its request, those of streams
    /// have transactions of the server's.
    fn awaits(&self, container: &Container<'_>) -> bool {
        let answered = matches!(self.phase, Phase::Awaiting);
        answered
            && !matches!(container.content, Content::Control { .. })
            && (self.kind != Kind::Unary || Some(container.transaction) == self.transaction)
    }
}
