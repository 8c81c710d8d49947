//! A call as its server keeps it.

use airtime_core::Instant;

use super::super::flow::{Inlet, Outlet};
use crate::{CallId, Kind, Service, Status};

/// A place for a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// Free.
    Free,
    /// A call stands.
    Serving(Call),
    /// It is over here, and the client is still to be told.
    Ended(CallId, Status),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub id: CallId,
    pub kind: Kind,
    pub deadline: Option<Instant>,
    pub outlet: Outlet,
    pub inlet: Inlet,
}

impl Call {
    /// True if the client sends one message.
    pub fn single_request(&self) -> bool {
        matches!(self.kind, Kind::Unary | Kind::ServerStream)
    }

    /// True if one message answers.
    pub fn single_response(&self) -> bool {
        matches!(self.kind, Kind::Unary | Kind::ClientStream)
    }

    /// True if there is something to answer.
    pub fn answers(&self) -> bool {
        match self.kind {
            Kind::Bidirectional => true,
            Kind::Unary | Kind::ServerStream | Kind::ClientStream => self.inlet.is_over(),
        }
    }
}

impl Slot {
    /// The call, if its number is `id`.
    pub fn call_mut(&mut self, id: CallId) -> Option<&mut Call> {
        match self {
            Self::Serving(call) if call.id == id => Some(call),
            _ => None,
        }
    }

    /// Tells if the call `id` stands here.
    pub fn is_call(&self, id: CallId) -> bool {
        matches!(self, Self::Serving(call) if call.id == id)
    }

    /// Tells if the number is taken.
    pub fn has(&self, id: CallId) -> bool {
        match self {
            Self::Free => false,
            Self::Serving(call) => call.id == id,
            Self::Ended(ended, _) => *ended == id,
        }
    }

    /// Ends the call that stands here, for a reason that the client is told.
    pub fn end(&mut self, status: Status, service: &mut (impl Service + ?Sized)) {
        if let Self::Serving(Call { id, .. }) = *self {
            *self = Self::Ended(id, status);
            service.closed(id);
        }
    }

    /// Frees the place; there is nothing to tell.
    pub fn clear(&mut self, service: &mut (impl Service + ?Sized)) {
        if let Self::Serving(call) = core::mem::replace(self, Self::Free) {
            service.closed(call.id);
        }
    }
}
