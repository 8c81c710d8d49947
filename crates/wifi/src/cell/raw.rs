//! Frames as octets: injected ones, and what a promiscuous station hears. Nothing here is done while nobody listens.

use core::ops::Range;

use airtime_core::{Duration, Instant, Packet};

use super::rts::Rts;
use super::sending::{Answer, Sending, What};
use super::station::Single;
use super::{Cell, Refused, StationId, contend};
use crate::air::Phy;
use crate::wire::{
    BlockAck, BlockAckRequest, Control, Data, Direction, MacAddress, RxInfo, Sequence, fcs, llc, llc::Ethernet,
};

/// EtherType of MSDUs that a generator of the cell has made: for local experiments. 802-2014, 9.2.4.
const EXPERIMENTAL: u16 = 0x88b5;

/// The first address follows frame control and duration. 9.2.4.3.
const RECEIVER: Range<usize> = 4..10;

/// Traffic identifier of best effort.
const TID: u8 = 0;

impl Cell {
    /// Gives `station` a whole 802.11 frame without FCS to send as it is: a raw frame.
    ///
    /// It is acknowledged if its receiver is a station of this cell, sent again if its receiver is none, and not answered if that is a
    /// group. A buffer is in use until [`Done`](super::CellOutput::Done).
    ///
    /// # Errors
    /// When its transmit buffers are used up.
    pub fn inject(&mut self, now: Instant, station: StationId, frame: Packet) -> Result<(), Refused> {
        self.inject_payload(now, station, frame, 0)
    }

    /// The same with a frame that carries `payload` octets of an application, as the trace tells.
    ///
    /// # Errors
    /// When its transmit buffers are used up.
    pub fn inject_payload(
        &mut self,
        now: Instant,
        station: StationId,
        frame: Packet,
        payload: u16,
    ) -> Result<(), Refused> {
        let sender = &self.stations[station.index()];
        if sender.room() == 0 {
            return Err(Refused::Full(frame));
        }
        let phy = sender.config.raw_phy;
        let single = Single { payload, ..self.single(phy, frame, true) };
        self.roused(station, now);
        self.stations[station.index()].push_single(single);
        self.wants(contend::singles(station), now);
        Ok(())
    }

    /// `frame` without FCS as one that is sent on its own at `phy`.
    pub(super) fn single(&self, phy: Phy, frame: Packet, buffered: bool) -> Single {
        // A frame too short to have one is for nobody.
        let receiver = frame.get(RECEIVER);
        let unicast = receiver.is_some_and(|address| address[0] & 1 == 0);
        let to = self.stations.iter().find(|other| receiver == Some(&other.config.address[..])).map(|other| other.id());
        let octets = (frame.len() + fcs::OCTETS) as u16;
        Single {
            to,
            unicast,
            phy,
            octets,
            frame,
            failures: 0,
            payload: 0,
            arrived: false,
            came_again: false,
            buffered,
            beacon: false,
            asks: false,
            dozes: None,
        }
    }

    /// Makes `station` hear everything on its channel, or ends that.
    pub fn listen(&mut self, station: StationId, promiscuous: bool) {
        self.stations[station.index()].promiscuous = promiscuous;
        self.listening = self.stations.iter().any(|station| station.promiscuous);
    }

    /// A PPDU that was alone on the channel is over: who listens hears what of it has arrived.
    pub(super) fn overhear(&mut self, sending: &Sending) {
        match sending.what {
            What::Data { flow, sent, arrived, .. } => {
                let aggregated = sent.count_ones() > 1;
                for index in (0..64).filter(|index| arrived & (1 << index) != 0) {
                    let frame = self.data_frame(sending, flow, index, aggregated);
                    self.hear(sending.station, frame, sending.phy, aggregated);
                }
            }
            What::Request { flow, arrives: true } => {
                let (receiver, transmitter, start) = self.agreement(sending.station, flow);
                let request = BlockAckRequest { receiver, transmitter, tid: TID, start };
                self.hear_control(sending.station, Control::BlockAckRequest(request), sending.phy);
            }
            What::Single { arrives: true } => {
                let Some(single) = self.stations[sending.station.index()].singles.front() else { return };
                let frame = self.pool.copy(&single.frame);
                self.hear(sending.station, frame, sending.phy, false);
            }
            What::Request { .. } | What::Single { .. } => {}
        }
    }

    /// An exchange is over: who listens has heard its response.
    pub(super) fn overhear_response(&mut self, sending: &Sending) {
        let (Answer::Sent(_), Some(to)) = (sending.answer, sending.to) else { return };
        let phy = self.config.timing.response_phy(sending.phy);
        if let Some(rts) = sending.rts {
            let (receiver, timing) = (self.address(sending.station), &self.config.timing);
            let left = self.reserved_until(sending, rts) - (sending.end + timing.sifs + timing.cts(sending.phy));
            return self.hear_control(to, Control::Cts { receiver, duration_us: whole_us(left) }, phy);
        }
        let (flow, sent, arrived) = match sending.what {
            What::Data { flow, sent, arrived, .. } if sent.count_ones() > 1 => (flow, sent, arrived),
            What::Request { flow, .. } => {
                (flow, self.stations[sending.station.index()].flows[flow].originator.asked(), 0)
            }
            What::Data { .. } | What::Single { .. } => {
                let receiver = self.address(sending.station);
                return self.hear_control(to, Control::Ack { receiver }, phy);
            }
        };
        let (transmitter, receiver, start) = self.agreement(sending.station, flow);
        let bitmap = self.stations[sending.station.index()].scoreboard(flow, sent, arrived);
        let block_ack = BlockAck { receiver, transmitter, tid: TID, start, bitmap };
        self.hear_control(to, Control::BlockAck(block_ack), phy);
    }

    /// An RTS that was alone on the channel is over: who listens has heard it.
    pub(super) fn overhear_rts(&mut self, sending: &Sending, rts: Rts) {
        let transmitter = self.address(sending.station);
        let Some(receiver) = self.receiver(sending) else { return };
        let duration_us = whole_us(self.reserved_until(sending, rts) - sending.end);
        let phy = self.config.timing.response_phy(sending.phy);
        self.hear_control(sending.station, Control::Rts { receiver, transmitter, duration_us }, phy);
    }

    /// Receiver of a PPDU: a station of this cell, or the one that a raw frame names.
    fn receiver(&self, sending: &Sending) -> Option<MacAddress> {
        if let Some(to) = sending.to {
            return Some(self.address(to));
        }
        let single = self.stations[sending.station.index()].singles.front()?;
        let address = single.frame.get(RECEIVER)?;
        address.try_into().ok().map(MacAddress)
    }

    /// Receiver, sender and oldest MPDU of a flow.
    fn agreement(&self, station: StationId, flow: usize) -> (MacAddress, MacAddress, Sequence) {
        let flow = &self.stations[station.index()].flows[flow];
        (self.address(flow.to), self.address(station), Sequence::new((flow.originator.first() & 0xfff) as u16, 0))
    }

    /// MAC address of `station`.
    pub fn address(&self, station: StationId) -> MacAddress {
        MacAddress(self.stations[station.index()].config.address)
    }

    /// The MPDU at place `index` of a window, without FCS.
    fn data_frame(&self, sending: &Sending, flow: usize, index: u32, aggregated: bool) -> Packet {
        let sender = &self.stations[sending.station.index()];
        let flow = &sender.flows[flow];
        let (mpdu, number) = (flow.originator.mpdu(index), flow.originator.first().wrapping_add(index));
        let timing = &self.config.timing;
        let response = if aggregated { timing.block_ack(sending.phy) } else { timing.ack(sending.phy) };
        let access_point = self.config.access_point;
        let zeros = self.zeros(usize::from(mpdu.octets));
        let ends = (self.address(flow.to), self.address(sending.station));
        let overhead = usize::from(sender.mpdu_octets(llc::ETHERNET_OCTETS));
        let ethernet =
            |msdu, octets: u16| ethernet_or_zeros(msdu, ends, &zeros[..usize::from(octets).saturating_sub(overhead)]);
        let mut frame = self.pool.packet();
        let data = Data {
            direction: if sending.station == access_point { Direction::FromDs } else { Direction::ToDs },
            bssid: self.address(access_point),
            ethernet: ethernet(mpdu.msdu.as_ref(), mpdu.first_octets),
            sequence: Sequence::new((number & 0xfff) as u16, 0),
            tid: Some(TID),
            retry: mpdu.is_repeated(),
            ccmp: sender.config.encrypted.then_some(u64::from(number) + 1),
            duration_us: (timing.sifs + response).as_micros() as u16,
        };
        if mpdu.more.is_empty() {
            data.emit(&mut frame);
        } else {
            data.emit_amsdu(&mut frame, mpdu.more.iter().map(|joined| ethernet(joined.msdu.as_ref(), joined.octets)));
        }
        frame
    }

    fn zeros(&self, octets: usize) -> Packet {
        let mut zeros = self.pool.packet();
        zeros.resize(octets);
        zeros
    }

    fn hear_control(&mut self, from: StationId, control: Control<'_>, phy: Phy) {
        let mut frame = self.pool.packet();
        control.emit(&mut frame);
        self.hear(from, frame, phy, false);
    }

    /// Whoever listens, but for `from` itself, has heard `frame`.
    fn hear(&mut self, from: StationId, mut frame: Packet, phy: Phy, aggregated: bool) {
        fcs::append(&mut frame, 0);
        let rssi_dbm = self.stations[from.index()].config.rssi_dbm;
        let info = RxInfo { rssi_dbm, channel: self.config.channel, phy, aggregated };
        for listener in self.stations.iter().filter(|station| station.promiscuous && station.id() != from) {
            self.outbox.heard(listener.id(), frame.duplicate(), info);
        }
    }
}

/// The MSDU as an Ethernet frame. Of a repetition whose MSDU has been handed over already, or one that a generator has made, it is `zeros` of
/// the same length between these `ends`.
fn ethernet_or_zeros<'a>(
    msdu: Option<&'a Packet>,
    (destination, source): (MacAddress, MacAddress),
    zeros: &'a [u8],
) -> Ethernet<'a> {
    let made = Ethernet { destination, source, ether_type: EXPERIMENTAL, payload: zeros };
    msdu.and_then(|msdu| Ethernet::parse(msdu)).unwrap_or(made)
}

/// A Duration field: a part of a microsecond is a whole one. 9.2.5.1.
fn whole_us(duration: Duration) -> u16 {
    duration.as_nanos().div_ceil(1_000) as u16
}
