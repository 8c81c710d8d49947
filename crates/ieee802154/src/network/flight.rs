//! A transmission on the air, until its receiver has it.

use airtime_core::loss;
use airtime_core::{Instant, Touched};

use super::host::Answer;
use super::origin::Origin;
use super::{COORDINATOR, Config, Network, Observer, line};
use crate::air::PSDU_MAX;
use crate::lowpan::{Mesh, Whole};
use crate::mac::{Input, Output, Reception};
use crate::trace::{Delivery, Fate, OnAir, Sent};
use crate::wire::Frame;

/// A transmission under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) to: usize,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) sent: Sent,
    /// Its receiver listened when it began.
    pub(super) heard: bool,
}

impl<O: Observer> Network<O> {
    /// The transmission of `from` has ended: its receiver gets it, and the sink is told.
    pub(super) fn finish(&mut self, from: usize, now: Instant, touched: &mut Touched) {
        let Some(flight) = self.stations[from].flight.take() else { return };
        let Flight { to, start, end, sent, heard } = flight;
        let mut octets = [0; PSDU_MAX];
        let sent_psdu = self.stations[from].mac.on_air();
        let len = sent_psdu.len();
        octets[..len].copy_from_slice(sent_psdu);
        let psdu = &mut octets[..len];

        let collided = self.medium.was_spoiled(from, start);
        let noise = if heard { self.medium.fate(to, start, len, sent == Sent::Ack) } else { loss::Fate::Missed };
        let damaged = noise == loss::Fate::Damaged;
        if let Some(check) = psdu.last_mut().filter(|_| collided || damaged) {
            // Which bits are wrong matters to nobody: the check finds all of them.
            *check ^= 0xFF;
        }
        let fate = if noise == loss::Fate::Missed { Fate::Missed } else { self.deliver(from, flight, now, psdu) };
        let fate = match fate {
            _ if collided => Fate::Collided,
            _ if !heard => Fate::Unheard,
            _ if damaged => Fate::Lost,
            fate => fate,
        };
        self.count(from, to, sent, fate);
        let on_air = OnAir { from, to, channel: self.config.channel, start, end, sent, fate };
        self.observer.transmission(&on_air, psdu);
        match fate {
            Fate::New => self.arrived([from, to], &octets[..len], now),
            Fate::Duplicate if to == COORDINATOR => self.repeated(from, &octets[..len], now),
            _ => {}
        }
        // What the receiver does about it follows what was received.
        self.attend(to, now, touched);
    }

    fn deliver(&mut self, from: usize, flight: Flight, now: Instant, psdu: &[u8]) -> Fate {
        let of = self.stations[from].host.at_hand().place;
        let receiver = &mut self.stations[flight.to];
        receiver.mac.handle(now, Input::Received(psdu));
        // A confirmation comes in front of the verdict.
        let (mut fate, mut confirmed, mut indicated) = (Fate::Refused, None, None);
        while let Some(output) = receiver.mac.poll(now) {
            match output {
                Output::Received(reception) => fate = fate_of(reception),
                Output::Confirm(result) => confirmed = Some(result),
                Output::Indication(payload) => indicated = Some(payload),
                Output::Sense { .. } | Output::Transmit { .. } => {}
            }
        }
        if matches!(fate, Fate::New | Fate::Duplicate) {
            receiver.host.answers = Answer { to: from, of };
        }
        self.stations[from].indicated = indicated;
        if let Some(result) = confirmed {
            self.confirmed(flight.to, now, result);
        }
        fate
    }

    /// A frame has arrived for the first time: at the receiver, at once or over the line of a co-processor, or on its way.
    fn arrived(&mut self, [from, to]: [usize; 2], psdu: &[u8], now: Instant) {
        let Some(payload) = self.stations[from].indicated.take() else { return };
        let origin = self.stations[from].host.at_hand();
        if to != COORDINATOR {
            return self.relay(to, now, payload, origin);
        }
        let frame = line::Frame { from, payload, origin };
        if self.line.is_none() {
            return self.received(frame, now);
        }
        self.report(from, psdu, Some(frame), now);
    }

    /// A frame has arrived at the receiver that had arrived there already. It is new to a host whose co-processor had no room for it then.
    fn repeated(&mut self, from: usize, psdu: &[u8], now: Instant) {
        let station = &mut self.stations[from];
        let frame = match Frame::parse(psdu) {
            Ok(frame) if station.refused => {
                let payload = self.pool.copy(frame.payload);
                Some(line::Frame { from, payload, origin: station.host.at_hand() })
            }
            _ => None,
        };
        self.report(from, psdu, frame, now);
    }

    /// The receiver's co-processor, if there is one, has `psdu` of `from` for its host, to which `frame` is new.
    fn report(&mut self, from: usize, psdu: &[u8], frame: Option<line::Frame>, now: Instant) {
        let Some(line) = &mut self.line else { return };
        let is_new = frame.is_some();
        let octets = line.put(now, psdu, frame);
        let of = self.stations[from].host.at_hand().place;
        let counters = &mut self.stations[of].counters;
        counters.uart_receiver += octets.map_or(0, |octets| octets as u64);
        if is_new {
            counters.overrun += u64::from(octets.is_none());
            self.stations[from].refused = octets.is_none();
        }
    }

    /// The receiver's host has a frame.
    pub(super) fn received(&mut self, frame: line::Frame, now: Instant) {
        let line::Frame { from, payload, origin } = frame;
        match self.config.datagram {
            None => self.delivered(from, self.config.payload.into(), origin, now),
            Some(_) => self.fragment(from, &payload, origin, now),
        }
    }

    /// A frame of a datagram has arrived at the receiver, from `by`.
    fn fragment(&mut self, by: usize, frame: &[u8], origin: Origin, now: Instant) {
        let Ok((mesh, frame)) = Mesh::parse(frame) else { return };
        let from = mesh.and_then(|mesh| Config::place_of(mesh.originator)).unwrap_or(by);
        let Some(station) = self.stations.get_mut(from) else { return };
        if let Ok(Some(Whole { payload, .. })) = station.arriving.take(frame) {
            self.delivered(from, payload, origin, now);
        }
    }

    fn delivered(&mut self, from: usize, octets: u16, origin: Origin, now: Instant) {
        let Origin { offered, handed, .. } = origin;
        let delivery = Delivery { from, octets, offered, handed, arrived: now };
        let second = ((now - Instant::ZERO).as_nanos().saturating_sub(1) / 1_000_000_000) as usize;
        if self.per_second.len() <= second {
            self.per_second.resize(second + 1, 0);
        }
        self.per_second[second] += u64::from(octets);
        self.latencies.push(delivery.latency());
        let station = &mut self.stations[from];
        station.arrived = Some(handed);
        station.counters.arrived += 1;
        station.counters.payload += u64::from(octets);
        self.observer.delivered(&delivery);
    }

    /// Counts for the sender of the data, which the acknowledgement is for, too.
    fn count(&mut self, from: usize, to: usize, sent: Sent, fate: Fate) {
        let data = sent != Sent::Ack;
        let counters = &mut self.stations[if data { from } else { to }].counters;
        let [missed, damaged] = match data {
            true => [&mut counters.missed, &mut counters.damaged],
            false => [&mut counters.acks_missed, &mut counters.acks_damaged],
        };
        *missed += u64::from(matches!(fate, Fate::Missed | Fate::Unheard));
        *damaged += u64::from(fate == Fate::Lost);
        match (fate, data) {
            (Fate::Duplicate, _) => counters.duplicates += 1,
            (Fate::Acknowledged, _) => counters.acks += 1,
            (Fate::Collided, true) => counters.collisions += 1,
            (Fate::Lost | Fate::Missed | Fate::Unheard | Fate::Refused, true) => counters.lost += 1,
            (Fate::Collided | Fate::Lost | Fate::Missed | Fate::Unheard | Fate::Refused, false) => {
                counters.acks_lost += 1;
            }
            (Fate::New, true) => counters.delivered += 1,
            (Fate::New, false) => {}
        }
    }
}

const fn fate_of(reception: Reception) -> Fate {
    match reception {
        Reception::New => Fate::New,
        Reception::Duplicate => Fate::Duplicate,
        Reception::Ack => Fate::Acknowledged,
        Reception::Damaged => Fate::Lost,
        Reception::Refused => Fate::Refused,
    }
}
