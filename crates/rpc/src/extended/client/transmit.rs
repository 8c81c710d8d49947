//! Frames of the client, as it fills them.

use airtime_core::Instant;

use super::super::pump::{Pumped, Requests, pump};
use super::super::writer::Writer;
use super::Client;
use super::call::Slot;
use crate::{CALLS_MAX, CallError, Caller};

impl Client {
    /// Writes the next frame into `into`, which has room for the longest one, and says how long it is; none when there is
    /// nothing to send.
    pub fn transmit(&mut self, now: Instant, into: &mut [u8], caller: &mut (impl Caller + ?Sized)) -> Option<usize> {
        let number = self.framing.next();
        let mut writer = Writer::new(self.framing.records(into)?);
        self.control(&mut writer, caller);
        for step in 0..CALLS_MAX {
            let at = (self.turn + step) % CALLS_MAX;
            match self.requests(now, number, at, &mut writer, caller) {
                Turn::Served => {}
                Turn::Full => {
                    self.turn = at + 1;
                    break;
                }
                Turn::NoRoom => {
                    self.turn = at;
                    break;
                }
            }
        }
        let length = writer.finish();
        if length == 0 { None } else { self.framing.finish(into, length) }
    }

    /// Cancels and credits: short, and others wait for them.
    fn control(&mut self, writer: &mut Writer<'_>, caller: &mut (impl Caller + ?Sized)) {
        for slot in &mut self.slots {
            match slot {
                Slot::Leaving(id) => {
                    if writer.cancel(*id) {
                        *slot = Slot::Free;
                    }
                }
                Slot::Calling(call) if call.opened.is_some() => {
                    if let Some(limit) = call.inlet.due(|| caller.room(call.id))
                        && writer.credit(call.id, limit)
                    {
                        call.inlet.granted(limit);
                    }
                }
                Slot::Calling(_) | Slot::Free => {}
            }
        }
    }

    fn requests(
        &mut self,
        now: Instant,
        number: u32,
        at: usize,
        writer: &mut Writer<'_>,
        caller: &mut (impl Caller + ?Sized),
    ) -> Turn {
        let slot = &mut self.slots[at];
        let Slot::Calling(call) = slot else { return Turn::Served };
        if call.opened.is_none() && !call.open(now, number, writer) {
            return Turn::NoRoom;
        }
        let (id, single) = (call.id, call.single_request());
        match pump(writer, id, &mut call.outlet, single, &mut Requests(caller)) {
            Pumped::Idle | Pumped::Over => Turn::Served,
            Pumped::Full => Turn::Full,
            Pumped::Failed(status) => {
                slot.leave();
                caller.ended(id, Err(CallError::Refused(status)));
                Turn::Served
            }
        }
    }
}

/// Outcome of a call's turn in a frame.
enum Turn {
    /// It has nothing more to say now.
    Served,
    /// The frame is full in the middle of it.
    Full,
    /// It could not even be opened.
    NoRoom,
}
