//! Raw frames: the extension of the firmware, between the RPC server and the radio.

use airtime_core::Instant;

use super::super::{Coprocessor, CoprocessorOutput};
use super::Radio;
use crate::raw::{ServiceCounts, ServiceOutput};
use crate::rpc::{Event, Message, Response};
use airtime_ieee80211::wire::RxInfo;

impl Coprocessor {
    /// The radio has carried out the oldest [`Radio::Raw`], or says with a [status](crate::rpc::status) why not.
    pub fn raw_done(&mut self, now: Instant, status: i32) {
        let _ = now;
        self.server.raw.done(status);
        self.pump_raw();
    }

    /// The radio has heard a frame, which has its FCS. Nothing comes of it unless the host listens.
    pub fn heard(&mut self, now: Instant, frame: &[u8], info: &RxInfo) {
        let _ = now;
        self.server.raw.heard(frame, info);
        self.pump_raw();
    }

    /// True if the host listens to everything: only then [`heard`](Self::heard) makes sense.
    pub fn promiscuous(&self) -> bool {
        self.server.raw.promiscuous()
    }

    /// Counts of commands and of heard frames, by their outcome.
    pub fn raw_counts(&self) -> ServiceCounts {
        self.server.raw.counts()
    }

    /// Passes on the outputs of the extension while nothing waits for a slot; the rest waits in its own bounded queue.
    pub(in crate::coprocessor) fn pump_raw(&mut self) {
        while self.serial.is_empty() {
            match self.server.raw.poll() {
                Some(ServiceOutput::Reply { uid, reply }) => {
                    self.send_message(&Message::response(uid, Response::CustomRpc(reply)));
                }
                Some(ServiceOutput::Event(event)) => self.event(Event::CustomRpc(event)),
                Some(ServiceOutput::Radio(request)) => {
                    self.told.say(CoprocessorOutput::Radio(Radio::Raw(request)));
                }
                None => return,
            }
        }
    }
}
