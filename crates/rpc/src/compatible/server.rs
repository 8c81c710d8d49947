//! Calls at the server's end.

use heapless::String;

use super::{Assembler, Controls, Defect, Items, Message, Outgoing, Reply, capacity};
use crate::crypto::Session;
use crate::faults::Faults;
use crate::wire::{Command, CommandHeader, Container, Content, Control, Direction, PeerError};
use crate::{CallId, Kind, NAME_MAX, Next, Service, Status};

/// One call at a time, and one whole request that waits: the published firmware has two places as well.
#[derive(Debug)]
pub(crate) struct Server<const BUFFER: usize> {
    frame: usize,
    max_response: usize,
    /// Requests in the open are refused.
    sealed: bool,
    session: Option<Session>,
    assembler: Assembler<BUFFER>,
    serving: Option<Serving>,
    next_call: u16,
    /// Transactions that this end begins: items of streams.
    transaction: u8,
}

/// The call under way.
#[derive(Debug)]
struct Serving {
    call: CallId,
    name: String<NAME_MAX>,
    kind: Kind,
    /// The transaction of its request, which is also that of a unary answer.
    transaction: u8,
    phase: Phase,
    items: Items,
}

#[derive(Debug)]
enum Phase {
    /// The client's stream goes on.
    Receiving,
    /// The service is to be asked for the next message.
    Asking,
    /// It has none yet.
    Waiting,
    /// A message is on its way.
    Sending(Outgoing),
    /// The stream is over, which is to be said.
    Ending,
}

/// Outcome of a message of the client's.
enum Request {
    /// It begins a call of this kind.
    Begun(Serving),
    /// It belongs to the stream under way.
    Item,
    /// It is dropped; the client may hear of it.
    Dropped(Option<PeerError>),
}

impl<const BUFFER: usize> Server<BUFFER> {
    pub fn new() -> Self {
        Self {
            frame: 0,
            max_response: 0,
            sealed: false,
            session: None,
            assembler: Assembler::new(),
            serving: None,
            next_call: 0,
            transaction: 0,
        }
    }

    /// A connection begins.
    pub fn connected(&mut self, frame: usize, max_response: u16, sealed: bool) {
        self.frame = frame;
        self.max_response = usize::from(max_response).min(capacity(frame));
        self.sealed = sealed;
        self.session = None;
        self.assembler.reset();
        self.transaction = 0;
    }

    /// From here on messages are sealed.
    pub fn seal(&mut self, session: Session) {
        self.session = Some(session);
    }

    /// True while a call is under way.
    pub fn is_serving(&self) -> bool {
        self.serving.is_some()
    }

    /// Memory for who needs some while no message is under way here.
    pub fn scratch(&mut self) -> &mut [u8] {
        self.assembler.scratch()
    }

    pub fn disconnected(&mut self, service: &mut (impl Service + ?Sized)) {
        self.close(service);
        self.assembler.reset();
    }

    pub fn resume(&mut self, call: CallId) {
        if let Some(serving) = &mut self.serving
            && serving.call == call
            && matches!(serving.phase, Phase::Waiting)
        {
            serving.phase = Phase::Asking;
        }
    }

    /// Takes a container with octets of a message.
    pub fn receive(
        &mut self,
        container: &Container<'_>,
        controls: &mut Controls,
        faults: &mut Faults,
        service: &mut (impl Service + ?Sized),
    ) {
        match self.assembler.feed(container) {
            Ok(true) => self.take_request(controls, faults, service),
            Ok(false) => {}
            Err(Defect::Occupied) if matches!(container.content, Content::First { .. }) => {
                faults.busy += 1;
                controls.push(container.transaction, Reply::Error(PeerError::Busy));
            }
            Err(Defect::Occupied | Defect::Stale) => faults.stale += 1,
            Err(Defect::Repeated | Defect::Gap) => faults.out_of_order += 1,
            Err(Defect::TooLong | Defect::Control) => faults.malformed += 1,
        }
    }

    /// The client's stream is over. The published client gives this control a transaction of its own, so that there is nothing
    /// to compare.
    pub fn stream_ended(&mut self, faults: &mut Faults, service: &mut (impl Service + ?Sized)) {
        let Some(serving) = self.serving.as_mut().filter(|serving| matches!(serving.phase, Phase::Receiving)) else {
            faults.stale += 1;
            return;
        };
        serving.phase = Phase::Asking;
        if service.finished(serving.call).is_err() {
            faults.refused += 1;
            self.close(service);
        }
    }

    /// Writes the next frame of the answer under way.
    pub fn transmit(
        &mut self,
        into: &mut [u8],
        controls: &mut Controls,
        faults: &mut Faults,
        service: &mut (impl Service + ?Sized),
    ) -> Option<usize> {
        loop {
            let serving = self.serving.as_mut()?;
            let call = serving.call;
            match &mut serving.phase {
                Phase::Receiving | Phase::Waiting => return None,
                Phase::Asking => match service.next(call) {
                    Next::Later => serving.phase = Phase::Waiting,
                    Next::Message { octets } => match self.answer(octets) {
                        Ok(()) => {}
                        Err(status) => self.fail(status, controls, faults, service),
                    },
                    Next::End if serving.kind == Kind::ServerStream => serving.phase = Phase::Ending,
                    Next::End => self.fail(Status::Internal, controls, faults, service),
                    Next::Failed(status) => self.fail(status, controls, faults, service),
                },
                Phase::Sending(outgoing) => {
                    let len = outgoing.transmit(self.frame, into, |offset, into| service.read(call, offset, into));
                    if outgoing.is_done() {
                        match serving.kind {
                            Kind::ServerStream => serving.phase = Phase::Asking,
                            _ => self.close_and_go_on(controls, faults, service),
                        }
                    }
                    return Some(len);
                }
                Phase::Ending => {
                    let len = Control::StreamEndToClient.emit(self.count_transaction(), into);
                    self.close_and_go_on(controls, faults, service);
                    return Some(len);
                }
            }
        }
    }

    /// Begins to send a message of so many octets.
    fn answer(&mut self, octets: u32) -> Result<(), Status> {
        let limit = self.max_response;
        let Some(serving) = &self.serving else { return Ok(()) };
        let (name, kind, own) = (serving.name.clone(), serving.kind, serving.transaction);
        let data_len = u16::try_from(octets).map_err(|_| Status::TooLarge)?;
        if Outgoing::payload(&name, octets, self.session.is_some()) > limit {
            return Err(Status::TooLarge);
        }
        let seal = self.session.as_mut().map(Session::seal).transpose().map_err(|_| Status::Internal)?;
        let transaction = if kind == Kind::Unary { own } else { self.count_transaction() };
        let command = CommandHeader { direction: Direction::Response, name: &name, data_len };
        let outgoing = Outgoing::new(transaction, command, seal, limit).map_err(|_| Status::TooLarge)?;
        if let Some(serving) = &mut self.serving {
            serving.phase = Phase::Sending(outgoing);
        }
        Ok(())
    }

    fn count_transaction(&mut self) -> u8 {
        let transaction = self.transaction;
        self.transaction = transaction.wrapping_add(1);
        transaction
    }

    /// The call under way cannot be answered. The published protocol has words for two of the reasons; of the others the client
    /// hears nothing.
    fn fail(
        &mut self,
        status: Status,
        controls: &mut Controls,
        faults: &mut Faults,
        service: &mut (impl Service + ?Sized),
    ) {
        faults.refused += 1;
        if let (Some(serving), Some(error)) = (&self.serving, peer_error(status)) {
            controls.push(serving.transaction, Reply::Error(error));
        }
        self.close_and_go_on(controls, faults, service);
    }

    fn close(&mut self, service: &mut (impl Service + ?Sized)) {
        if let Some(serving) = self.serving.take() {
            service.closed(serving.call);
        }
    }

    /// The call under way is over; a request that waits is next.
    fn close_and_go_on(&mut self, controls: &mut Controls, faults: &mut Faults, service: &mut (impl Service + ?Sized)) {
        self.close(service);
        self.take_request(controls, faults, service);
    }

    /// Takes the request that is complete, unless a call is being answered; it waits then.
    fn take_request(&mut self, controls: &mut Controls, faults: &mut Faults, service: &mut (impl Service + ?Sized)) {
        if self.serving.as_ref().is_some_and(|serving| !matches!(serving.phase, Phase::Receiving)) {
            return;
        }
        let Some(Message { transaction, octets }) = self.assembler.message() else { return };
        let call = CallId(self.next_call);
        let dropped = match open(octets, self.sealed, &mut self.session) {
            Some((counter, octets)) => {
                match request(octets, counter, transaction, call, &mut self.serving, faults, service) {
                    Request::Begun(serving) => {
                        self.next_call = self.next_call.wrapping_add(1);
                        self.serving = Some(serving);
                        None
                    }
                    Request::Item => None,
                    Request::Dropped(error) => error,
                }
            }
            None => {
                faults.not_genuine += 1;
                None
            }
        };
        if let Some(error) = dropped {
            controls.push(transaction, Reply::Error(error));
        }
        self.assembler.release();
    }
}

/// The command packet in a message, with the counter of its seal; none if it is not genuine.
fn open<'a>(octets: &'a mut [u8], sealed: bool, session: &mut Option<Session>) -> Option<(Option<u32>, &'a [u8])> {
    match session {
        Some(session) => session.open(octets).ok().map(|opened| (Some(opened.counter), &*opened.octets)),
        None if sealed => None,
        None => Some((None, octets)),
    }
}

/// Gives a request to the service.
fn request(
    octets: &[u8],
    counter: Option<u32>,
    transaction: u8,
    call: CallId,
    under_way: &mut Option<Serving>,
    faults: &mut Faults,
    service: &mut (impl Service + ?Sized),
) -> Request {
    let Ok(Command { direction: Direction::Request, name, data }) = Command::parse(octets) else {
        faults.malformed += 1;
        return Request::Dropped(None);
    };
    if let Some(mut stream) = under_way.take() {
        if stream.name == name {
            let missed = counter.is_some_and(|counter| stream.items.missed(counter));
            if missed {
                faults.out_of_order += 1;
            } else if service.received(stream.call, data, true).is_ok() {
                *under_way = Some(stream);
                return Request::Item;
            } else {
                faults.refused += 1;
            }
            service.closed(stream.call);
            return Request::Dropped(None);
        }
        // A request of another method in the middle of a stream: the client has given the stream up.
        faults.stale += 1;
        service.closed(stream.call);
    }
    let kind = match service.open(call, name) {
        Ok(kind) => kind,
        Err(status) => {
            *if status == Status::UnknownCommand { &mut faults.unknown } else { &mut faults.refused } += 1;
            return Request::Dropped(peer_error(status));
        }
    };
    // The published protocol has no streams both ways.
    let received =
        if kind == Kind::Bidirectional { Err(Status::UnknownCommand) } else { service.received(call, data, true) };
    if let Err(status) = received {
        faults.refused += 1;
        service.closed(call);
        return Request::Dropped(peer_error(status));
    }
    let phase = if kind == Kind::ClientStream { Phase::Receiving } else { Phase::Asking };
    let mut items = Items::default();
    let _ = counter.map(|counter| items.missed(counter));
    // The name was parsed, so that it is not too long.
    Request::Begun(Serving { call, name: name.try_into().unwrap_or_default(), kind, transaction, phase, items })
}

/// The published word for a status, if there is one.
fn peer_error(status: Status) -> Option<PeerError> {
    match status {
        Status::TooLarge => Some(PeerError::ResponseTooLarge),
        Status::Busy => Some(PeerError::Busy),
        _ => None,
    }
}
