//! Advertising: three primary channels per event, then what belongs to the kind of event.
//! Core 6.0, Vol 6, Part B, 4.4.2.
//!
//! A legacy event listens for a request after each packet. An extended event only points at its
//! auxiliary packet from the primary channels, and listens after that one.

mod parameters;
mod request;
mod turns;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant, Packet};

use super::address::DeviceAddress;
use super::extended::{AuxPtr, CONNECTABLE, EXTENDED, Extended, SCANNABLE};
use super::identity::Identities;
use super::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType};
use crate::air::{Phy, T_IFS};
use crate::ll::outbox::Outbox;
use crate::medium::{Listen, Place, Transmission};

pub use parameters::{ExtendedEvent, Filter, Kind, Parameters};
pub use request::Asked;
use turns::Turns;

/// Largest random delay between advertising events. Core 6.0, Vol 6, Part B, 4.4.2.2.1.
const DELAY_MAX: Duration = Duration::from_millis(10);
/// From the end of one PDU to the start of the next channel's. At most 10 ms; the value is assumed.
const CHANNEL_SPACING: Duration = Duration::from_micros(600);
/// Tolerance of T_IFS. Core 6.0, Vol 6, Part B, 4.1.1.
const T_IFS_TOLERANCE: Duration = Duration::from_micros(2);
/// Least time between a packet with an AuxPtr and the packet it points at: T_MAFS. Core 6.0, Vol 6, Part B, 4.1.2.
const T_MAFS: Duration = Duration::from_micros(300);
/// Longest a legacy advertising event takes: three channels, each with a scan request and response.
const LEGACY_EVENT_MAX: Duration = Duration::from_millis(5);
/// Payload octets of a CONNECT_IND or AUX_CONNECT_REQ: two addresses and 22 octets of LLData.
pub const CONNECT_OCTETS: u64 = 34;
/// Payload octets of ADV_EXT_IND as it is sent here: header, flags, ADI and AuxPtr.
const POINTER_OCTETS: u64 = 7;
/// Position behind the three primary channels.
const AUXILIARY: u8 = 3;
/// Longest from one event of high duty cycle directed advertising to the next, and how long it goes on at most.
/// Core 6.0, Vol 6, Part B, 4.4.2.4.3.
const HIGH_DUTY_INTERVAL: Duration = Duration::from_micros(3_750);
const HIGH_DUTY_MAX: Duration = Duration::from_millis(1_280);

/// Limits after which advertising is over by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// After this long, if it is limited.
    pub duration: Option<Duration>,
    /// After so many events, if they are limited.
    pub events: Option<u8>,
}

/// Reason that advertising was over by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Its time was up.
    Duration,
    /// Events are used up.
    Events,
}

/// The auxiliary packet of the running event.
#[derive(Clone, Copy, Debug)]
struct Auxiliary {
    at: Instant,
    channel: u8,
}

/// An enabled advertiser.
#[derive(Debug)]
pub struct Advertiser {
    parameters: Parameters,
    limits: Limits,
    delay: Stream,
    event: Instant,
    ends: Instant,
    /// The address shown in the running event.
    own: DeviceAddress,
    /// The address directed at in the running event.
    target: Option<DeviceAddress>,
    auxiliary: Auxiliary,
    /// Index of the channel whose PDU is due or on the air, 0..=2, or [`AUXILIARY`].
    index: u8,
    due: Instant,
    completed: u8,
    /// Set while the advertiser is between the start and the end of an event.
    pub active: bool,
    /// Set once the coming event has its turn at the radio, where activities take it from each other.
    pub(crate) has_turn: bool,
    turns: Turns,
}

impl Advertiser {
    /// Advertises from `now` on. Shows `own` until the first event says otherwise.
    pub fn new(parameters: Parameters, limits: Limits, own: DeviceAddress, delay: Stream, now: Instant) -> Self {
        // A host that costs no time may enable advertising at the very instant the controller was woken at,
        // and nothing happens twice at one wake-up.
        let first = now + Duration::from_micros(1);
        let high_duty = (parameters.kind == Kind::HighDutyDirected).then_some(HIGH_DUTY_MAX);
        let duration = limits.duration.into_iter().chain(high_duty).min();
        let mut advertiser = Self {
            parameters,
            limits,
            delay,
            event: first,
            ends: duration.map_or(Instant::FAR_FUTURE, |duration| first + duration),
            own,
            target: None,
            auxiliary: Auxiliary { at: first, channel: 0 },
            index: 0,
            due: first,
            completed: 0,
            active: false,
            has_turn: false,
            turns: Turns::default(),
        };
        advertiser.index = advertiser.next_channel(0).unwrap_or(0);
        advertiser
    }

    /// The address shown.
    pub fn own(&self) -> DeviceAddress {
        self.own
    }

    /// True if the address shown is a resolvable one that the controller has made.
    pub fn shows_made(&self) -> bool {
        let p = &self.parameters;
        p.own.is_resolvable() && self.own.is_resolvable() && Some(self.own.octets) != p.random
    }

    /// Parameters it was enabled with.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Parameters it was enabled with, to change from the next packet on.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    /// Events completed since it was enabled; the count stays at its largest value.
    pub fn completed(&self) -> u8 {
        self.completed
    }

    /// Instant at which it next needs the radio or the clock.
    pub fn deadline(&self) -> Instant {
        if self.active { self.due } else { self.due.min(self.ends) }
    }

    /// Reason that advertising is over by itself; none while it goes on.
    pub fn over(&self, now: Instant) -> Option<Over> {
        if self.active {
            None
        } else if self.limits.events.is_some_and(|events| self.completed >= events) {
            Some(Over::Events)
        } else {
            (now >= self.ends).then_some(Over::Duration)
        }
    }

    /// Longest an event takes, with a request and its answer.
    pub fn event_max(&self) -> Duration {
        let Kind::Extended(extended) = &self.parameters.kind else { return LEGACY_EVENT_MAX };
        let longest = |octets: usize| extended.secondary.packet(octets as u64 + 22);
        self.pointers(extended)
            + T_MAFS
            + longest(self.parameters.data.len())
            + T_IFS * 2
            + extended.secondary.packet(CONNECT_OCTETS)
            + longest(self.parameters.response.len())
    }

    /// From the start of the first packet on the primary channels to the end of the last.
    fn pointers(&self, extended: &ExtendedEvent) -> Duration {
        let channels = u64::from(self.parameters.channels.count_ones());
        extended.primary.packet(POINTER_OCTETS) * channels + CHANNEL_SPACING * (channels - 1)
    }

    fn next_channel(&self, from: u8) -> Option<u8> {
        (from..3).find(|index| self.parameters.channels >> index & 1 == 1)
    }

    /// Leaves out the event that is due.
    pub fn skip(&mut self) {
        self.schedule(self.due);
    }

    /// The next event begins behind `after`: one that takes longer than the interval costs the next one.
    fn schedule(&mut self, after: Instant) {
        self.active = false;
        self.has_turn = false;
        loop {
            let pause = self.pause();
            self.event += pause;
            if self.event > after {
                break;
            }
        }
        self.due = self.event;
        self.index = self.next_channel(0).unwrap_or(0);
    }

    /// From the start of one event to the start of the next.
    fn pause(&mut self) -> Duration {
        if self.parameters.kind == Kind::HighDutyDirected {
            return HIGH_DUTY_INTERVAL;
        }
        let delay = Duration::from_nanos(self.delay.below(DELAY_MAX.as_nanos()));
        self.turns.delayed(delay);
        self.parameters.interval + delay
    }

    /// Sends the PDU that is due and listens for an answer.
    pub fn send(&mut self, out: &mut Outbox, identities: &mut Identities, map: u64) {
        if !self.active {
            self.choose_addresses(identities);
        }
        self.active = true;
        match self.parameters.kind {
            Kind::Extended(extended) if self.index < AUXILIARY => self.send_pointer(out, &extended, map),
            Kind::Extended(extended) => self.send_auxiliary(out, &extended),
            _ => self.send_legacy(out),
        }
    }

    fn send_legacy(&mut self, out: &mut Outbox) {
        let kind = self.parameters.kind.pdu();
        let connectable = self.parameters.kind.is_connectable();
        let pdu = Advertising {
            kind,
            ch_sel: self.parameters.csa2 && connectable,
            sender: self.own,
            target: self.target,
            data: if kind == AdvertisingType::AdvDirectInd { &[] } else { &self.parameters.data },
        };
        let end = transmit(out, pdu.emit(out.pool()), 37 + self.index, Phy::Le1M, self.due);
        if kind == AdvertisingType::AdvNonconnInd {
            return self.go_on(end);
        }
        self.listen(out, 37 + self.index, Phy::Le1M, end);
    }

    /// ADV_EXT_IND. Core 6.0, Vol 6, Part B, 2.3.1.5 and 4.4.2.3.
    fn send_pointer(&mut self, out: &mut Outbox, extended: &ExtendedEvent, map: u64) {
        if Some(self.index) == self.next_channel(0) {
            let at = self.due + self.pointers(extended) + T_MAFS;
            self.auxiliary = Auxiliary { at, channel: self.choose_channel(map) };
        }
        let Auxiliary { at, channel } = self.auxiliary;
        let pdu = Extended {
            adi: Some(extended.adi()),
            aux: Some(AuxPtr::to(at - self.due, channel, extended.secondary, extended.clock_50_ppm)),
            ..Extended::new(EXTENDED, extended.mode())
        };
        let end = transmit(out, pdu.emit(out.pool()), 37 + self.index, extended.primary, self.due);
        self.go_on(end);
    }

    /// AUX_ADV_IND. Core 6.0, Vol 6, Part B, 2.3.1.6.
    fn send_auxiliary(&mut self, out: &mut Outbox, extended: &ExtendedEvent) {
        let pdu = Extended {
            advertiser: Some(self.own),
            target: self.target,
            adi: Some(extended.adi()),
            tx_power: extended.tx_power,
            // A scannable event has its data in the scan response.
            data: if extended.scannable { &[] } else { &self.parameters.data },
            ..Extended::new(EXTENDED, extended.mode())
        };
        let channel = self.auxiliary.channel;
        let end = transmit(out, pdu.emit(out.pool()), channel, extended.secondary, self.due);
        if extended.mode() & (CONNECTABLE | SCANNABLE) == 0 {
            return self.go_on(end);
        }
        self.listen(out, channel, extended.secondary, end);
    }

    fn listen(&mut self, out: &mut Outbox, channel: u8, phy: Phy, end: Instant) {
        out.listen(Some(reply_window(channel, phy, end)));
        self.due = Instant::FAR_FUTURE;
    }

    /// One of the channels in use, drawn anew for each event.
    fn choose_channel(&mut self, map: u64) -> u8 {
        let nth = self.delay.below(u64::from(map.count_ones().max(1))) as usize;
        (0..37u8).filter(|channel| map >> channel & 1 == 1).nth(nth).unwrap_or(0)
    }

    /// Private addresses change between events, not within one.
    fn choose_addresses(&mut self, identities: &mut Identities) {
        let p = &self.parameters;
        if let Some(own) = identities.own(self.due, p.own, p.random, Some(p.peer)) {
            self.own = own;
        }
        // A peer that has shown a private address is called by it. Core 6.0, Vol 6, Part B, 6.2.2.
        let shown = identities.resolving.peer_address(p.peer).filter(|_| p.own.is_resolvable());
        let target = shown.map_or(p.peer, DeviceAddress::random);
        self.target = p.kind.is_directed().then_some(target);
    }

    /// Nothing came back.
    pub fn missed(&mut self, now: Instant) {
        self.go_on(now);
    }

    fn go_on(&mut self, from: Instant) {
        match self.next_channel(self.index + 1) {
            Some(index) => {
                self.index = index;
                self.due = from + CHANNEL_SPACING;
            }
            None if self.index < AUXILIARY && matches!(self.parameters.kind, Kind::Extended(_)) => {
                self.index = AUXILIARY;
                self.due = self.auxiliary.at;
            }
            None => {
                self.completed = self.completed.saturating_add(1);
                self.schedule(from);
                // An event that outlasts the end is finished, and the end comes right behind it.
                if self.limits.events.is_some_and(|events| self.completed >= events) || from >= self.ends {
                    self.ends = from + Duration::from_micros(1);
                }
            }
        }
    }

    /// Channel and PHY of the packet that is due or on the air.
    fn place(&self) -> (u8, Phy) {
        match self.parameters.kind {
            Kind::Extended(extended) if self.index == AUXILIARY => (self.auxiliary.channel, extended.secondary),
            _ => (37 + self.index, Phy::Le1M),
        }
    }
}

/// Sends a packet of advertising, scanning or initiating; says when it ends.
pub fn transmit(out: &mut Outbox, packet: Packet, channel: u8, phy: Phy, start: Instant) -> Instant {
    let end = start + phy.packet(packet.len() as u64 - crate::air::HEADER_OCTETS);
    out.transmit(Transmission {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel,
        phy,
        start,
        end,
        unsent: Duration::ZERO,
        place: Place::Advertising,
        encrypted: false,
        packet,
    });
    end
}

/// The window in which a reply to a packet that ended at `end` begins.
pub fn reply_window(channel: u8, phy: Phy, end: Instant) -> Listen {
    Listen {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel,
        phy,
        from: end + T_IFS - T_IFS_TOLERANCE,
        until: end + T_IFS + T_IFS_TOLERANCE,
    }
}
