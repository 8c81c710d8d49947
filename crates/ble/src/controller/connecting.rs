//! How connections come about: initiating, and being connected to. Core 6.0, Vol 6, Part B, 4.4.4 and 4.5.3.

use alloc::boxed::Box;

use airtime_core::{Duration, Instant};

use super::{CONNECTIONS_MAX, Controller, Holder};
use crate::air::T_IFS;
use crate::hci::{Status, event};
use crate::host::{Address, Role};
use crate::ll::access_address;
use crate::ll::advertising::transmit;
use crate::ll::connection::{Connection, NewConnection, Timing};
use crate::ll::event::Heard;
use crate::ll::pdu::{Advertising, AdvertisingType, ConnectData, SCA_PPM, UNIT_1_25_MS, UNIT_10_MS, sca_field};
use crate::ll::scanning::Scanner;
use crate::trace::Trace;

/// From the end of a CONNECT_IND to the start of the transmit window, before its offset.
/// Core 6.0, Vol 6, Part B, 4.5.3.
const TRANSMIT_WINDOW_DELAY: Duration = UNIT_1_25_MS;

/// A pending connection attempt.
#[derive(Debug)]
pub(super) struct Initiator {
    pub scanner: Scanner,
    pub peer: Address,
    pub own: Address,
    pub timing: Timing,
}

impl Controller {
    /// When scanning or initiating next has something to do while nobody holds the radio.
    pub(super) fn background_due(&self) -> Instant {
        let scanners = self.initiator.as_ref().map(|i| &i.scanner).into_iter().chain(self.scanner.as_ref());
        match self.holder {
            Holder::Nobody => scanners
                .map(|s| s.resumes(self.rested))
                .filter(|at| *at > self.rested)
                .min()
                .unwrap_or(Instant::FAR_FUTURE),
            _ => Instant::FAR_FUTURE,
        }
    }

    /// The initiator has heard something: a connection begins if it is whom we look for.
    pub(super) fn initiator_heard(&mut self, channel: u8, heard: Heard<'_>) {
        let before = self.needed();
        self.holder = Holder::Nobody;
        let Some(initiator) = &self.initiator else { return };
        let Some(pdu) = heard.pdu.and_then(Advertising::parse) else { return };
        let found = pdu.kind == AdvertisingType::AdvInd && pdu.sender == initiator.peer;
        if !found || !initiator.scanner.can_connect(heard.end, before) {
            return;
        }
        let (peer, own, timing) = (initiator.peer, initiator.own, initiator.timing);
        let Some(slot) = self.free_slot() else { return };
        self.initiator = None;
        let start = heard.end + T_IFS;
        let mut data = self.connect_data(timing);
        let request_end = start + crate::ll::advertising::CONNECT_IND_TIME;
        data.win_offset = self.window_offset(request_end, timing.interval);
        let mut bytes = self.out.pool().packet();
        data.emit(&mut bytes);
        let request = Advertising {
            kind: AdvertisingType::ConnectInd,
            ch_sel: self.personality.csa2,
            sender: own,
            target: Some(peer),
            data: &bytes,
        };
        let created = transmit(&mut self.out, &request, channel, start);
        debug_assert_eq!(created, request_end);
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Central,
            peer,
            data,
            csa2: self.personality.csa2 && pdu.ch_sel,
            created,
            window_start: created + TRANSMIT_WINDOW_DELAY + UNIT_1_25_MS * u64::from(data.win_offset),
            own_ppm: 0,
            offer: self.settings.offer,
            phys: self.settings.phys,
        };
        self.open(slot, &new);
    }

    fn connect_data(&mut self, timing: Timing) -> ConnectData {
        let access_address = access_address::choose(|| self.chance.bits() as u32);
        ConnectData {
            access_address,
            crc_init: self.chance.bits() as u32 & 0xff_ffff,
            win_size: 1,
            win_offset: 0,
            interval: (timing.interval / UNIT_1_25_MS) as u16,
            latency: timing.latency,
            timeout: (timing.timeout / UNIT_10_MS) as u16,
            channel_map: self.settings.channel_map,
            hop: 5 + self.chance.below(12) as u8,
            sca: sca_field(self.personality.clock_ppm),
        }
    }

    /// Where in the interval a further connection goes: `link_spacing` behind the one before.
    fn window_offset(&self, request_end: Instant, interval: Duration) -> u16 {
        let mut ours = self.connections.iter().flatten().filter(|c| c.role == Role::Central);
        let Some(last) = ours.next_back() else { return 0 };
        let period = last.timing.interval.min(interval);
        let earliest = request_end + TRANSMIT_WINDOW_DELAY;
        let wanted = last.anchor + self.personality.link_spacing;
        // Distance from the earliest window to the wanted anchor, modulo the shorter interval.
        let ahead = if wanted >= earliest {
            (wanted - earliest) % period
        } else {
            let behind = (earliest - wanted) % period;
            if behind.is_zero() { behind } else { period - behind }
        };
        (ahead.as_nanos().div_ceil(UNIT_1_25_MS.as_nanos()) % (interval / UNIT_1_25_MS)) as u16
    }

    /// A CONNECT_IND for our advertiser has come.
    pub(super) fn accept_connection(&mut self, now: Instant, pdu: &Advertising<'_>, heard: Heard<'_>) {
        let data = ConnectData::parse(pdu.data).filter(|data| self.slot_of(data.access_address).is_none());
        let Some((data, slot)) = data.zip(self.free_slot()) else { return self.advertise_on(now) };
        let Some(advertiser) = self.advertiser.take() else { return };
        self.holder = Holder::Nobody;
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Peripheral,
            peer: pdu.sender,
            data,
            csa2: advertiser.csa2() && pdu.ch_sel,
            created: heard.end,
            window_start: heard.end + TRANSMIT_WINDOW_DELAY + UNIT_1_25_MS * u64::from(data.win_offset),
            own_ppm: self.personality.clock_ppm,
            offer: self.settings.offer,
            phys: self.settings.phys,
        };
        self.open(slot, &new);
    }

    /// What asked for a connection cannot have one: the advertising event goes on.
    fn advertise_on(&mut self, now: Instant) {
        if let Some(advertiser) = self.advertiser.as_mut() {
            advertiser.missed(now);
            self.holder = if advertiser.active { Holder::Advertiser } else { Holder::Nobody };
        }
    }

    fn open(&mut self, slot: usize, new: &NewConnection) {
        let connection = Connection::new(new);
        self.out.trace(Trace::ConnectionOpened { link: connection.link, role: new.role, handle: new.handle });
        let mut packet = event::le_event(self.out.pool(), event::LE_CONNECTION_COMPLETE);
        packet.put_u8(Status::SUCCESS.0);
        packet.put_u16(new.handle);
        packet.put(&[if new.role == Role::Central { 0 } else { 1 }, 0]);
        packet.put(&new.peer);
        packet.put_u16(new.data.interval);
        packet.put_u16(new.data.latency);
        packet.put_u16(new.data.timeout);
        // The accuracy counts from the central's side only; a peripheral's is not known to its central.
        packet.put_u8(if new.role == Role::Peripheral { new.data.sca } else { 0 });
        self.out.le_event(event::finish(packet));
        let mut packet = event::le_event(self.out.pool(), event::LE_CHANNEL_SELECTION_ALGORITHM);
        packet.put_u16(new.handle);
        packet.put_u8(u8::from(new.csa2));
        self.out.le_event(event::finish(packet));
        debug_assert!(usize::from(new.data.sca) < SCA_PPM.len());
        self.connections[slot] = Some(Box::new(connection));
    }

    pub(super) fn free_slot(&mut self) -> Option<usize> {
        let free = self.connections.iter().position(Option::is_none);
        free.or_else(|| {
            (self.connections.len() < CONNECTIONS_MAX).then(|| {
                self.connections.push(None);
                self.connections.len() - 1
            })
        })
    }
}
