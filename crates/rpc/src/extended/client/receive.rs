//! Records from the server, as the client takes them.

use airtime_core::Instant;

use super::super::frame::{Arrived, Dropped};
use super::super::record::{Record, VERSION};
use super::super::status;
use super::Client;
use super::call::{Call, Slot};
use crate::{CallError, CallId, Caller, Status};

impl Client {
    /// Takes a frame of the server's. A sealed one is opened in `scratch`, which has room for it.
    pub fn receive(&mut self, now: Instant, frame: &[u8], scratch: &mut [u8], caller: &mut (impl Caller + ?Sized)) {
        let _ = now;
        let Arrived { missed, records, .. } = match self.framing.receive(frame, scratch) {
            Ok(arrived) => arrived,
            Err(Dropped::Malformed) => return self.faults.malformed += 1,
            Err(Dropped::Old) => return self.faults.old += 1,
            Err(Dropped::NotGenuine) => return self.faults.not_genuine += 1,
        };
        if missed > 0 {
            self.faults.missed += u64::from(missed);
            self.lose(caller, |_| true, Slot::leave);
        }
        for record in records {
            self.take(record, caller);
        }
    }

    fn take(&mut self, record: Record<'_>, caller: &mut (impl Caller + ?Sized)) {
        match record {
            Record::Data { call, end_of_message, end_of_stream, octets } => {
                self.data(call, octets, end_of_message, end_of_stream, caller);
            }
            Record::Credit { call, limit } => match self.opened(call) {
                Some(slot) => {
                    if let Slot::Calling(call) = slot {
                        call.outlet.allow(limit);
                    }
                }
                None => self.faults.stale += 1,
            },
            Record::Status { call, code } => match self.opened(call) {
                Some(slot) => {
                    *slot = Slot::Free;
                    caller.ended(call, Err(error(code)));
                }
                None => self.faults.stale += 1,
            },
            Record::Limits(limits) if self.limits.is_none() && limits.version == VERSION => self.limits = Some(limits),
            // Calls that were opened before are unknown there; one that opens later stands.
            Record::Lost { first } => {
                self.lose(caller, |opened| (opened.wrapping_sub(first) as i32) < 0, |slot| *slot = Slot::Free);
            }
            Record::Unknown { .. } => self.faults.unknown_records += 1,
            Record::Limits(_) | Record::Open { .. } | Record::Cancel { .. } | Record::Malformed { .. } => {
                self.faults.misplaced += 1;
            }
        }
    }

    fn data(&mut self, id: CallId, octets: &[u8], ends: bool, last: bool, caller: &mut (impl Caller + ?Sized)) {
        let Some(slot) = self.opened(id) else { return self.faults.stale += 1 };
        let Slot::Calling(call) = slot else { return };
        let verdict = judge(call, octets, ends, last);
        if let Err(wrong) = verdict {
            slot.leave();
            match wrong {
                Wrong::Overrun => self.faults.overruns += 1,
                Wrong::Sequence => self.faults.misplaced += 1,
            }
            return caller.ended(id, Err(CallError::Malformed));
        }
        // Who had nothing to say may have it after this.
        call.outlet.resume();
        if last {
            *slot = Slot::Free;
        }
        if ends || !octets.is_empty() {
            caller.received(id, octets, ends);
        }
        if last {
            caller.ended(id, Ok(()));
        }
    }

    /// Ends the calls that were opened in frames that `which` names; `empty` is what becomes of their places.
    fn lose(&mut self, caller: &mut (impl Caller + ?Sized), which: impl Fn(u32) -> bool, empty: impl Fn(&mut Slot)) {
        for slot in &mut self.slots {
            if let Slot::Calling(Call { id, opened: Some(opened), .. }) = *slot
                && which(opened)
            {
                empty(slot);
                caller.ended(id, Err(CallError::Lost));
            }
        }
    }

    /// The place of a call that the server knows.
    fn opened(&mut self, id: CallId) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.is_opened(id))
    }
}

enum Wrong {
    Overrun,
    Sequence,
}

/// Judges if a piece may come as it did.
fn judge(call: &mut Call, octets: &[u8], ends: bool, last: bool) -> Result<(), Wrong> {
    let single = call.single_response();
    if single && call.inlet.has_message() && (ends || !octets.is_empty()) {
        return Err(Wrong::Sequence);
    }
    call.inlet.take(octets.len(), ends).map_err(|_| Wrong::Overrun)?;
    let incomplete = call.inlet.is_partial() || single && !call.inlet.has_message();
    if last && incomplete { Err(Wrong::Sequence) } else { Ok(()) }
}

fn error(code: u8) -> CallError {
    match status::of_code(code) {
        Some(Status::Lost) => CallError::Lost,
        // A code of a later version still is a refusal.
        status => CallError::Refused(status.unwrap_or(Status::Internal)),
    }
}
