//! How connections come about: initiating, and being connected to. Core 6.0, Vol 6, Part B, 4.4.4 and 4.5.3.

use alloc::boxed::Box;

use airtime_core::{Duration, Instant};

use super::{CONNECTIONS_MAX, Controller, Holder};
use crate::air::T_IFS;
use crate::hci::{Status, event};
use crate::host::Role;
use crate::ll::access_address;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::advertising::transmit;
use crate::ll::connection::{Connection, NewConnection, Timing};
use crate::ll::event::Heard;
use crate::ll::identity::Sender;
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
    /// Whom to connect to; none takes any device of the Filter Accept List.
    pub peer: Option<DeviceAddress>,
    pub own: OwnAddress,
    pub timing: Timing,
}

/// The two ends of a new connection, as they have shown themselves.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// Own address.
    own: DeviceAddress,
    /// Whether that is a resolvable address the controller has made.
    own_is_made: bool,
    /// The other end.
    peer: Sender,
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
        let Some(peer) = self.identities.sender(pdu.sender) else { return };
        if !self.is_wanted(initiator, &peer) || !initiator.scanner.can_connect(heard.end, before) {
            return;
        }
        let timing = initiator.timing;
        let Some(own) = initiator.scanner.own(&mut self.identities, heard.end, &peer) else { return };
        let for_us = match pdu.kind {
            AdvertisingType::AdvInd => true,
            AdvertisingType::AdvDirectInd => pdu.target.is_some_and(|target| self.identities.is_for(target, Some(own))),
            _ => false,
        };
        if !for_us {
            return;
        }
        let ends = Ends { own, own_is_made: initiator.own.is_resolvable() && own.is_resolvable(), peer };
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
            target: Some(pdu.sender),
            data: &bytes,
        };
        let created = transmit(&mut self.out, &request, channel, start);
        debug_assert_eq!(created, request_end);
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Central,
            peer: peer.address(),
            data,
            csa2: self.personality.csa2 && pdu.ch_sel,
            created,
            window_start: created + TRANSMIT_WINDOW_DELAY + UNIT_1_25_MS * u64::from(data.win_offset),
            own_ppm: 0,
            offer: self.settings.offer,
            phys: self.settings.phys,
        };
        self.open(slot, &new, &ends);
    }

    /// Whether the initiator looks for this device. Core 6.0, Vol 6, Part B, 4.3.4.
    fn is_wanted(&self, initiator: &Initiator, peer: &Sender) -> bool {
        match initiator.peer {
            Some(wanted) => peer.is(wanted),
            None => {
                let connected = self.connections.iter().flatten().any(|c| c.peer == peer.address());
                !connected && self.identities.accepts(peer)
            }
        }
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
    pub(super) fn accept_connection(&mut self, now: Instant, pdu: &Advertising<'_>, peer: Sender, heard: Heard<'_>) {
        let data = ConnectData::parse(pdu.data).filter(|data| self.slot_of(data.access_address).is_none());
        let Some((data, slot)) = data.zip(self.free_slot()) else { return self.advertise_on(now) };
        let Some(advertiser) = self.advertiser.take() else { return };
        self.holder = Holder::Nobody;
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Peripheral,
            peer: peer.address(),
            data,
            csa2: advertiser.csa2() && pdu.ch_sel,
            created: heard.end,
            window_start: heard.end + TRANSMIT_WINDOW_DELAY + UNIT_1_25_MS * u64::from(data.win_offset),
            own_ppm: self.personality.clock_ppm,
            offer: self.settings.offer,
            phys: self.settings.phys,
        };
        let own = advertiser.own();
        self.open(slot, &new, &Ends { own, own_is_made: advertiser.shows_made(), peer });
    }

    /// What asked for a connection cannot have one: the advertising event goes on.
    fn advertise_on(&mut self, now: Instant) {
        if let Some(advertiser) = self.advertiser.as_mut() {
            advertiser.missed(now);
            self.holder = if advertiser.active { Holder::Advertiser } else { Holder::Nobody };
        }
    }

    fn open(&mut self, slot: usize, new: &NewConnection, ends: &Ends) {
        let connection = Connection::new(new);
        self.out.trace(Trace::ConnectionOpened { link: connection.link, role: new.role, handle: new.handle });
        self.report_connection(new, ends);
        let mut packet = event::le_event(self.out.pool(), event::LE_CHANNEL_SELECTION_ALGORITHM);
        packet.put_u16(new.handle);
        packet.put_u8(u8::from(new.csa2));
        self.out.le_event(event::finish(packet));
        debug_assert!(usize::from(new.data.sca) < SCA_PPM.len());
        self.connections[slot] = Some(Box::new(connection));
    }

    /// LE Enhanced Connection Complete `[v1]` to a host that takes it, else LE Connection Complete.
    /// Core 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
    fn report_connection(&mut self, new: &NewConnection, ends: &Ends) {
        let enhanced = self.out.wants_le(event::LE_ENHANCED_CONNECTION_COMPLETE);
        let code = if enhanced { event::LE_ENHANCED_CONNECTION_COMPLETE } else { event::LE_CONNECTION_COMPLETE };
        let peer = ends.peer;
        let mut packet = event::le_event(self.out.pool(), code);
        packet.put_u8(Status::SUCCESS.0);
        packet.put_u16(new.handle);
        packet.put_u8(if new.role == Role::Central { 0 } else { 1 });
        packet.put_u8(if enhanced { peer.hci_kind() } else { peer.address().kind as u8 });
        packet.put(&peer.address().octets);
        if enhanced {
            packet.put(&if ends.own_is_made { ends.own.octets } else { [0; 6] });
            packet.put(&if peer.identity.is_some() { peer.shown.octets } else { [0; 6] });
        }
        packet.put_u16(new.data.interval);
        packet.put_u16(new.data.latency);
        packet.put_u16(new.data.timeout);
        // The accuracy counts from the central's side only; a peripheral's is not known to its central.
        packet.put_u8(if new.role == Role::Peripheral { new.data.sca } else { 0 });
        self.out.le_event(event::finish(packet));
    }

    /// An attempt that came to nothing ends with a Connection Complete that says why.
    pub(super) fn report_no_connection(&mut self, status: Status, role: Role) {
        let enhanced = self.out.wants_le(event::LE_ENHANCED_CONNECTION_COMPLETE);
        let code = if enhanced { event::LE_ENHANCED_CONNECTION_COMPLETE } else { event::LE_CONNECTION_COMPLETE };
        let mut packet = event::le_event(self.out.pool(), code);
        packet.put_u8(status.0);
        packet.put_u16(0);
        packet.put_u8(if role == Role::Central { 0 } else { 1 });
        packet.put(&[0; 14]);
        packet.put(if enhanced { &[0; 12] } else { &[] });
        self.out.le_event(event::finish(packet));
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
