//! Legacy advertising: three channels per event, a scan response, a CONNECT_IND.
//! Core 6.0, Vol 6, Part B, 4.4.2.

use alloc::vec::Vec;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

use super::address::{DeviceAddress, OwnAddress};
use super::identity::{Identities, Sender};
use super::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType};
use crate::air::{Phy, T_IFS};
use crate::controller::outbox::Outbox;
use crate::host::Address;
use crate::medium::{Listen, Place, Transmission};

/// Largest random delay between advertising events. Core 6.0, Vol 6, Part B, 4.4.2.2.1.
const DELAY_MAX: Duration = Duration::from_millis(10);
/// From the end of one PDU to the start of the next channel's. At most 10 ms; the value is assumed.
const CHANNEL_SPACING: Duration = Duration::from_micros(600);
/// Tolerance of T_IFS. Core 6.0, Vol 6, Part B, 4.1.1.
const T_IFS_TOLERANCE: Duration = Duration::from_micros(2);
/// Longest an advertising event takes: three channels, each with a scan request and response.
pub const EVENT_MAX: Duration = Duration::from_millis(5);
/// Time of a CONNECT_IND: two addresses and 22 octets of LLData on 1M.
pub const CONNECT_IND_TIME: Duration = Phy::Le1M.packet(34);
/// Longest from one event of high duty cycle directed advertising to the next, and how long it goes on at most.
/// Core 6.0, Vol 6, Part B, 4.4.2.4.3.
const HIGH_DUTY_INTERVAL: Duration = Duration::from_micros(3_750);
const HIGH_DUTY_MAX: Duration = Duration::from_millis(1_280);

/// Whose requests an advertiser answers. Core 6.0, Vol 6, Part B, 4.3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Scan requests only from devices of the Filter Accept List.
    pub scan_requests: bool,
    /// Connection requests only from devices of the Filter Accept List.
    pub connection_requests: bool,
}

impl Filter {
    /// From Advertising_Filter_Policy, 0..=3.
    pub const fn from_hci(policy: u8) -> Self {
        Self { scan_requests: policy & 1 != 0, connection_requests: policy & 2 != 0 }
    }
}

/// What the host has set up.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Between events, before the random delay.
    pub interval: Duration,
    /// ADV_IND, ADV_SCAN_IND, ADV_NONCONN_IND or ADV_DIRECT_IND.
    pub kind: AdvertisingType,
    /// Directed advertising without pauses, for a short time.
    pub high_duty: bool,
    /// Channels 37, 38, 39 in bits 0, 1, 2.
    pub channels: u8,
    /// Which address is shown.
    pub own: OwnAddress,
    /// The random address, if there is one.
    pub random: Option<Address>,
    /// Whom directed advertising is for, and whose entry of the resolving list makes private addresses.
    pub peer: DeviceAddress,
    /// Whose requests are answered.
    pub filter: Filter,
    /// Advertising data.
    pub data: Vec<u8>,
    /// Scan response data.
    pub response: Vec<u8>,
    /// Announces channel selection algorithm #2.
    pub csa2: bool,
}

/// An enabled advertiser.
#[derive(Debug)]
pub struct Advertiser {
    parameters: Parameters,
    delay: Stream,
    event: Instant,
    /// When high duty cycle advertising is over.
    ends: Instant,
    /// The address shown in the running event.
    own: DeviceAddress,
    /// The address directed at in the running event.
    target: Option<DeviceAddress>,
    /// Index of the channel whose PDU is due or on the air, 0..=2.
    index: u8,
    due: Instant,
    /// Whether the advertiser is between the start and the end of an event.
    pub active: bool,
}

/// What a packet heard by an advertiser asks for.
#[derive(Debug)]
pub enum Asked<'a> {
    /// Nothing for us.
    Nothing,
    /// A connection with this device.
    Connection(Advertising<'a>, Sender),
}

impl Advertiser {
    /// Advertises from `now` on. Shows `own` until the first event says otherwise.
    pub fn new(parameters: Parameters, own: DeviceAddress, delay: Stream, now: Instant) -> Self {
        // A host that costs no time may enable advertising at the very instant the controller was woken at,
        // and nothing happens twice at one wake-up.
        let first = now + Duration::from_micros(1);
        let ends = if parameters.high_duty { first + HIGH_DUTY_MAX } else { Instant::FAR_FUTURE };
        let mut advertiser =
            Self { parameters, delay, event: first, ends, own, target: None, index: 0, due: first, active: false };
        advertiser.index = advertiser.next_channel(0).unwrap_or(0);
        advertiser
    }

    /// The address shown.
    pub fn own(&self) -> DeviceAddress {
        self.own
    }

    /// Whether that is a resolvable address the controller has made.
    pub fn shows_made(&self) -> bool {
        self.parameters.own.is_resolvable()
            && self.own.is_resolvable()
            && Some(self.own.octets) != self.parameters.random
    }

    /// Whether channel selection algorithm #2 is announced.
    pub fn csa2(&self) -> bool {
        self.parameters.csa2
    }

    /// Takes new advertising data from the next packet on.
    pub fn set_data(&mut self, data: &[u8]) {
        self.parameters.data = data.to_vec();
    }

    /// Takes new scan response data from the next packet on.
    pub fn set_response(&mut self, data: &[u8]) {
        self.parameters.response = data.to_vec();
    }

    /// Whether requests are filtered by the Filter Accept List.
    pub fn uses_accept_list(&self) -> bool {
        self.parameters.filter != Filter::default()
    }

    /// When it next needs the radio.
    pub fn deadline(&self) -> Instant {
        self.due
    }

    /// Whether advertising was for a time that is up by `now`.
    pub fn is_over(&self, now: Instant) -> bool {
        !self.active && now >= self.ends
    }

    fn next_channel(&self, from: u8) -> Option<u8> {
        (from..3).find(|index| self.parameters.channels >> index & 1 == 1)
    }

    fn directed(&self) -> bool {
        self.parameters.kind == AdvertisingType::AdvDirectInd
    }

    /// Leaves out the event that is due.
    pub fn skip(&mut self) {
        self.schedule();
    }

    fn schedule(&mut self) {
        self.active = false;
        self.event += if self.parameters.high_duty {
            HIGH_DUTY_INTERVAL
        } else {
            self.parameters.interval + Duration::from_nanos(self.delay.below(DELAY_MAX.as_nanos()))
        };
        self.due = self.event;
        self.index = self.next_channel(0).unwrap_or(0);
    }

    /// Sends the PDU that is due and listens for an answer.
    pub fn send(&mut self, out: &mut Outbox, identities: &mut Identities) {
        if !self.active {
            self.choose_addresses(identities);
        }
        self.active = true;
        let kind = self.parameters.kind;
        let connectable = kind == AdvertisingType::AdvInd || self.directed();
        let pdu = Advertising {
            kind,
            ch_sel: self.parameters.csa2 && connectable,
            sender: self.own,
            target: self.target,
            data: if self.directed() { &[] } else { &self.parameters.data },
        };
        let end = transmit(out, &pdu, 37 + self.index, self.due);
        if kind == AdvertisingType::AdvNonconnInd {
            return self.go_on(end);
        }
        out.listen(Some(reply_window(37 + self.index, end)));
        self.due = Instant::FAR_FUTURE;
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
        self.target = (p.kind == AdvertisingType::AdvDirectInd).then_some(target);
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
            None => self.schedule(),
        }
    }

    /// A packet was heard, ending at `end`.
    pub fn heard<'a>(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        bytes: Option<&'a [u8]>,
        end: Instant,
    ) -> Asked<'a> {
        match bytes.and_then(Advertising::parse).and_then(|pdu| self.request(identities, pdu)) {
            Some((pdu, sender)) if pdu.kind == AdvertisingType::ConnectInd => {
                return Asked::Connection(pdu, sender);
            }
            Some(_) => {
                let response = Advertising {
                    kind: AdvertisingType::ScanRsp,
                    ch_sel: false,
                    sender: self.own,
                    target: None,
                    data: &self.parameters.response,
                };
                let end = transmit(out, &response, 37 + self.index, end + T_IFS);
                self.go_on(end);
            }
            None => self.go_on(end),
        }
        Asked::Nothing
    }

    /// A packet that this advertiser answers, and whose it is.
    fn request<'a>(&self, identities: &mut Identities, pdu: Advertising<'a>) -> Option<(Advertising<'a>, Sender)> {
        if pdu.target != Some(self.own) {
            return None;
        }
        let sender = identities.sender(pdu.sender)?;
        let (kind, filter) = (self.parameters.kind, self.parameters.filter);
        let listed = identities.accepts(&sender);
        let answered = match pdu.kind {
            AdvertisingType::ConnectInd if self.directed() => sender.is(self.parameters.peer),
            AdvertisingType::ConnectInd => kind == AdvertisingType::AdvInd && (listed || !filter.connection_requests),
            AdvertisingType::ScanReq => !self.directed() && (listed || !filter.scan_requests),
            _ => false,
        };
        answered.then_some((pdu, sender))
    }
}

/// Sends an advertising PDU; says when it ends.
pub fn transmit(out: &mut Outbox, pdu: &Advertising<'_>, channel: u8, start: Instant) -> Instant {
    let packet = pdu.emit(out.pool());
    let end = start + Phy::Le1M.packet(packet.len() as u64 - crate::air::HEADER_OCTETS);
    out.transmit(Transmission {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel,
        phy: Phy::Le1M,
        start,
        end,
        place: Place::Advertising,
        encrypted: false,
        packet,
    });
    end
}

/// The window in which a reply to a packet that ended at `end` begins.
pub fn reply_window(channel: u8, end: Instant) -> Listen {
    Listen {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel,
        phy: Phy::Le1M,
        from: end + T_IFS - T_IFS_TOLERANCE,
        until: end + T_IFS + T_IFS_TOLERANCE,
    }
}
