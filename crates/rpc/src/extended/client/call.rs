//! A call as its client keeps it.

use airtime_core::{Duration, Instant};

use super::super::flow::{Inlet, Outlet};
use super::super::writer::Writer;
use crate::{CallId, Kind, NAME_MAX};

/// A place for a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// Free.
    Free,
    /// A call is under way.
    Calling(Call),
    /// It is over here, and the server is still to be told.
    Leaving(CallId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub id: CallId,
    pub kind: Kind,
    pub deadline: Option<Instant>,
    /// The frame that opened it at the server.
    pub opened: Option<u32>,
    pub outlet: Outlet,
    pub inlet: Inlet,
    window: u32,
    name: Name,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    octets: [u8; NAME_MAX],
    length: u8,
}

impl Name {
    /// None unless it is 1 to 16 ASCII characters.
    pub fn new(name: &str) -> Option<Self> {
        if name.is_empty() || name.len() > NAME_MAX || !name.is_ascii() {
            return None;
        }
        let mut octets = [0; NAME_MAX];
        octets[..name.len()].copy_from_slice(name.as_bytes());
        Some(Self { octets, length: name.len() as u8 })
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.octets[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl Call {
    pub fn new(id: CallId, name: Name, kind: Kind, deadline: Option<Instant>, request: u32, response: u32) -> Self {
        Self {
            id,
            kind,
            deadline,
            opened: None,
            outlet: Outlet::new(request),
            inlet: Inlet::new(response, response),
            window: response,
            name,
        }
    }

    /// True if the client sends one message.
    pub fn single_request(&self) -> bool {
        matches!(self.kind, Kind::Unary | Kind::ServerStream)
    }

    /// True if the server answers with one message.
    pub fn single_response(&self) -> bool {
        matches!(self.kind, Kind::Unary | Kind::ClientStream)
    }

    /// Opens it at the server in frame `number`; false when it does not fit.
    pub fn open(&mut self, now: Instant, number: u32, writer: &mut Writer<'_>) -> bool {
        let fits = writer.open(self.id, self.window, self.deadline_ms(now), self.name.as_str());
        if fits {
            self.opened = Some(number);
        }
        fits
    }

    /// Milliseconds that are left, rounded up; 0 when there is no deadline, or one beyond what 16 bits say.
    fn deadline_ms(&self, now: Instant) -> u16 {
        let Some(deadline) = self.deadline else { return 0 };
        let left = deadline.saturating_since(now).as_nanos().div_ceil(Duration::from_millis(1).as_nanos());
        u16::try_from(left.max(1)).unwrap_or(0)
    }
}

impl Slot {
    /// The call, if its number is `id`.
    pub fn call_mut(&mut self, id: CallId) -> Option<&mut Call> {
        match self {
            Self::Calling(call) if call.id == id => Some(call),
            _ => None,
        }
    }

    /// Tells if the call `id` is under way here.
    pub fn is_call(&self, id: CallId) -> bool {
        matches!(self, Self::Calling(call) if call.id == id)
    }

    /// Tells if it is, and the server knows it.
    pub fn is_opened(&self, id: CallId) -> bool {
        matches!(self, Self::Calling(call) if call.id == id && call.opened.is_some())
    }

    /// Tells if the number is taken.
    pub fn has(&self, id: CallId) -> bool {
        match self {
            Self::Free => false,
            Self::Calling(call) => call.id == id,
            Self::Leaving(leaving) => *leaving == id,
        }
    }

    /// The call is over for its caller; the server hears of it if it knows the call.
    pub fn leave(&mut self) {
        *self = match *self {
            Self::Calling(Call { opened: Some(_), id, .. }) => Self::Leaving(id),
            Self::Leaving(id) => Self::Leaving(id),
            _ => Self::Free,
        };
    }
}
