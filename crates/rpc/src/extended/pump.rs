//! Messages of one call put into a frame.

use super::flow::{Outlet, Sending};
use super::writer::Writer;
use crate::{CallId, Caller, Next, Service, Status};

/// Source of the messages.
pub(super) trait Source {
    fn next(&mut self, call: CallId) -> Next;
    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]);
}

/// The requests of a caller.
pub(super) struct Requests<'a, C: ?Sized>(pub &'a mut C);

impl<C: Caller + ?Sized> Source for Requests<'_, C> {
    fn next(&mut self, call: CallId) -> Next {
        self.0.next(call)
    }
    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.0.read(call, offset, into);
    }
}

/// The responses of a service.
pub(super) struct Responses<'a, S: ?Sized>(pub &'a mut S);

impl<S: Service + ?Sized> Source for Responses<'_, S> {
    fn next(&mut self, call: CallId) -> Next {
        self.0.next(call)
    }
    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.0.read(call, offset, into);
    }
}

/// Reason that no more of a call was put into a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pumped {
    /// There is nothing more now, or no credit for it.
    Idle,
    /// The frame is full.
    Full,
    /// The direction is over.
    Over,
    /// Whoever has the messages gives up.
    Failed(Status),
}

/// Puts as much of `call` into the frame as there is, is allowed, and fits. `single` directions have one message.
pub(super) fn pump(
    writer: &mut Writer<'_>,
    call: CallId,
    outlet: &mut Outlet,
    single: bool,
    source: &mut impl Source,
) -> Pumped {
    loop {
        match outlet.state() {
            Sending::Asking => {
                let next = source.next(call);
                if let Next::Failed(status) = next {
                    return Pumped::Failed(status);
                }
                outlet.told(next);
            }
            Sending::Waiting | Sending::Over => return Pumped::Idle,
            Sending::Ending => {
                if !writer.data(call, false, true, &[]) {
                    return Pumped::Full;
                }
                outlet.close();
                return Pumped::Over;
            }
            Sending::Message { offset, .. } => {
                let Some(sendable) = outlet.sendable() else { return Pumped::Idle };
                let wanted = usize::try_from(sendable).unwrap_or(usize::MAX);
                let Some(piece) = writer.piece(call, wanted) else { return Pumped::Full };
                // Of an empty message, or where only the credit for its end was missing, there is nothing to read.
                if piece.length() > 0 {
                    source.read(call, offset, writer.body(piece));
                }
                let ends = outlet.sent(piece.length() as u32);
                let next = match (ends, single) {
                    (false, _) => None,
                    (true, true) => Some(Next::End),
                    // Asked at once, so that the end of a stream needs no record of its own.
                    (true, false) => Some(source.next(call)),
                };
                writer.finish_piece(piece, ends, next == Some(Next::End));
                match next {
                    None => {}
                    Some(Next::End) => {
                        outlet.close();
                        return Pumped::Over;
                    }
                    Some(Next::Failed(status)) => return Pumped::Failed(status),
                    Some(next) => outlet.told(next),
                }
            }
        }
    }
}
