//! Scanning and initiating on the primary advertising channels. Core 6.0, Vol 6, Part B, 4.4.3 and 4.4.4.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::advertising::{reply_window, transmit};
use super::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType};
use crate::air::{Phy, T_IFS};
use crate::controller::outbox::Outbox;
use crate::host::Address;
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

/// A report for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Event type of the advertising report: 0 ADV_IND, 2 ADV_SCAN_IND, 3 ADV_NONCONN_IND, 4 SCAN_RSP.
    pub kind: u8,
    /// Advertiser.
    pub address: Address,
    /// Advertising or scan response data.
    pub data: Vec<u8>,
}

/// A scanner, or the listening half of an initiator.
#[derive(Debug)]
pub struct Scanner {
    windows: Windows,
    active: bool,
    filter_duplicates: bool,
    own: Address,
    started: Instant,
    /// The advertiser whose scan response is awaited.
    asked: Option<Address>,
    seen: Vec<(Address, u8)>,
}

impl Scanner {
    /// A scanner from `now` on.
    pub fn new(windows: Windows, active: bool, filter_duplicates: bool, own: Address, now: Instant) -> Self {
        Self { windows, active, filter_duplicates, own, started: now, asked: None, seen: Vec::new() }
    }

    fn channel(&self, now: Instant) -> u8 {
        37 + ((now - self.started) / self.windows.interval % 3) as u8
    }

    /// The rest of the running scan window, or when the next one opens.
    fn window(&self, now: Instant) -> (Instant, Instant) {
        let begun = self.started + self.windows.interval * ((now - self.started) / self.windows.interval);
        let closes = begun + self.windows.window;
        if now < closes { (now, closes) } else { (begun + self.windows.interval, begun + self.windows.interval) }
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
        bytes: Option<&[u8]>,
        channel: u8,
        end: Instant,
        before: Instant,
    ) -> (Option<Report>, bool) {
        let Some(pdu) = bytes.and_then(Advertising::parse) else { return (None, false) };
        let kind = match pdu.kind {
            AdvertisingType::AdvInd => 0,
            AdvertisingType::AdvScanInd => 2,
            AdvertisingType::AdvNonconnInd => 3,
            AdvertisingType::ScanRsp if self.asked == Some(pdu.sender) => 4,
            _ => return (None, false),
        };
        let scannable = kind == 0 || kind == 2;
        let fits = end + T_IFS * 2 + LONGEST_PDU * 2 <= before;
        let ask = self.active && scannable && fits && !self.is_seen(pdu.sender, 4);
        self.asked = ask.then_some(pdu.sender);
        if ask {
            let request = Advertising {
                kind: AdvertisingType::ScanReq,
                ch_sel: false,
                sender: self.own,
                target: Some(pdu.sender),
                data: &[],
            };
            let end = transmit(out, &request, channel, end + T_IFS);
            out.listen(Some(reply_window(channel, end)));
        }
        (self.report(kind, &pdu), ask)
    }

    fn is_seen(&self, address: Address, kind: u8) -> bool {
        self.filter_duplicates && self.seen.contains(&(address, kind))
    }

    fn report(&mut self, kind: u8, pdu: &Advertising<'_>) -> Option<Report> {
        if self.is_seen(pdu.sender, kind) {
            return None;
        }
        if self.filter_duplicates && self.seen.len() < SEEN_MAX {
            self.seen.push((pdu.sender, kind));
        }
        Some(Report { kind, address: pdu.sender, data: pdu.data.to_vec() })
    }

    /// Whether a CONNECT_IND to the sender of this packet ends before the radio is needed again.
    pub fn can_connect(&self, end: Instant, before: Instant) -> bool {
        end + T_IFS + LONGEST_PDU <= before
    }
}
