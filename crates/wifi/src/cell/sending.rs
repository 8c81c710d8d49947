//! Transmission of a station whose turn has come, and the losses in it.

use airtime_core::loss::Fate;
use airtime_core::{Duration, Instant};

use super::contend::Queue;
use super::rts::Rts;
use super::{Cell, Channel, StationId};
use crate::air::{Phy, Width};

/// Octets of a Block Ack request, FCS included. 9.3.1.7.
pub(super) const REQUEST_OCTETS: u32 = 24;

/// Content of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// MPDUs of a flow. Bit `i` is the MPDU at place `i` of its window.
    Data {
        flow: usize,
        sent: u64,
        arrived: u64,
        /// Of those, the ones that had not arrived before; known once the PPDU is over.
        fresh: u64,
    },
    /// A Block Ack request of a flow.
    Request { flow: usize, arrives: bool },
    /// The first of the frames that are sent on their own.
    Single { arrives: bool },
}

impl What {
    /// True if an acknowledgement answers it, and no Block Ack.
    pub(super) fn is_acknowledged_alone(self) -> bool {
        match self {
            Self::Data { sent, .. } => sent.is_power_of_two(),
            Self::Request { .. } => false,
            Self::Single { .. } => true,
        }
    }

    /// Octets of its PSDU besides its MPDUs and what separates them.
    pub(super) fn alone(self, phy: Phy) -> u32 {
        match self {
            Self::Data { sent, .. } if !sent.is_power_of_two() => 0,
            Self::Data { .. } | Self::Request { .. } | Self::Single { .. } => phy.alone(),
        }
    }
}

/// Fate of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// There was none.
    Missing,
    /// None is asked for.
    NotNeeded,
    /// It was sent, and met this fate at whom it is for.
    Sent(Fate),
}

impl Answer {
    /// True if its receiver concludes that all is well: it has the response, or needs none.
    pub(super) fn heard(self) -> bool {
        matches!(self, Self::NotNeeded | Self::Sent(Fate::Whole))
    }
}

/// A PPDU that is under way.
#[derive(Clone, Debug)]
pub(super) struct Sending {
    pub(super) station: StationId,
    pub(super) to: Option<StationId>,
    /// Its queue, as a place among the contenders.
    pub(super) place: usize,
    pub(super) what: What,
    pub(super) phy: Phy,
    pub(super) ready: Instant,
    pub(super) ifs: Duration,
    /// An RTS that is in front of the PPDU and not answered yet: until then `start` and `end` are its own.
    pub(super) rts: Option<Rts>,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) response: Option<(Instant, Instant)>,
    pub(super) answer: Answer,
    /// Set if its receiver does not notice it.
    pub(super) missed: bool,
    /// End of the TXOP that it belongs to; none where one exchange is all.
    pub(super) txop: Option<Instant>,
    /// Set if another exchange of that TXOP lies in front of it.
    pub(super) follows: bool,
}

impl Sending {
    /// Of its MPDUs those in `arrived` reach its receiver, of a single frame any bit says so; `missed` if the receiver does not notice it.
    pub(super) fn arrives(&mut self, arrived: u64, missed: bool) {
        self.missed = missed;
        if let Some(rts) = &mut self.rts {
            rts.arrives = arrived != 0;
            return;
        }
        match &mut self.what {
            What::Data { arrived: all, .. } => *all = arrived,
            What::Request { arrives, .. } | What::Single { arrives } => *arrives = arrived != 0,
        }
    }
}

impl Cell {
    /// Somebody's turn has come.
    pub(super) fn start(&mut self, now: Instant) {
        let mut winners = core::mem::take(&mut self.winners);
        self.winners(now, &mut winners);
        for &(place, at) in &winners {
            let sending = self.transmit(place, at);
            self.sending.push(sending);
        }
        self.winners = winners;
        let Some(end) = self.sending.iter().map(|sending| sending.end).max() else {
            return self.look_ahead();
        };
        self.channel = Channel::Ppdu;
        self.next = end;
        match self.sending.as_slice() {
            [_] => self.strike(),
            _ => self.collide(),
        }
        if let Some(neighbours) = &mut self.neighbours {
            let wide = self.sending.iter().any(|sending| sending.phy.width == Width::Mhz40);
            if wide && neighbours.heard() {
                neighbours.defer_until(now, end);
            }
        }
    }

    /// The PPDU that queue `place` sends at `start`.
    fn transmit(&mut self, place: usize, start: Instant) -> Sending {
        let contender = &self.contenders[place];
        let (station, since) = (contender.station, contender.since);
        let contends_for_data = contender.queue == Queue::Data;
        let ready = since.max(self.idle_since);
        let ifs = contender.contention.count_from().saturating_since(ready).min(start.saturating_since(ready));
        let (what, to, phy, octets) = match contender.queue {
            Queue::Data => self.data_ppdu(station, start),
            Queue::Singles => self.single_ppdu(station),
        };
        let txop = self.txop(station, contends_for_data).map(|limit| start + limit);
        let psdu = octets + what.alone(phy);
        let ppdu = self.config.timing.ppdu(phy, psdu);
        let rts = self.needs_rts(station, what, psdu).then_some(Rts { ppdu, arrives: true });
        let end = start + if rts.is_some() { self.config.timing.rts(phy) } else { ppdu };
        let answer = if self.asks_for_answer(station, what) { Answer::Missing } else { Answer::NotNeeded };
        self.stations[station.index()].counters.sent(what, rts.is_some());
        Sending {
            station,
            to,
            place,
            what,
            phy,
            ready,
            ifs,
            rts,
            start,
            end,
            response: None,
            answer,
            missed: false,
            txop,
            follows: false,
        }
    }

    /// Tells if a PPDU asks for a response. Without one its sender never learns its fate.
    fn asks_for_answer(&self, station: StationId, what: What) -> bool {
        match what {
            What::Data { .. } | What::Request { .. } => true,
            What::Single { .. } => self.stations[station.index()].singles.front().is_some_and(|single| single.unicast),
        }
    }

    fn data_ppdu(&mut self, station: StationId, start: Instant) -> (What, Option<StationId>, Phy, u32) {
        let narrow = self.narrow(start);
        let left = self.first_of_txop(station);
        let sender = &mut self.stations[station.index()];
        let index = sender.next_turn().expect("only a queue that has something contends");
        sender.take_turn(index);
        let to = sender.flows[index].to;
        if sender.flows[index].originator.must_request() {
            sender.counters.requests += 1;
            let phy = self.config.timing.response_phy(sender.config.rate.highest());
            return (What::Request { flow: index, arrives: true }, Some(to), phy, REQUEST_OCTETS);
        }
        let (mut phy, probe) = sender.flows[index].rate.next(start, &mut sender.sampling);
        if phy.width == Width::Mhz40 && narrow {
            phy.width = Width::Mhz20;
            sender.counters.narrowed += 1;
        }
        let selection = sender.select(index, phy, probe, left, &self.config.timing);
        let what = What::Data { flow: index, sent: selection.sent, arrived: selection.sent, fresh: 0 };
        (what, Some(to), phy, selection.octets)
    }

    fn single_ppdu(&mut self, station: StationId) -> (What, Option<StationId>, Phy, u32) {
        let single = self.stations[station.index()].singles.front().expect("only a queue that has something contends");
        (What::Single { arrives: true }, single.to, single.phy, u32::from(single.octets))
    }

    /// Several PPDUs overlap: none of them arrives.
    fn collide(&mut self) {
        for sending in &mut self.sending {
            sending.arrives(0, false);
            self.stations[sending.station.index()].counters.collisions += 1;
        }
    }
}
