//! Frames of the server, as it fills them.

use airtime_core::Instant;

use super::super::INITIAL_WINDOW;
use super::super::pump::{Pumped, Responses, pump};
use super::super::record::{Limits, VERSION};
use super::super::writer::Writer;
use super::Server;
use super::call::Slot;
use crate::{CALLS_MAX, Service};

impl Server {
    /// Writes the next frame into `into`, which has room for the longest one, and says how long it is; none when there is
    /// nothing to send.
    pub fn transmit(&mut self, now: Instant, into: &mut [u8], service: &mut (impl Service + ?Sized)) -> Option<usize> {
        let _ = now;
        let mut writer = Writer::new(self.framing.records(into)?);
        self.connection(&mut writer);
        self.control(&mut writer, service);
        for step in 0..CALLS_MAX {
            let at = (self.turn + step) % CALLS_MAX;
            if self.responses(at, &mut writer, service) == Pumped::Full {
                self.turn = at + 1;
                break;
            }
        }
        let length = writer.finish();
        if length == 0 { None } else { self.framing.finish(into, length) }
    }

    /// Writes the records that concern no call that stands.
    fn connection(&mut self, writer: &mut Writer<'_>) {
        let limits = Limits { version: VERSION, calls: CALLS_MAX as u8, window: INITIAL_WINDOW.min(self.window) };
        self.greets = self.greets && !writer.limits(limits);
        self.lost = self.lost.filter(|first| !writer.lost(*first));
        for refusal in &mut self.refusals {
            *refusal = refusal.filter(|(id, status)| !writer.status(*id, *status as u8));
        }
    }

    /// Statuses and credits: short, and others wait for them.
    fn control(&mut self, writer: &mut Writer<'_>, service: &mut (impl Service + ?Sized)) {
        for slot in &mut self.slots {
            match slot {
                Slot::Ended(id, status) => {
                    if writer.status(*id, *status as u8) {
                        *slot = Slot::Free;
                    }
                }
                Slot::Serving(call) => {
                    if let Some(limit) = call.inlet.due(|| service.room(call.id))
                        && writer.credit(call.id, limit)
                    {
                        call.inlet.granted(limit);
                    }
                }
                Slot::Free => {}
            }
        }
    }

    fn responses(&mut self, at: usize, writer: &mut Writer<'_>, service: &mut (impl Service + ?Sized)) -> Pumped {
        let slot = &mut self.slots[at];
        let Slot::Serving(call) = slot else { return Pumped::Idle };
        if !call.answers() {
            return Pumped::Idle;
        }
        let (id, single) = (call.id, call.single_response());
        let pumped = pump(writer, id, &mut call.outlet, single, &mut Responses(service));
        match pumped {
            Pumped::Over => slot.clear(service),
            Pumped::Failed(status) => {
                slot.end(status, service);
                if let Slot::Ended(id, status) = *slot
                    && writer.status(id, status as u8)
                {
                    *slot = Slot::Free;
                }
            }
            Pumped::Idle | Pumped::Full => {}
        }
        pumped
    }
}
