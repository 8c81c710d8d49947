//! Legacy advertising: three channels per event, a scan response, a CONNECT_IND.
//! Core 6.0, Vol 6, Part B, 4.4.2.

use alloc::vec::Vec;

use airtime_core::random::Stream;
use airtime_core::{Duration, Instant};

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

/// What the host has set up.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Between events, before the random delay.
    pub interval: Duration,
    /// ADV_IND, ADV_SCAN_IND or ADV_NONCONN_IND.
    pub kind: AdvertisingType,
    /// Channels 37, 38, 39 in bits 0, 1, 2.
    pub channels: u8,
    /// Own address.
    pub address: Address,
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
    /// A connection.
    Connection(Advertising<'a>),
}

impl Advertiser {
    /// Advertises from `now` on.
    pub fn new(parameters: Parameters, delay: Stream, now: Instant) -> Self {
        // A host that costs no time may enable advertising at the very instant the controller was woken at,
        // and nothing happens twice at one wake-up.
        let first = now + Duration::from_micros(1);
        let mut advertiser = Self { parameters, delay, event: first, index: 0, due: first, active: false };
        advertiser.index = advertiser.next_channel(0).unwrap_or(0);
        advertiser
    }

    /// Own address.
    pub fn address(&self) -> Address {
        self.parameters.address
    }

    /// Whether channel selection algorithm #2 is announced.
    pub fn csa2(&self) -> bool {
        self.parameters.csa2
    }

    /// When it next needs the radio.
    pub fn deadline(&self) -> Instant {
        self.due
    }

    fn next_channel(&self, from: u8) -> Option<u8> {
        (from..3).find(|index| self.parameters.channels >> index & 1 == 1)
    }

    /// Leaves out the event that is due.
    pub fn skip(&mut self) {
        self.schedule();
    }

    fn schedule(&mut self) {
        self.active = false;
        let delay = Duration::from_nanos(self.delay.below(DELAY_MAX.as_nanos()));
        self.event = self.event + self.parameters.interval + delay;
        self.due = self.event;
        self.index = self.next_channel(0).unwrap_or(0);
    }

    /// Sends the PDU that is due and listens for an answer.
    pub fn send(&mut self, out: &mut Outbox) {
        self.active = true;
        let pdu = Advertising {
            kind: self.parameters.kind,
            ch_sel: self.parameters.csa2 && self.parameters.kind == AdvertisingType::AdvInd,
            sender: self.parameters.address,
            target: None,
            data: &self.parameters.data,
        };
        let end = transmit(out, &pdu, 37 + self.index, self.due);
        if self.parameters.kind == AdvertisingType::AdvNonconnInd {
            return self.go_on(end);
        }
        out.listen(Some(reply_window(37 + self.index, end)));
        self.due = Instant::FAR_FUTURE;
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
    pub fn heard<'a>(&mut self, out: &mut Outbox, bytes: Option<&'a [u8]>, end: Instant) -> Asked<'a> {
        let pdu = bytes.and_then(Advertising::parse).filter(|pdu| pdu.target == Some(self.parameters.address));
        match pdu {
            Some(pdu) if pdu.kind == AdvertisingType::ConnectInd && self.parameters.kind == AdvertisingType::AdvInd => {
                return Asked::Connection(pdu);
            }
            Some(pdu) if pdu.kind == AdvertisingType::ScanReq => {
                let response = Advertising {
                    kind: AdvertisingType::ScanRsp,
                    ch_sel: false,
                    sender: self.parameters.address,
                    target: None,
                    data: &self.parameters.response,
                };
                let end = transmit(out, &response, 37 + self.index, end + T_IFS);
                self.go_on(end);
            }
            _ => self.go_on(end),
        }
        Asked::Nothing
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
