//! Records from the client, as the server takes them.

use airtime_core::{Duration, Instant};

use super::super::INITIAL_WINDOW;
use super::super::flow::{Inlet, Outlet};
use super::super::frame::{Arrived, Dropped};
use super::super::record::{Record, kind};
use super::Server;
use super::call::{Call, Slot};
use crate::{CallId, Service, Status};

impl Server {
    /// Takes a frame of the client's. A sealed one is opened in `scratch`, which has room for it.
    pub fn receive(&mut self, now: Instant, frame: &[u8], scratch: &mut [u8], service: &mut (impl Service + ?Sized)) {
        let Arrived { number, missed, records } = match self.framing.receive(frame, scratch) {
            Ok(arrived) => arrived,
            Err(Dropped::Malformed) => return self.faults.malformed += 1,
            Err(Dropped::Old) => return self.faults.old += 1,
            Err(Dropped::NotGenuine) => return self.faults.not_genuine += 1,
        };
        if missed > 0 {
            self.faults.missed += u64::from(missed);
            self.lost = Some(number);
            self.forget(service);
        }
        for record in records {
            self.take(now, record, service);
        }
    }

    fn take(&mut self, now: Instant, record: Record<'_>, service: &mut (impl Service + ?Sized)) {
        match record {
            Record::Open { call, window, deadline_ms, name } => {
                let deadline = (deadline_ms > 0).then(|| now + Duration::from_millis(u64::from(deadline_ms)));
                self.open(call, name, Outlet::new(window), deadline, service);
            }
            Record::Data { call, end_of_message, end_of_stream, octets } => {
                let Some(slot) = self.standing(call) else { return self.faults.stale += 1 };
                let Slot::Serving(call) = slot else { return };
                if let Err(status) = data(call, octets, end_of_message, end_of_stream, service) {
                    slot.end(status, service);
                    self.faults.overruns += u64::from(status == Status::TooLarge);
                }
            }
            Record::Credit { call, limit } => match self.standing(call) {
                Some(slot) => {
                    if let Slot::Serving(call) = slot {
                        call.outlet.allow(limit);
                    }
                }
                None => self.faults.stale += 1,
            },
            Record::Cancel { call } => match self.slots.iter_mut().find(|slot| slot.has(call)) {
                Some(slot) => slot.clear(service),
                None => self.faults.stale += 1,
            },
            Record::Malformed { kind: kind::OPEN, call } => {
                self.faults.misplaced += 1;
                self.refuse(call, Status::BadArgument);
            }
            Record::Unknown { .. } => self.faults.unknown_records += 1,
            Record::Limits(_) | Record::Lost { .. } | Record::Status { .. } | Record::Malformed { .. } => {
                self.faults.misplaced += 1;
            }
        }
    }

    fn open(
        &mut self,
        id: CallId,
        name: &str,
        outlet: Outlet,
        deadline: Option<Instant>,
        service: &mut (impl Service + ?Sized),
    ) {
        if self.slots.iter().any(|slot| slot.has(id)) {
            // The call goes on: opening it twice does nothing twice.
            return self.faults.misplaced += 1;
        }
        let Some(slot) = self.slots.iter_mut().find(|slot| matches!(slot, Slot::Free)) else {
            self.faults.busy += 1;
            return self.refuse(id, Status::Busy);
        };
        match service.open(id, name) {
            Ok(kind) => {
                let inlet = Inlet::new(INITIAL_WINDOW.min(self.window), self.window);
                *slot = Slot::Serving(Call { id, kind, deadline, outlet, inlet });
            }
            Err(status) => {
                self.faults.unknown_methods += u64::from(status == Status::UnknownCommand);
                self.refuse(id, status);
            }
        }
    }

    /// Answers a call that never stood. Who opens calls faster than it takes refusals gets no answer.
    fn refuse(&mut self, id: CallId, status: Status) {
        match self.refusals.iter_mut().find(|refusal| refusal.is_none()) {
            Some(free) => *free = Some((id, status)),
            None => self.faults.unanswered += 1,
        }
    }

    fn standing(&mut self, id: CallId) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.is_call(id))
    }
}

/// Takes a piece of a request.
fn data(
    call: &mut Call,
    octets: &[u8],
    ends: bool,
    last: bool,
    service: &mut (impl Service + ?Sized),
) -> Result<(), Status> {
    let bare = octets.is_empty() && !ends;
    if bare && call.inlet.is_over() {
        // The end of a single request is known without being said.
        return Ok(());
    }
    if call.inlet.is_over() {
        return Err(Status::BadArgument);
    }
    call.inlet.take(octets.len(), ends).map_err(|_| Status::TooLarge)?;
    let incomplete = call.inlet.is_partial() || call.single_request() && !call.inlet.has_message();
    if last && incomplete {
        return Err(Status::BadArgument);
    }
    if last || ends && call.single_request() {
        call.inlet.close();
    }
    if !bare {
        service.received(call.id, octets, ends)?;
    }
    if last && !call.single_request() {
        service.finished(call.id)?;
    }
    // Who had nothing to say may have it now.
    call.outlet.resume();
    Ok(())
}
