//! Scanning and initiating on the primary advertising channels. Core 6.0, Vol 6, Part B, 4.4.3 and 4.4.4.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::address::{DeviceAddress, OwnAddress};
use super::advertising::{reply_window, transmit};
use super::identity::{Identities, Sender};
use super::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType};
use crate::air::{Phy, T_IFS};
use crate::controller::outbox::Outbox;
use crate::medium::Listen;

/// Time of the longest scan response or CONNECT_IND on 1M: 6 + 31 and 34 octets.
const LONGEST_PDU: Duration = Phy::Le1M.packet(37);
/// How many devices the duplicate filter remembers.
const SEEN_MAX: usize = 64;

/// When and where to listen.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// From one window to the next, each on the next channel.
    pub interval: Duration,
    /// Length of a window.
    pub window: Duration,
}

/// Whose packets a scanner processes. Core 6.0, Vol 6, Part B, 4.3.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those of devices of the Filter Accept List.
    pub listed: bool,
    /// Directed ones for a resolvable address that is not known to be ours as well.
    pub directed_to_resolvable: bool,
}

impl Filter {
    /// From Scanning_Filter_Policy, 0..=3.
    pub const fn from_hci(policy: u8) -> Self {
        Self { listed: policy & 1 != 0, directed_to_resolvable: policy & 2 != 0 }
    }
}

/// How a scanner was set up.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// When it listens.
    pub windows: Windows,
    /// Whether it sends scan requests.
    pub active: bool,
    /// Whether a packet is reported once per device and type.
    pub filter_duplicates: bool,
    /// Which address it shows.
    pub own: OwnAddress,
    /// Whose packets it processes.
    pub filter: Filter,
}

/// Event types of advertising reports. Core 6.0, Vol 4, Part E, 7.7.65.2.
pub mod report {
    #![allow(missing_docs)]
    pub const ADV_IND: u8 = 0;
    pub const ADV_DIRECT_IND: u8 = 1;
    pub const ADV_SCAN_IND: u8 = 2;
    pub const ADV_NONCONN_IND: u8 = 3;
    pub const SCAN_RSP: u8 = 4;
}

/// A report for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// One of the event types in [`report`].
    pub kind: u8,
    /// Advertiser.
    pub sender: Sender,
    /// Whom a directed packet was for, if it is not known to be us.
    pub target: Option<DeviceAddress>,
    /// Advertising or scan response data.
    pub data: Vec<u8>,
}

/// A scanner, or the listening half of an initiator.
#[derive(Debug)]
pub struct Scanner {
    setup: Setup,
    started: Instant,
    /// The advertiser whose scan response is awaited.
    asked: Option<DeviceAddress>,
    seen: Vec<(DeviceAddress, u8)>,
}

impl Scanner {
    /// A scanner from `now` on.
    pub fn new(setup: Setup, now: Instant) -> Self {
        Self { setup, started: now, asked: None, seen: Vec::new() }
    }

    /// Whether packets are filtered by the Filter Accept List.
    pub fn uses_accept_list(&self) -> bool {
        self.setup.filter.listed
    }

    fn channel(&self, now: Instant) -> u8 {
        37 + ((now - self.started) / self.setup.windows.interval % 3) as u8
    }

    /// The rest of the running scan window, or when the next one opens.
    fn window(&self, now: Instant) -> (Instant, Instant) {
        let Windows { interval, window } = self.setup.windows;
        let begun = self.started + interval * ((now - self.started) / interval);
        let closes = begun + window;
        if now < closes { (now, closes) } else { (begun + interval, begun + interval) }
    }

    /// When scanning next wants the radio, if the radio is free now.
    pub fn resumes(&self, now: Instant) -> Instant {
        self.window(now).0
    }

    /// Listens until the window closes or the radio is needed at `before`.
    pub fn listen(&mut self, out: &mut Outbox, now: Instant, before: Instant) -> bool {
        self.asked = None;
        let (from, closes) = self.window(now);
        let until = closes.min(before);
        if from > now || until <= now {
            return false;
        }
        out.listen(Some(Listen {
            link: ADVERTISING_ACCESS_ADDRESS,
            channel: self.channel(now),
            phy: Phy::Le1M,
            from: now,
            until: until - Duration::from_nanos(1),
        }));
        true
    }

    /// A packet was heard on `channel`, ending at `end`; the radio is needed again at `before`. Gives a
    /// report for the host, and says whether a reply is awaited.
    pub fn heard(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        bytes: Option<&[u8]>,
        channel: u8,
        end: Instant,
        before: Instant,
    ) -> (Option<Report>, bool) {
        let asked = self.asked.take();
        let Some(pdu) = bytes.and_then(Advertising::parse) else { return (None, false) };
        let kind = match pdu.kind {
            AdvertisingType::AdvInd => report::ADV_IND,
            AdvertisingType::AdvDirectInd => report::ADV_DIRECT_IND,
            AdvertisingType::AdvScanInd => report::ADV_SCAN_IND,
            AdvertisingType::AdvNonconnInd => report::ADV_NONCONN_IND,
            AdvertisingType::ScanRsp if asked == Some(pdu.sender) => report::SCAN_RSP,
            _ => return (None, false),
        };
        let Some(sender) = identities.sender(pdu.sender) else { return (None, false) };
        if self.setup.filter.listed && !identities.accepts(&sender) {
            return (None, false);
        }
        let Ok(target) = self.directed(identities, &pdu, end) else { return (None, false) };
        let scannable = kind == report::ADV_IND || kind == report::ADV_SCAN_IND;
        let fits = end + T_IFS * 2 + LONGEST_PDU * 2 <= before;
        let ask = self.setup.active && scannable && fits && !self.is_seen(&sender, report::SCAN_RSP);
        let own = if ask { self.own(identities, end, &sender) } else { None };
        if let Some(own) = own {
            self.asked = Some(pdu.sender);
            let kind = AdvertisingType::ScanReq;
            let request = Advertising { kind, ch_sel: false, sender: own, target: Some(pdu.sender), data: &[] };
            let end = transmit(out, &request, channel, end + T_IFS);
            out.listen(Some(reply_window(channel, end)));
        }
        (self.report(kind, sender, target, &pdu), own.is_some())
    }

    /// The address shown to this advertiser.
    pub fn own(&self, identities: &mut Identities, now: Instant, to: &Sender) -> Option<DeviceAddress> {
        identities.own(now, self.setup.own, identities.random, to.identity.or(Some(to.shown)))
    }

    /// Whom a directed packet is for, if it is not known to be us; an error if it is not for us at all.
    fn directed(
        &self,
        identities: &mut Identities,
        pdu: &Advertising<'_>,
        now: Instant,
    ) -> Result<Option<DeviceAddress>, ()> {
        let Some(target) = pdu.target.filter(|_| pdu.kind == AdvertisingType::AdvDirectInd) else { return Ok(None) };
        let own = identities.own(now, self.setup.own, identities.random, None);
        if identities.is_for(target, own) {
            Ok(None)
        } else if target.is_resolvable() && self.setup.filter.directed_to_resolvable {
            Ok(Some(target))
        } else {
            Err(())
        }
    }

    fn is_seen(&self, sender: &Sender, kind: u8) -> bool {
        self.setup.filter_duplicates && self.seen.contains(&(sender.address(), kind))
    }

    fn report(
        &mut self,
        kind: u8,
        sender: Sender,
        target: Option<DeviceAddress>,
        pdu: &Advertising<'_>,
    ) -> Option<Report> {
        if self.is_seen(&sender, kind) {
            return None;
        }
        if self.setup.filter_duplicates && self.seen.len() < SEEN_MAX {
            self.seen.push((sender.address(), kind));
        }
        Some(Report { kind, sender, target, data: pdu.data.to_vec() })
    }

    /// Whether a CONNECT_IND to the sender of this packet ends before the radio is needed again.
    pub fn can_connect(&self, end: Instant, before: Instant) -> bool {
        end + T_IFS + LONGEST_PDU <= before
    }
}
