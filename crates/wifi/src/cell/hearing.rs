//! Hearing: what of a PPDU reaches each station, and how long that keeps it quiet: EIFS behind what was damaged (IEEE Std 802.11-2020,
//! 10.3.2.3.7), the Duration field of what was not (10.3.2.4).

use alloc::vec::Vec;

use airtime_core::loss::Fate;
use airtime_core::{Duration, Instant};

use super::errors::Frame;
use super::sending::{REQUEST_OCTETS, Sending, What};
use super::station::places;
use super::{Cell, Collided, StationId, contend};
use crate::air::{ACK_OCTETS, BLOCK_ACK_OCTETS, CTS_OCTETS, Phy, RTS_OCTETS, Width};

/// State of what one station hears.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hearing {
    /// Fate of the PPDU under way: whole if one of its MPDUs is received.
    fate: Fate,
    /// Its spaces are counted from no earlier than this: what EIFS is longer than DIFS behind the last frame, if that was damaged.
    pub(super) spaces_from: Instant,
}

impl Hearing {
    /// True if something of the PPDU has been received.
    pub(super) fn is_whole(self) -> bool {
        self.fate == Fate::Whole
    }
}

impl Default for Hearing {
    fn default() -> Self {
        Self { fate: Fate::Whole, spaces_from: Instant::ZERO }
    }
}

/// An MPDU within a PPDU, or the only frame in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The bit that stands for it.
    bit: u64,
    at: Instant,
    octets: u16,
}

impl Cell {
    /// Errors of the PPDU that is alone on the channel, at every station.
    pub(super) fn strike(&mut self) {
        self.hearing.iter_mut().for_each(|hearing| hearing.fate = Fate::Whole);
        let Some(mut sending) = self.sending.pop() else { return };
        let (phy, frame) = self.sent_as(&sending);
        if self.stations[sending.station.index()].errors.lossy(phy) {
            let mut parts = core::mem::take(&mut self.parts);
            self.parts_into(&sending, phy, &mut parts);
            let judge = self.judge(&sending);
            for place in 0..self.stations.len() {
                let id = StationId(place as u16);
                if id == sending.station {
                    continue;
                }
                let arrived = self.arrived(&sending, id, phy, frame, &parts, Some(id) == judge);
                if Some(id) == judge {
                    let all = parts.iter().fold(0, |all, part| all | part.bit);
                    sending.arrives(all & arrived.unwrap_or(0), arrived.is_none());
                }
                self.hearing[place].fate = match arrived {
                    None => Fate::Missed,
                    Some(0) => Fate::Damaged,
                    Some(_) => Fate::Whole,
                };
            }
            self.parts = parts;
        }
        self.overlap(&mut sending);
        self.sending.push(sending);
    }

    /// Bits of the MPDUs that reach `id`, all of them if `all`, else up to the first; none if it misses the PPDU.
    fn arrived(
        &mut self,
        sending: &Sending,
        id: StationId,
        phy: Phy,
        frame: Frame,
        parts: &[Part],
        all: bool,
    ) -> Option<u64> {
        let errors = &mut self.stations[sending.station.index()].errors;
        if errors.misses(id, sending.start, phy) {
            return None;
        }
        let mut arrived = 0;
        for part in parts {
            if !errors.damages(id, part.at, phy, part.octets, frame) {
                arrived |= part.bit;
                if !all {
                    break;
                }
            }
        }
        Some(arrived)
    }

    /// PHY and kind of the frames of a PPDU, or of the RTS in front of it.
    fn sent_as(&self, sending: &Sending) -> (Phy, Frame) {
        match sending.what {
            _ if sending.rts.is_some() => (self.config.timing.response_phy(sending.phy), Frame::Control),
            What::Data { .. } => (sending.phy, Frame::Data),
            What::Request { .. } => (sending.phy, Frame::Control),
            What::Single { .. } => (sending.phy, Frame::Management),
        }
    }

    /// Station whose fate is that of the PPDU: its receiver; of a broadcast the access point, or somebody else if that sends it.
    fn judge(&self, sending: &Sending) -> Option<StationId> {
        let access_point = self.config.access_point;
        let other = || self.stations.iter().map(super::station::Station::id).find(|&id| id != access_point);
        sending.to.or_else(|| if sending.station == access_point { other() } else { Some(access_point) })
    }

    /// Writes the MPDUs of a PPDU at `phy` into `parts`, each with the instant at which it starts.
    fn parts_into(&self, sending: &Sending, phy: Phy, parts: &mut Vec<Part>) {
        parts.clear();
        let data = sending.start + phy.preamble();
        let sender = &self.stations[sending.station.index()];
        let mut only = |octets: u32| parts.push(Part { bit: 1, at: data, octets: octets as u16 });
        let (flow, sent) = match sending.what {
            _ if sending.rts.is_some() => return only(RTS_OCTETS),
            What::Data { flow, sent, .. } => (flow, sent),
            What::Request { .. } => return only(REQUEST_OCTETS),
            What::Single { .. } => {
                return only(sender.singles.front().map_or(0, |single| u32::from(single.octets)));
            }
        };
        let originator = &sender.flows[flow].originator;
        let all: u64 = places(sent).map(|index| u64::from(originator.mpdu(index).octets)).sum();
        let time = sending.end - phy.extension(self.config.timing.ghz5) - data;
        let mut passed = 0;
        let part = |index| {
            let octets = originator.mpdu(index).octets;
            // Delimiters and padding are shared among MPDUs by their octets: less than a microsecond of any that is aggregated.
            let at = data + time * passed / all;
            passed += u64::from(octets);
            Part { bit: 1 << index, at, octets }
        };
        parts.extend(places(sent).map(part));
    }

    /// MPDUs of 40 MHz are lost to neighbours in the secondary channel that this cell does not hear, at every station alike.
    fn overlap(&mut self, sending: &mut Sending) {
        let Some(neighbours) = &mut self.neighbours else { return };
        let What::Data { sent, arrived, .. } = &mut sending.what else { return };
        if sending.rts.is_some() || sending.phy.width != Width::Mhz40 || neighbours.heard() {
            return;
        }
        let overlapped = neighbours.overlaps(sending.start, sending.end, *sent);
        *arrived &= !overlapped;
        if *sent & !overlapped == 0 {
            self.hearing.iter_mut().for_each(|hearing| hearing.fate = Fate::Damaged);
        }
    }

    /// A PPDU of `from` is over: whoever has received something of it keeps quiet until `reserved`, except `to`, whom it is for; whoever
    /// has received it damaged has EIFS in front of it.
    pub(super) fn frame_ended(
        &mut self,
        from: StationId,
        to: Option<StationId>,
        reserved: Option<Instant>,
        now: Instant,
    ) {
        let more = self.eifs_more();
        for place in 0..self.stations.len() {
            let id = StationId(place as u16);
            let hearing = &mut self.hearing[place];
            match hearing.fate {
                _ if id == from => {}
                Fate::Missed => {}
                Fate::Damaged => hearing.spaces_from = now + more,
                Fate::Whole => {
                    hearing.spaces_from = Instant::ZERO;
                    if Some(id) != to
                        && let Some(reserved) = reserved
                    {
                        for place in [contend::singles(id), contend::data(id)] {
                            let nav = &mut self.contenders[place].nav;
                            *nav = reserved.max(*nav);
                        }
                    }
                }
            }
        }
    }

    /// PPDUs that have overlapped are over: nobody has received anything.
    pub(super) fn collision_ended(&mut self, collided: &[Sending], now: Instant) {
        if self.config.collided == Collided::Missed {
            return;
        }
        let more = self.eifs_more();
        for place in 0..self.stations.len() {
            if collided.iter().all(|sending| sending.station.index() != place) {
                self.hearing[place].spaces_from = now + more;
            }
        }
    }

    /// The response to `sending` starts at `start`: its fate at the station that it is for.
    pub(super) fn answered(&mut self, sending: &Sending, start: Instant) -> Fate {
        let phy = self.config.timing.response_phy(sending.phy);
        let octets = match sending.what {
            _ if sending.rts.is_some() => CTS_OCTETS,
            what if what.is_acknowledged_alone() => ACK_OCTETS,
            _ => BLOCK_ACK_OCTETS,
        };
        for (place, station) in self.stations.iter_mut().enumerate() {
            if Some(station.id()) != sending.to {
                self.hearing[place].fate = station.errors.response(start, phy, octets as u16);
            }
        }
        self.hearing[sending.station.index()].fate
    }

    /// Excess of EIFS over DIFS, if stations have it.
    fn eifs_more(&self) -> Duration {
        if self.config.eifs { self.config.timing.eifs_more() } else { Duration::ZERO }
    }

    /// Space in front of a backoff of a queue, EIFS if the last frame could not be decoded.
    pub(super) fn space(&self, aifsn: u8, error: bool) -> Duration {
        self.config.timing.aifs(aifsn) + if error { self.eifs_more() } else { Duration::ZERO }
    }

    /// Instant from which `station` counts its spaces when the channel is idle since `now`.
    pub(super) fn spaces_from(&self, station: StationId, now: Instant) -> Instant {
        now.max(self.hearing[station.index()].spaces_from)
    }
}
