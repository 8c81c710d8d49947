//! Transmission opportunities (TXOPs): a station that has won the channel sends further PPDUs of its data a SIFS behind each response, while
//! all of the next exchange fits its limit. IEEE Std 802.11-2020, 10.23.2.8 and 10.23.2.9.
//!
//! A PPDU that is not answered ends the TXOP, and its sender backs off as from any failure: the standard would also let it go on once the
//! channel is idle for PIFS. The Duration field of each PPDU is that of its own exchange: whoever has heard it starts no sooner than an AIFS
//! behind it, and the next PPDU is there after a SIFS. RTS and CTS go in front of the first PPDU alone.

use airtime_core::{Duration, Instant};

use super::sending::{Answer, REQUEST_OCTETS, Sending, What};
use super::{Cell, Channel, StationId};
use crate::air::{Phy, Width};

impl Cell {
    /// TXOP limit of `station`, if it contends for its data and has one.
    pub(super) fn txop(&self, station: StationId, data: bool) -> Option<Duration> {
        Some(self.stations[station.index()].config.txop).filter(|limit| data && !limit.is_zero())
    }

    /// Time for the first exchange of a TXOP of `station`, apart from an RTS and its CTS if any may come; none without a limit.
    pub(super) fn first_of_txop(&self, station: StationId) -> Option<Duration> {
        let limit = self.txop(station, true)?;
        let (timing, sender) = (&self.config.timing, &self.stations[station.index()].config);
        let phy = sender.rate.highest();
        let reserves = sender.rts_threshold.is_some();
        let before = if reserves { timing.rts(phy) + timing.cts(phy) + timing.sifs * 2 } else { Duration::ZERO };
        Some(limit.saturating_sub(before))
    }

    /// The exchange that follows `last`, which ends at `now`, in the same TXOP: none if that is over.
    pub(super) fn next_in_txop(&mut self, last: &Sending, now: Instant) -> Option<Sending> {
        let until = last.txop.filter(|_| last.answer.heard())?;
        let (sifs, station) = (self.config.timing.sifs, last.station);
        let start = now + sifs;
        let left = until.saturating_since(start);
        let flow = self.stations[station.index()].next_turn()?;
        let (what, phy, octets) = self.next_data(flow, last, start, left)?;
        let ppdu = self.config.timing.ppdu(phy, octets + what.alone(phy));
        let next = Sending {
            to: Some(self.stations[station.index()].flows[flow].to),
            what,
            phy,
            ready: now,
            ifs: sifs,
            rts: None,
            start,
            end: start + ppdu,
            response: None,
            answer: Answer::Missing,
            missed: false,
            follows: true,
            ..last.clone()
        };
        if ppdu + sifs + self.response(&next) > left {
            return None;
        }
        let sender = &mut self.stations[station.index()];
        sender.take_turn(flow);
        sender.counters.requests += u64::from(matches!(what, What::Request { .. }));
        sender.counters.sent(what, false);
        Some(next)
    }

    /// The next PPDU of `flow`, and the octets of its MPDUs: a Block Ack request if one is due, or MPDUs, no wider than `last`.
    fn next_data(&mut self, flow: usize, last: &Sending, start: Instant, left: Duration) -> Option<(What, Phy, u32)> {
        let narrow = last.phy.width == Width::Mhz20 && matches!(last.what, What::Data { .. }) || self.narrow(start);
        let sender = &mut self.stations[last.station.index()];
        if sender.flows[flow].originator.must_request() {
            let phy = self.config.timing.response_phy(sender.config.rate.highest());
            return Some((What::Request { flow, arrives: true }, phy, REQUEST_OCTETS));
        }
        let mut phy = sender.flows[flow].rate.best();
        if narrow {
            phy.width = Width::Mhz20;
        }
        let timing = &self.config.timing;
        let oldest = u32::from(sender.flows[flow].originator.oldest_octets()?) + phy.alone();
        if timing.ppdu(phy, oldest) + timing.sifs + timing.ack(phy) > left {
            // What does not fit stays as it is: other MSDUs may still join it.
            return None;
        }
        let selection = sender.select(flow, phy, false, Some(left), timing);
        Some((What::Data { flow, sent: selection.sent, arrived: selection.sent, fresh: 0 }, phy, selection.octets))
    }

    /// The TXOP goes on with `next`; the channel has been idle since `now` for nobody else.
    pub(super) fn follow(&mut self, next: Sending, now: Instant) {
        self.contenders[next.place].sends = true;
        self.idle_since = now;
        self.channel = Channel::Ppdu;
        self.next = next.end;
        if let Some(neighbours) = &mut self.neighbours
            && next.phy.width == Width::Mhz40
            && neighbours.heard()
        {
            neighbours.defer_until(next.start, next.end);
        }
        self.sending.clear();
        self.sending.push(next);
        self.strike();
    }
}
