//! The called end, once both ends have agreed on the extension.

mod call;
mod receive;
mod transmit;

use airtime_core::Instant;

use self::call::Slot;
use super::Faults;
use super::frame::Framing;
use crate::crypto::Session;
use crate::{CALLS_MAX, CallId, Service, Status};

/// The called end of one connection. Everything it keeps is in it: at most [`CALLS_MAX`] calls, and as many refusals.
#[derive(Debug)]
pub struct Server {
    framing: Framing,
    window: u32,
    slots: [Slot; CALLS_MAX],
    refusals: [Option<(CallId, Status)>; CALLS_MAX],
    /// The client has still to be told what this end takes.
    greets: bool,
    /// Frames are missing before this one, and the client has still to be told.
    lost: Option<u32>,
    /// The place that the next frame begins with, so that each call has its turn.
    turn: usize,
    faults: Faults,
}

impl Server {
    /// A server whose connection takes frames of up to `frame` octets, at least [`FRAME_MIN`](super::FRAME_MIN), and which
    /// allows each call `window` octets of requests under way. With a `session`, which a key exchange gave, every
    /// frame is sealed.
    pub fn new(frame: u16, window: u32, session: Option<Session>) -> Self {
        Self {
            framing: Framing::new(frame, session),
            window,
            slots: [Slot::Free; CALLS_MAX],
            refusals: [None; CALLS_MAX],
            greets: true,
            lost: None,
            turn: 0,
            faults: Faults::default(),
        }
    }

    /// The service said [`Next::Later`](crate::Next::Later) of this call and has something now.
    pub fn resume(&mut self, call: CallId) {
        if let Some(call) = self.slots.iter_mut().find_map(|slot| slot.call_mut(call)) {
            call.outlet.resume();
        }
    }

    /// The transport is gone; calls under way are closed.
    pub fn disconnected(&mut self, service: &mut (impl Service + ?Sized)) {
        self.forget(service);
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant, service: &mut (impl Service + ?Sized)) {
        for slot in &mut self.slots {
            if let Slot::Serving(call) = slot
                && call.deadline.is_some_and(|deadline| deadline <= now)
            {
                slot.end(Status::Deadline, service);
            }
        }
    }

    /// Instant at which it wants [`wake`](Self::wake).
    pub fn deadline(&self) -> Option<Instant> {
        let deadlines = self.slots.iter().filter_map(|slot| match slot {
            Slot::Serving(call) => call.deadline,
            _ => None,
        });
        deadlines.min()
    }

    /// Counts of all that it has dropped or refused.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// Ends every call without a word.
    fn forget(&mut self, service: &mut (impl Service + ?Sized)) {
        self.slots.iter_mut().for_each(|slot| slot.clear(service));
        self.refusals = [None; CALLS_MAX];
    }
}
