//! Connection set-up, in either direction: about: initiating, and being connected to. Core 6.0, Vol 6, Part B, 4.4.4
//! and 4.5.3.

use alloc::boxed::Box;

use airtime_core::{Duration, Instant};

use super::opening::Ends;
use super::outbox::Outbox;
use super::{CONNECTIONS_MAX, Controller, Holder};
use crate::air::{Phy, T_IFS};
use crate::hci::Status;
use crate::ll::access_address;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::advertising::{CONNECT_OCTETS, Kind, reply_window, transmit};
use crate::ll::connection::{NewConnection, Timing, phy_index};
use crate::ll::event::Heard;
use crate::ll::extended::{AUX_CONNECT_RSP, CONNECTABLE, EXTENDED, Extended};
use crate::ll::identity::Sender;
use crate::ll::pdu::{Advertising, AdvertisingType, ConnectData, UNIT_1_25_MS, UNIT_10_MS, sca_field};
use crate::ll::scanning::{Reception, Scanner};
use crate::words::Role;

/// From the end of a request for a connection to the start of the transmit window, before its offset.
/// Core 6.0, Vol 6, Part B, 4.5.3.
const fn transmit_window_delay(extended: bool, phy: Phy) -> Duration {
    match (extended, phy.is_coded()) {
        (false, _) => UNIT_1_25_MS,
        (true, false) => Duration::from_micros(2 * 1250),
        (true, true) => Duration::from_micros(3 * 1250),
    }
}

/// A pending connection attempt.
#[derive(Debug)]
pub(super) struct Initiator {
    pub scanner: Scanner,
    /// Device to connect to; none takes any device of the Filter Accept List.
    pub peer: Option<DeviceAddress>,
    pub own: OwnAddress,
    /// Link parameters by the PHY a connection begins on: 1M, 2M, Coded.
    pub timings: [Option<Timing>; 3],
    /// Anchor of the link behind which the new one goes, as the scan of this controller has found it.
    pub follows: Option<Instant>,
    /// An AUX_CONNECT_REQ that waits for its answer.
    pub asked: Option<Box<(NewConnection, Ends)>>,
}

impl Initiator {
    /// Listens for advertisers; an answer that is still awaited does not come any more.
    pub(super) fn listen(&mut self, out: &mut Outbox, now: Instant, before: Instant) -> bool {
        self.asked = None;
        self.scanner.listen(out, now, before)
    }

    /// The link parameters of a connection that begins on this PHY: those of 1M where none were given.
    fn timing(&self, phy: Phy) -> Option<Timing> {
        let [on_1m, ..] = self.timings;
        self.timings[phy_index(phy)].or(on_1m).or_else(|| self.timings.into_iter().flatten().next())
    }
}

/// An advertiser that takes connections.
struct Connectable {
    advertiser: DeviceAddress,
    target: Option<DeviceAddress>,
    ch_sel: bool,
    extended: bool,
}

impl Connectable {
    fn parse(bytes: &[u8], channel: u8) -> Option<Self> {
        if let Some(pdu) = Extended::parse(bytes) {
            // A packet that points on is none to answer.
            let answers = pdu.kind == EXTENDED && pdu.mode & CONNECTABLE != 0 && channel < 37;
            let advertiser = pdu.advertiser.filter(|_| answers)?;
            return Some(Self { advertiser, target: pdu.target, ch_sel: true, extended: true });
        }
        let pdu = Advertising::parse(bytes)?;
        let answers = matches!(pdu.kind, AdvertisingType::AdvInd | AdvertisingType::AdvDirectInd);
        let Advertising { sender: advertiser, target, ch_sel, .. } = pdu;
        answers.then_some(Self { advertiser, target, ch_sel, extended: false })
    }
}

impl Controller {
    /// Instant at which scanning or initiating next has something to do while nobody holds the radio.
    pub(super) fn background_due(&self) -> Instant {
        if self.holder != Holder::Nobody {
            return Instant::FAR_FUTURE;
        }
        let scanners = self.initiator.as_ref().map(|i| &i.scanner).into_iter().chain(self.scanning.scanner());
        let resumes = |s: &Scanner| [s.resumes(self.rested), s.takes(&self.personality)].into_iter();
        let due = scanners.flat_map(resumes).filter(|at| *at > self.rested);
        due.min().unwrap_or(Instant::FAR_FUTURE)
    }

    /// The initiator has heard something: a connection begins if it is whom we look for.
    pub(super) fn initiator_heard(&mut self, channel: u8, heard: Heard<'_>) {
        let at = Reception { heard, channel, before: self.needed(heard.end) };
        self.holder = Holder::Nobody;
        let Some(initiator) = &mut self.initiator else { return };
        if let Some(asked) = initiator.asked.take() {
            return self.confirmed(&asked, heard);
        }
        if initiator.scanner.follow_to_connect(&mut self.out, &at) {
            self.holder = Holder::Initiator;
            return;
        }
        let Some(found) = heard.pdu.and_then(|bytes| Connectable::parse(bytes, channel)) else { return };
        if found.extended && !initiator.scanner.setup().extended {
            return;
        }
        self.request_connection(&found, &at);
    }

    /// Sends CONNECT_IND or AUX_CONNECT_REQ to an advertiser, if it is wanted and there is time.
    fn request_connection(&mut self, found: &Connectable, at: &Reception<'_>) {
        let heard = at.heard;
        let Some(initiator) = &self.initiator else { return };
        let Some((peer, true)) =
            initiator.scanner.processes(&mut self.identities, found.advertiser, found.target, heard.end)
        else {
            return;
        };
        let phy = heard.phy;
        if !self.is_wanted(initiator, &peer) || !initiator.scanner.can_connect(heard.end, phy, at.before) {
            return;
        }
        let Some(timing) = initiator.timing(phy) else { return };
        let Some(own) = initiator.scanner.own(&mut self.identities, heard.end, &peer) else { return };
        let ends = Ends { own, own_is_made: initiator.own.is_resolvable() && own.is_resolvable(), peer };
        let Some(slot) = self.free_slot() else { return };
        let start = heard.end + T_IFS;
        let mut data = self.connect_data(timing);
        let created = start + phy.packet(CONNECT_OCTETS);
        let delay = transmit_window_delay(found.extended, phy);
        let (win_offset, into) = self.window_offset(created + delay, timing.interval);
        data.win_offset = win_offset;
        let mut bytes = self.out.pool().packet();
        data.emit(&mut bytes);
        let request = Advertising {
            kind: AdvertisingType::ConnectInd,
            ch_sel: self.personality.csa2 && !found.extended,
            sender: own,
            target: Some(found.advertiser),
            data: &bytes,
        };
        let packet = request.emit(self.out.pool());
        let ended = transmit(&mut self.out, packet, at.channel, phy, start);
        debug_assert_eq!(ended, created);
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Central,
            peer: peer.address(),
            data,
            csa2: self.personality.csa2 && found.ch_sel,
            phy,
            created,
            window_start: created + delay + UNIT_1_25_MS * u64::from(win_offset) + into,
            own_ppm: 0,
            offer: self.defaults.offer(),
            phys: self.defaults.phys(),
            subrates: self.defaults.subrates(),
        };
        if !found.extended {
            self.initiator = None;
            return self.open(slot, &new, &ends);
        }
        if let Some(initiator) = &mut self.initiator {
            initiator.asked = Some(Box::new((new, ends)));
            self.out.listen(Some(reply_window(at.channel, phy, created)));
            self.holder = Holder::Initiator;
        }
    }

    /// Takes the packet that came instead of, or as, an AUX_CONNECT_RSP. Core 6.0, Vol 6, Part B, 4.4.4.3.
    fn confirmed(&mut self, asked: &(NewConnection, Ends), heard: Heard<'_>) {
        let (new, ends) = asked;
        let Some(pdu) = heard.pdu.and_then(Extended::parse) else { return };
        let ours = pdu.advertiser == Some(ends.peer.shown) && pdu.target == Some(ends.own);
        if pdu.kind != AUX_CONNECT_RSP || !ours {
            return;
        }
        let Some(slot) = self.free_slot() else { return };
        self.initiator = None;
        self.open(slot, &NewConnection { handle: slot as u16, ..*new }, ends);
    }

    /// Tells if the initiator looks for this device. Core 6.0, Vol 6, Part B, 4.3.4.
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
            channel_map: self.defaults.channel_map(),
            hop: 5 + self.chance.below(12) as u8,
            sca: sca_field(self.personality.clock_ppm),
        }
    }

    /// Offset of a further connection in the interval, and how far into its transmit window the first packet goes: `link_spacing`
    /// behind the connection before, on the grid of 1.25 ms where events are planned, anywhere where they are cut.
    fn window_offset(&self, earliest: Instant, interval: Duration) -> (u16, Duration) {
        let mut ours = self.connections.iter().flatten().filter(|c| c.role == Role::Central);
        let Some(last) = ours.next_back() else { return (0, Duration::ZERO) };
        let period = last.timing.interval.min(interval);
        let follows = self.initiator.as_ref().and_then(|initiator| initiator.follows);
        let wanted = follows.unwrap_or(last.anchor) + self.personality.link_spacing;
        // Distance from the earliest window to the wanted anchor, modulo the shorter interval.
        let ahead = if wanted >= earliest {
            (wanted - earliest) % period
        } else {
            let behind = (earliest - wanted) % period;
            if behind.is_zero() { behind } else { period - behind }
        };
        let (units, into) = if self.personality.prepare_lead.is_some() {
            (ahead / UNIT_1_25_MS, ahead % UNIT_1_25_MS)
        } else {
            (ahead.as_nanos().div_ceil(UNIT_1_25_MS.as_nanos()), Duration::ZERO)
        };
        ((units % (interval / UNIT_1_25_MS)) as u16, into)
    }

    /// A request for a connection with our advertiser has come.
    pub(super) fn accept_connection(&mut self, now: Instant, pdu: &Advertising<'_>, peer: Sender, heard: Heard<'_>) {
        let data = ConnectData::parse(pdu.data).filter(|data| self.slot_of(data.access_address).is_none());
        if self.advertising.running_mut().active().is_none() {
            return;
        }
        let Some((data, slot)) = data.zip(self.free_slot()) else { return self.advertise_on(now) };
        let Some(advertiser) = self.advertising.running_mut().take_active() else { return };
        self.holder = Holder::Nobody;
        let extended = matches!(advertiser.parameters().kind, Kind::Extended(_));
        if extended {
            advertiser.confirm(&mut self.out, pdu, heard.end);
        }
        let delay = transmit_window_delay(extended, heard.phy);
        let new = NewConnection {
            handle: slot as u16,
            role: Role::Peripheral,
            peer: peer.address(),
            data,
            csa2: extended || (advertiser.parameters().csa2 && pdu.ch_sel),
            phy: heard.phy,
            created: heard.end,
            window_start: heard.end + delay + UNIT_1_25_MS * u64::from(data.win_offset),
            own_ppm: self.personality.clock_ppm,
            offer: self.defaults.offer(),
            phys: self.defaults.phys(),
            subrates: self.defaults.subrates(),
        };
        self.open(slot, &new, &Ends { own: advertiser.own(), own_is_made: advertiser.shows_made(), peer });
        self.report_terminated(&advertiser, Status::SUCCESS, new.handle);
    }

    /// Resumes the advertising event after a request for a connection that cannot have one.
    fn advertise_on(&mut self, now: Instant) {
        if let Some(advertiser) = self.advertising.running_mut().active() {
            advertiser.missed(now);
            self.holder = if advertiser.active { Holder::Advertiser } else { Holder::Nobody };
        }
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
