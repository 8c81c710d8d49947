//! The calling end, once both ends have agreed on the extension.

mod call;
mod receive;
mod transmit;

use airtime_core::{Duration, Instant};

use self::call::{Call, Name, Slot};
use super::Faults;
use super::frame::Framing;
use super::record::Limits;
use crate::crypto::Session;
use crate::{CALLS_MAX, CallError, CallId, Caller, Kind, Refused, Status};

/// The calling end of one connection. Everything it keeps is in it: at most [`CALLS_MAX`] calls.
#[derive(Debug)]
pub struct Client {
    framing: Framing,
    limits: Option<Limits>,
    window: u32,
    patience: Option<Duration>,
    slots: [Slot; CALLS_MAX],
    next_id: u16,
    /// The place that the next frame begins with, so that each call has its turn.
    turn: usize,
    faults: Faults,
}

impl Client {
    /// A client whose connection takes frames of up to `frame` octets, at least [`FRAME_MIN`](super::FRAME_MIN). It allows
    /// each call `window` octets of responses under way, and gives calls up after `patience`. With a `session`,
    /// which a key exchange gave, every frame is sealed.
    pub fn new(frame: u16, window: u32, patience: Option<Duration>, session: Option<Session>) -> Self {
        Self {
            framing: Framing::new(frame, session),
            limits: None,
            window,
            patience,
            slots: [Slot::Free; CALLS_MAX],
            next_id: 0,
            turn: 0,
            faults: Faults::default(),
        }
    }

    /// Limits of the server; none until its first frame came, and no call begins before.
    pub fn limits(&self) -> Option<Limits> {
        self.limits
    }

    /// Calls that could begin now.
    pub fn room(&self) -> usize {
        let takes = self.limits.map_or(0, |limits| usize::from(limits.calls).min(CALLS_MAX));
        takes.saturating_sub(self.slots.iter().filter(|slot| !matches!(slot, Slot::Free)).count())
    }

    /// Begins a call with the patience of this client; its requests are pulled by [`transmit`](Self::transmit).
    ///
    /// # Errors
    /// Why it could not begin; [`Refused::Unsupported`] never.
    pub fn start(&mut self, now: Instant, name: &str, kind: Kind) -> Result<CallId, Refused> {
        self.start_within(now, name, kind, self.patience)
    }

    /// Begins a call that is given up after `patience`; none waits for ever, also for what a transport may have lost.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    pub fn start_within(
        &mut self,
        now: Instant,
        name: &str,
        kind: Kind,
        patience: Option<Duration>,
    ) -> Result<CallId, Refused> {
        let name = Name::new(name).ok_or(Refused::Name)?;
        let limits = self.limits.ok_or(Refused::NotReady)?;
        if self.room() == 0 {
            return Err(Refused::Busy);
        }
        let id = self.free_id();
        let free = self.slots.iter_mut().find(|slot| matches!(slot, Slot::Free)).ok_or(Refused::Busy)?;
        let deadline = patience.map(|patience| now + patience);
        *free = Slot::Calling(Call::new(id, name, kind, deadline, limits.window, self.window));
        Ok(id)
    }

    /// The caller said [`Next::Later`](crate::Next::Later) of this call and has something now.
    pub fn resume(&mut self, call: CallId) {
        if let Some(call) = self.slots.iter_mut().find_map(|slot| slot.call_mut(call)) {
            call.outlet.resume();
        }
    }

    /// Ends a call before its time; its caller is told [`Status::Cancelled`].
    pub fn cancel(&mut self, now: Instant, call: CallId, caller: &mut (impl Caller + ?Sized)) {
        let _ = now;
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_call(call)) {
            slot.leave();
            caller.ended(call, Err(CallError::Refused(Status::Cancelled)));
        }
    }

    /// The transport is gone; calls under way end.
    pub fn disconnected(&mut self, caller: &mut (impl Caller + ?Sized)) {
        for slot in &mut self.slots {
            let ended = core::mem::replace(slot, Slot::Free);
            if let Slot::Calling(call) = ended {
                caller.ended(call.id, Err(CallError::Lost));
            }
        }
        self.limits = None;
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant, caller: &mut (impl Caller + ?Sized)) {
        for slot in &mut self.slots {
            if let Slot::Calling(call) = slot
                && call.deadline.is_some_and(|deadline| deadline <= now)
            {
                let id = call.id;
                slot.leave();
                caller.ended(id, Err(CallError::Timeout));
            }
        }
    }

    /// Instant at which it wants [`wake`](Self::wake).
    pub fn deadline(&self) -> Option<Instant> {
        let deadlines = self.slots.iter().filter_map(|slot| match slot {
            Slot::Calling(call) => call.deadline,
            _ => None,
        });
        deadlines.min()
    }

    /// Counts of frames and records it has dropped.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    fn free_id(&mut self) -> CallId {
        loop {
            let id = CallId(self.next_id);
            self.next_id = self.next_id.wrapping_add(1);
            // At most as many are taken as there are slots.
            if !self.slots.iter().any(|slot| slot.has(id)) {
                return id;
            }
        }
    }
}
