//! RTS and CTS in front of a PPDU, and who keeps quiet for what they reserve. IEEE Std 802.11-2020, 10.3.2.4 and 10.3.2.9.
//!
//! The exchange behind a CTS follows without a gap that anybody could use; the reservation matters when it breaks off.

use airtime_core::loss::Fate;
use airtime_core::{Duration, Instant};

use super::sending::{Answer, Sending, What};
use super::{Cell, Channel, StationId};
use crate::air::Width;
use crate::trace::PpduOutcome;
use crate::wire::{FrameControl, FrameType};

/// An RTS that is not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rts {
    /// Duration of the PPDU behind it.
    pub(super) ppdu: Duration,
    /// Set if it arrives.
    pub(super) arrives: bool,
}

impl Cell {
    /// Tells if an RTS goes in front of `what` of `station`, whose PSDU has `octets`: only of individually addressed
    /// data and management. C.3, `dot11RTSThreshold`.
    pub(super) fn needs_rts(&self, station: StationId, what: What, octets: u32) -> bool {
        let sender = &self.stations[station.index()];
        sender.config.rts_threshold.is_some_and(|threshold| octets > threshold)
            && match what {
                What::Data { .. } => true,
                What::Request { .. } => false,
                What::Single { .. } => sender.singles.front().is_some_and(|single| {
                    let control = single.frame.first().map(|&first| FrameControl(first.into()).kind());
                    single.unicast && control != Some(FrameType::Control)
                }),
            }
    }

    /// An RTS that was alone on the channel is over: its receiver answers, and everybody else keeps quiet.
    pub(super) fn rts_ended(&mut self, now: Instant) {
        let mut sending = self.sending.pop().expect("an RTS has ended");
        let rts = sending.rts.expect("it has not been answered");
        if rts.arrives && self.listening {
            self.overhear_rts(&sending, rts);
        }
        self.frame_ended(sending.station, sending.to, Some(self.reservation(&sending, rts)), now);
        let timing = &self.config.timing;
        if !rts.arrives || sending.to.is_none() {
            self.sending.push(sending);
            return self.finish(now);
        }
        let start = now + timing.sifs;
        let end = start + timing.cts(sending.phy);
        let reserved = end + timing.sifs + rts.ppdu;
        sending.answer = Answer::Sent(self.answered(&sending, start));
        if let Some(neighbours) = &mut self.neighbours
            && sending.phy.width == Width::Mhz40
            && neighbours.heard()
        {
            // Both frames are sent in either half of the channel (non-HT duplicate), so that neighbours in the secondary one wait, too.
            neighbours.defer_until(now, reserved);
        }
        sending.response = Some((start, end));
        self.channel = Channel::Response;
        self.next = end;
        self.sending.push(sending);
    }

    /// A response is over: behind a CTS the PPDU follows that asked for it, behind any other the channel is idle.
    pub(super) fn response_ended(&mut self, now: Instant) {
        match self.sending.as_slice() {
            [sending] if sending.rts.is_some() && sending.answer == Answer::Sent(Fate::Whole) => self.cleared(now),
            _ => self.finish(now),
        }
    }

    /// The sender of an RTS has its CTS.
    fn cleared(&mut self, now: Instant) {
        let mut sending = self.sending.pop().expect("a CTS has ended");
        if self.listening {
            self.overhear_response(&sending);
        }
        if self.told {
            let on_air = self.on_air(&sending, PpduOutcome::Heard);
            self.outbox.on_air(on_air);
        }
        let Some(rts) = sending.rts.take() else { return };
        // Whoever has missed the RTS reads in the CTS for how long the channel is taken.
        let reserved = now + self.config.timing.sifs + rts.ppdu + self.config.timing.sifs + self.response(&sending);
        if let Some(to) = sending.to {
            self.frame_ended(to, Some(sending.station), Some(reserved), now);
        }
        let sifs = self.config.timing.sifs;
        self.idle_since = now;
        (sending.ready, sending.ifs, sending.start) = (now, sifs, now + sifs);
        sending.end = sending.start + rts.ppdu;
        (sending.response, sending.answer) = (None, Answer::Missing);
        self.stations[sending.station.index()].counters.sent(sending.what, false);
        self.channel = Channel::Ppdu;
        self.next = sending.end;
        self.sending.push(sending);
        self.strike();
    }

    /// End of the exchange behind an RTS, if all of it comes about.
    pub(super) fn reserved_until(&self, sending: &Sending, rts: Rts) -> Instant {
        let timing = &self.config.timing;
        let response = self.response(sending);
        sending.end + timing.sifs * 3 + timing.cts(sending.phy) + rts.ppdu + response
    }

    /// Until when stations that have heard an RTS leave the channel alone: for the time reserved, or until nobody has answered it.
    /// 10.3.2.4.
    fn reservation(&self, sending: &Sending, rts: Rts) -> Instant {
        match sending.to {
            Some(_) => self.reserved_until(sending, rts),
            None => sending.end + self.config.timing.nav_timeout(sending.phy),
        }
    }
}
