//! From the end of a PPDU to the next idle channel: what has arrived, the response, and what its sender concludes.

use alloc::vec::Vec;

use airtime_core::loss::Fate;
use airtime_core::{Duration, Instant};

use super::contend::Queue;
use super::sending::{Answer, REQUEST_OCTETS, Sending, What};
use super::station::Flow;
use super::{AfterFailure, Cell, Channel, MissingBlockAck, StationId};
use crate::trace::{ETHERNET_HEADER, Mpdu, MpduFate, OnAir, PpduOutcome};

impl Cell {
    /// The last PPDU is over: what has arrived is handed over, and answered.
    pub(super) fn ppdu_ended(&mut self, now: Instant) {
        if self.sending.len() > 1 {
            return self.finish(now);
        }
        if self.sending[0].rts.is_some() {
            return self.rts_ended(now);
        }
        let mut sending = self.sending.pop().expect("a PPDU has ended");
        let reserved = self.protected_until(&sending, now);
        self.frame_ended(sending.station, sending.to, reserved, now);
        if self.listening {
            self.overhear(&sending);
        }
        let arrives = match &mut sending.what {
            What::Data { flow, arrived, fresh, .. } => {
                *fresh = self.hand_over(sending.station, *flow, *arrived);
                *arrived != 0
            }
            What::Request { flow, arrives } => {
                if *arrives {
                    self.requested(sending.station, *flow);
                }
                *arrives
            }
            What::Single { arrives } => {
                self.stations[sending.station.index()].arrived_single(*arrives && sending.to.is_some());
                self.asked(sending.station, *arrives, now);
                *arrives
            }
        };
        if arrives && self.doze.is_some() {
            self.told_by(&sending, now);
        }
        if sending.answer == Answer::NotNeeded || !arrives || sending.to.is_none() {
            self.sending.push(sending);
            return self.finish(now);
        }
        let response = self.response(&sending);
        let start = now + self.config.timing.sifs;
        sending.answer = Answer::Sent(self.answered(&sending, start));
        sending.response = Some((start, start + response));
        self.channel = Channel::Response;
        self.next = start + response;
        self.sending.push(sending);
    }

    /// Duration of the response to a PPDU.
    pub(super) fn response(&self, sending: &Sending) -> Duration {
        let timing = &self.config.timing;
        if sending.what.is_acknowledged_alone() { timing.ack(sending.phy) } else { timing.block_ack(sending.phy) }
    }

    /// End of the response that the Duration field of a PPDU protects which ends at `now`: none for a broadcast, or a station that is not
    /// of this cell, whose sender has said what it says itself. 9.2.5.2.
    fn protected_until(&self, sending: &Sending, now: Instant) -> Option<Instant> {
        let answered = sending.answer != Answer::NotNeeded && sending.to.is_some();
        answered.then(|| now + self.config.timing.sifs + self.response(sending))
    }

    /// If a probe request of `station` has arrived the access point answers it.
    fn asked(&mut self, station: StationId, arrives: bool, now: Instant) {
        let asks = self.stations[station.index()].singles.front().is_some_and(|single| single.asks);
        if asks && arrives && station != self.config.access_point {
            self.answer_probe(station, now);
        }
    }

    /// Hands the MPDUs `arrived` to the receiver; returns which of them it had not had.
    fn hand_over(&mut self, station: StationId, flow: usize, arrived: u64) -> u64 {
        let sender = &mut self.stations[station.index()];
        let Flow { to, originator, recipient, .. } = &mut sender.flows[flow];
        let (to, first) = (*to, originator.first());
        let (mut fresh, mut octets, mut rest) = (0u64, 0, arrived);
        while rest != 0 {
            let index = rest.trailing_zeros();
            rest &= rest - 1;
            let mpdu = originator.mpdu_mut(index);
            let out = |msdus| {
                if let Some(msdus) = msdus {
                    self.outbox.delivered_all(station, to, msdus);
                }
            };
            let fate = recipient.receive(first.wrapping_add(index), || mpdu.take(), out);
            if fate == MpduFate::New {
                mpdu.arrived = true;
                fresh |= 1 << index;
                octets += u64::from(mpdu.octets);
            }
        }
        sender.counters.delivered += u64::from(fresh.count_ones());
        sender.counters.delivered_octets += octets;
        sender.counters.duplicates += u64::from((arrived & !fresh).count_ones());
        fresh
    }

    /// The exchange is over: senders draw their conclusions, and the channel is idle.
    pub(super) fn finish(&mut self, now: Instant) {
        let sendings = core::mem::take(&mut self.sending);
        let collided = sendings.len() > 1;
        match sendings.as_slice() {
            [sending @ Sending { station, to: Some(to), answer: Answer::Sent(_), rts, .. }] => {
                let reserved = rts.map(|rts| self.reserved_until(sending, rts));
                self.frame_ended(*to, Some(*station), reserved, now);
            }
            [_] => {}
            collided => self.collision_ended(collided, now),
        }
        let mut decoded = !collided;
        for sending in &sendings {
            let outcome = match sending.answer {
                _ if collided => PpduOutcome::Collided,
                answer if answer.heard() => PpduOutcome::Heard,
                Answer::Sent(Fate::Damaged) => PpduOutcome::ResponseDamaged,
                _ => PpduOutcome::NoResponse,
            };
            if self.listening {
                self.overhear_response(sending);
            }
            let on_air = self.told.then(|| self.on_air(sending, outcome));
            self.conclude(sending, collided, now);
            decoded &= match (sending.rts, sending.what) {
                (Some(rts), _) => rts.arrives,
                (None, What::Data { arrived, .. }) => arrived != 0,
                (None, What::Request { arrives, .. } | What::Single { arrives }) => arrives,
            };
            if let Some(on_air) = on_air {
                self.outbox.on_air(on_air);
            }
            self.again(sending, now);
        }
        let next = match sendings.as_slice() {
            [sending] => self.next_in_txop(sending, now),
            _ => None,
        };
        self.sending = sendings;
        if let Some(next) = next {
            return self.follow(next, now);
        }
        self.resume(now, !decoded);
        self.sending.clear();
    }

    /// Record of a PPDU for the observer.
    pub(super) fn on_air(&self, sending: &Sending, outcome: PpduOutcome) -> OnAir {
        let (rts, timing) = (sending.rts.is_some(), &self.config.timing);
        OnAir {
            from: sending.station,
            to: sending.to,
            phy: if rts { timing.response_phy(sending.phy) } else { sending.phy },
            idle_since: self.idle_since,
            ready: sending.ready,
            ifs: sending.ifs,
            start: sending.start,
            end: sending.end,
            rts,
            follows: sending.follows,
            response: sending.response,
            outcome,
            mpdus: if self.watched && !rts { self.mpdus_of(sending) } else { Vec::new() },
        }
    }

    /// Concludes for the sender of a PPDU from its answer.
    fn conclude(&mut self, sending: &Sending, collided: bool, now: Instant) {
        let sender = &mut self.stations[sending.station.index()];
        let heard = sending.answer.heard();
        let mut gone = None;
        match sending.answer {
            Answer::Missing if !collided => sender.counters.unanswered += 1,
            Answer::Sent(Fate::Missed) => sender.counters.responses_lost += 1,
            Answer::Sent(Fate::Damaged) => {
                sender.counters.responses_lost += 1;
                sender.counters.responses_damaged += 1;
            }
            _ => {}
        }
        match sending.what {
            What::Data { flow, sent, .. } if sending.rts.is_some() => sender.no_cts(flow, sent, &mut self.outbox),
            What::Data { flow, sent, arrived, .. } => {
                let lost = u64::from((sent & !arrived).count_ones());
                sender.counters.lost += lost;
                sender.counters.missed += if sending.missed { lost } else { 0 };
                let acked = if heard { sender.scoreboard(flow, sent, arrived) } else { 0 };
                if !heard && sent.count_ones() > 1 && sender.config.missing_block_ack == MissingBlockAck::Request {
                    sender.flows[flow].originator.ask(sent);
                } else {
                    sender.settle(flow, sent, acked, &mut self.outbox);
                }
                // Of a Block Ack that has not come a sender can but take the worst; what a request brings to light comes too late.
                let (sent, acked) = (sent.count_ones(), acked.count_ones());
                sender.flows[flow].rate.report(sending.phy, sent, acked);
            }
            What::Request { flow, .. } if heard => {
                let asked = sender.flows[flow].originator.answered();
                let acked = sender.scoreboard(flow, asked, 0);
                sender.settle(flow, asked, acked, &mut self.outbox);
            }
            What::Request { flow, .. } => self.request_failed(sending.station, flow, now),
            What::Single { .. } => gone = sender.settle_single(heard, &mut self.outbox),
        }
        if heard {
            self.succeeded(sending.place)
        } else {
            self.failed(sending.place)
        }
        if let Some(gone) = gone.filter(|_| self.doze.is_some()) {
            self.single_gone(&gone, heard, collided, now);
        }
    }

    /// Lets the queue go on if it has more to send.
    fn again(&mut self, sending: &Sending, now: Instant) {
        self.replenish(sending.station, now);
        let sender = &mut self.stations[sending.station.index()];
        let contender = &mut self.contenders[sending.place];
        contender.sends = false;
        contender.since = now;
        contender.wants = match contender.queue {
            Queue::Data => {
                sender.expire(now, &mut self.outbox);
                sender.has_data()
            }
            Queue::Singles => !sender.singles.is_empty(),
        };
    }

    /// Instant from which the queues of a station count that has sent `sending` itself.
    pub(super) fn after_own(&self, sending: usize, aifsn: u8, edca: bool, error: bool, now: Instant) -> Instant {
        let (sending, timing) = (&self.sending[sending], &self.config.timing);
        let station = sending.station;
        let usual = now + timing.aifs(aifsn);
        match sending.answer {
            // EIFS follows every frame with a wrong FCS, also one that was waited for. 10.3.4.3, 10.3.2.3.7.
            Answer::Sent(_) | Answer::NotNeeded => return self.spaces_from(station, now) + timing.aifs(aifsn),
            Answer::Missing => {}
        }
        if self.config.after_failure == AfterFailure::Together {
            return now + self.space(aifsn, error);
        }
        // EDCA begins its space when the sender has given up waiting (10.23.2.4 c); DCF has had its space by then (10.3.4.3).
        let given_up = sending.end + timing.response_timeout();
        usual.max(if edca { given_up + timing.aifs(aifsn) } else { given_up })
    }

    /// Fates of the MPDUs of a PPDU.
    fn mpdus_of(&self, sending: &Sending) -> Vec<Mpdu> {
        let sender = &self.stations[sending.station.index()];
        let lost = if sending.missed { MpduFate::Missed } else { MpduFate::Damaged };
        match sending.what {
            What::Data { flow, sent, arrived, fresh } => {
                let bits = (0..64u32).filter(|index| sent & (1 << index) != 0);
                let mpdu = |index: u32| {
                    let mpdu = sender.flows[flow].originator.mpdu(index);
                    let fate = match (arrived & (1 << index) != 0, fresh & (1 << index) != 0) {
                        (false, _) => lost,
                        (true, true) => MpduFate::New,
                        (true, false) => MpduFate::Duplicate,
                    };
                    let (octets, msdu, payload) = (mpdu.octets, mpdu.msdu_octets, mpdu.payload);
                    Mpdu { octets, msdu, msdus: mpdu.msdus(), payload, fate }
                };
                let mut mpdus = Vec::with_capacity(sent.count_ones() as usize);
                mpdus.extend(bits.map(mpdu));
                mpdus
            }
            What::Request { arrives: true, .. } => alloc::vec![management(REQUEST_OCTETS as u16, MpduFate::New)],
            What::Request { .. } => alloc::vec![management(REQUEST_OCTETS as u16, lost)],
            What::Single { arrives } => {
                let front = sender.singles.front();
                let (octets, payload) = front.map_or((0, 0), |single| (single.octets, single.payload));
                let again = payload > 0 && front.is_some_and(|single| single.came_again);
                let fate = match (arrives, again) {
                    (false, _) => lost,
                    (true, true) => MpduFate::Duplicate,
                    (true, false) => MpduFate::New,
                };
                alloc::vec![with_payload(octets, payload, fate)]
            }
        }
    }
}

/// A frame that is sent on its own. One with payload counts as if that had an Ethernet header in front: all the rest of it is the MAC's.
fn with_payload(octets: u16, payload: u16, fate: MpduFate) -> Mpdu {
    match payload {
        0 => management(octets, fate),
        payload => Mpdu { octets, msdu: ETHERNET_HEADER as u16 + payload, msdus: 1, payload, fate },
    }
}

/// A frame without an MSDU.
fn management(octets: u16, fate: MpduFate) -> Mpdu {
    Mpdu { octets, msdu: 0, msdus: 0, payload: 0, fate }
}
