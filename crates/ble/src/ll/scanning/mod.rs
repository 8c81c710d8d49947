//! Scanning, and the listening half of initiating. Core 6.0, Vol 6, Part B, 4.4.3 and 4.4.4.
//!
//! A scanner of extended commands that hears ADV_EXT_IND follows its AuxPtr: it listens for the
//! auxiliary packet and holds the radio until that has come or not.

mod report;
mod setup;
mod turns;

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::address::DeviceAddress;
use super::advertising::{reply_window, transmit};
use super::extended::{AuxPtr, Extended, SCANNABLE};
use super::identity::{Identities, Sender};
use super::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType};
use crate::air::{Phy, T_IFS};
use crate::ll::event::Heard;
use crate::ll::outbox::Outbox;
use crate::medium::Listen;

pub use report::{Report, event_type};
pub use setup::{Duplicates, Filter, OnPhy, Setup, Windows};
use turns::Turns;

/// Payload octets of the longest legacy advertising PDU: 6 + 31.
const LONGEST_OCTETS: u64 = 37;
/// Number of devices that the duplicate filter remembers.
const SEEN_MAX: usize = 64;
/// The first primary advertising channel.
const PRIMARY: u8 = 37;
/// Largest deviation of an instant. Core 6.0, Vol 6, Part B, 4.2.2.
const JITTER: Duration = Duration::from_micros(16);
/// Worst clock of an advertiser, in parts per million. Core 6.0, Vol 6, Part B, 2.3.4.5.
const CLOCK_PPM: [u64; 2] = [500, 50];

/// The auxiliary packet that is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Followed {
    primary: Phy,
    adi: Option<u16>,
}

/// The scan response that is awaited: whose, and what it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AskedFor {
    advertiser: DeviceAddress,
    event_type: u16,
    adi: Option<u16>,
    primary: Phy,
    extended: bool,
}

/// A packet that was heard, where, and when the radio is needed again.
#[derive(Clone, Copy, Debug)]
pub struct Reception<'a> {
    /// The packet.
    pub heard: Heard<'a>,
    /// Channel index.
    pub channel: u8,
    /// Start of the next activity that goes before scanning.
    pub before: Instant,
}

/// Outcome of a packet at a scanner.
#[derive(Debug)]
pub struct Outcome {
    /// A report for the host.
    pub report: Option<Report>,
    /// Another packet is awaited, and the radio is held for it.
    pub awaits: bool,
}

impl Outcome {
    const NOTHING: Self = Self { report: None, awaits: false };
}

/// A scanner, or the listening half of an initiator.
#[derive(Debug)]
pub struct Scanner {
    setup: Setup,
    started: Instant,
    /// Turns at the radio, where activities take it from each other.
    pub(crate) turns: Turns,
    followed: Option<Followed>,
    asked: Option<AskedFor>,
    period: u64,
    /// Address, event type and AdvDataInfo of what was reported. Core 6.0, Vol 6, Part B, 4.3.3.
    seen: Vec<(DeviceAddress, u16, Option<u16>)>,
}

impl Scanner {
    /// A scanner from `now` on.
    pub fn new(setup: Setup, now: Instant) -> Self {
        Self { setup, started: now, turns: Turns::default(), followed: None, asked: None, period: 0, seen: Vec::new() }
    }

    /// Setup it was started with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Instant at which scanning is over by itself.
    pub fn ends(&self) -> Instant {
        self.setup.ends(self.started)
    }

    /// Instant at which scanning next wants the radio, if the radio is free now.
    pub fn resumes(&self, now: Instant) -> Instant {
        self.setup.window(self.started, now).from
    }

    /// Listens until the window closes or the radio is needed at `before`.
    pub fn listen(&mut self, out: &mut Outbox, now: Instant, before: Instant) -> bool {
        self.asked = None;
        self.followed = None;
        let window = self.setup.window(self.started, now);
        let until = window.closes.min(before);
        if window.from > now || until <= now || !self.may_listen(now) {
            return false;
        }
        out.listen(Some(Listen {
            link: ADVERTISING_ACCESS_ADDRESS,
            channel: window.channel,
            phy: window.phy,
            from: now,
            until: until - Duration::from_nanos(1),
        }));
        true
    }

    /// A packet was heard.
    pub fn heard(&mut self, out: &mut Outbox, identities: &mut Identities, at: &Reception<'_>) -> Outcome {
        let (asked, followed) = (self.asked.take(), self.followed.take());
        let Some(bytes) = at.heard.pdu else { return Outcome::NOTHING };
        if let (true, Some(pdu)) = (self.setup.extended, Extended::parse(bytes)) {
            if self.follow(out, &pdu, at, followed) {
                return Outcome { report: None, awaits: true };
            }
            return self.heard_extended(out, identities, &pdu, at, (asked, followed));
        }
        match Advertising::parse(bytes) {
            Some(pdu) if followed.is_none() => self.heard_legacy(out, identities, &pdu, at, asked),
            _ => Outcome::NOTHING,
        }
    }

    fn heard_legacy(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        pdu: &Advertising<'_>,
        at: &Reception<'_>,
        asked: Option<AskedFor>,
    ) -> Outcome {
        let asked = asked.filter(|asked| asked.advertiser == pdu.sender && !asked.extended);
        if pdu.kind == AdvertisingType::ScanRsp && asked.is_none() {
            return Outcome::NOTHING;
        }
        let answers = asked.map_or(0, |asked| asked.event_type);
        let Some(event_type) = report::of_legacy(pdu.kind, answers) else { return Outcome::NOTHING };
        let target = pdu.target.filter(|_| pdu.kind == AdvertisingType::AdvDirectInd);
        let Some((sender, for_us)) = self.processes(identities, pdu.sender, target, at.heard.end) else {
            return Outcome::NOTHING;
        };
        let scannable = event_type & event_type::SCANNABLE != 0 && pdu.kind != AdvertisingType::ScanRsp;
        let ask = AskedFor { advertiser: pdu.sender, event_type, adi: None, primary: Phy::Le1M, extended: false };
        let awaits = scannable && self.ask(out, identities, &sender, ask, at);
        let (primary, secondary, adi, tx_power) = (Phy::Le1M, None, None, None);
        let data = pdu.data.to_vec();
        let report = Report { event_type, sender, target, for_us, primary, secondary, adi, tx_power, data };
        Outcome { report: self.filter(report, at.heard.end), awaits }
    }

    /// Listens for the auxiliary packet of an ADV_EXT_IND, if there is time; says whether it does.
    fn follow(&mut self, out: &mut Outbox, pdu: &Extended<'_>, at: &Reception<'_>, followed: Option<Followed>) -> bool {
        let Some(aux) = pdu.aux.filter(|_| followed.is_none()) else { return false };
        let window = auxiliary_window(&aux, at.heard.start);
        if window.from <= at.heard.end || window.until >= at.before {
            return false;
        }
        out.listen(Some(window));
        self.followed = Some(Followed { primary: at.heard.phy, adi: pdu.adi });
        true
    }

    /// AUX_ADV_IND or AUX_SCAN_RSP.
    fn heard_extended(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        pdu: &Extended<'_>,
        at: &Reception<'_>,
        (asked, followed): (Option<AskedFor>, Option<Followed>),
    ) -> Outcome {
        let asked = asked.filter(|asked| asked.extended && Some(asked.advertiser) == pdu.advertiser);
        // What was announced on a primary channel is what is taken on the secondary one; an ADV_EXT_IND that
        // points nowhere stands for itself.
        let announced = followed.filter(|followed| followed.adi == pdu.adi).map(|followed| followed.primary);
        let alone = (at.channel >= PRIMARY && pdu.aux.is_none()).then_some(at.heard.phy);
        let primary = asked.map(|asked| asked.primary).or(announced).or(alone);
        let (Some(advertiser), Some(primary)) = (pdu.advertiser, primary) else { return Outcome::NOTHING };
        let Some((sender, for_us)) = self.processes(identities, advertiser, pdu.target, at.heard.end) else {
            return Outcome::NOTHING;
        };
        let event_type = match asked {
            Some(asked) => asked.event_type | event_type::SCAN_RESPONSE,
            None => report::of_extended(pdu),
        };
        let ask = AskedFor { advertiser, event_type, adi: pdu.adi, primary, extended: true };
        let scannable = asked.is_none() && pdu.mode & SCANNABLE != 0;
        let awaits = scannable && self.ask(out, identities, &sender, ask, at);
        let report = Report {
            event_type,
            sender,
            target: pdu.target,
            for_us,
            primary,
            secondary: (at.channel < PRIMARY).then_some(at.heard.phy),
            adi: pdu.adi,
            tx_power: pdu.tx_power,
            data: pdu.data.to_vec(),
        };
        Outcome { report: self.filter(report, at.heard.end), awaits }
    }

    /// Sends a scan request, if one is wanted and there is time; says whether it did.
    fn ask(
        &mut self,
        out: &mut Outbox,
        identities: &mut Identities,
        sender: &Sender,
        ask: AskedFor,
        at: &Reception<'_>,
    ) -> bool {
        let Reception { heard, channel, before } = *at;
        let answer = ask.event_type | event_type::SCAN_RESPONSE;
        let fits = heard.end + T_IFS * 2 + heard.phy.packet(LONGEST_OCTETS) * 2 <= before;
        if !self.setup.is_active(ask.primary) || !fits || self.is_seen(sender, answer, ask.adi) {
            return false;
        }
        let Some(own) = self.own(identities, heard.end, sender) else { return false };
        self.asked = Some(ask);
        let (kind, target) = (AdvertisingType::ScanReq, Some(ask.advertiser));
        let request = Advertising { kind, ch_sel: false, sender: own, target, data: &[] };
        let end = transmit(out, request.emit(out.pool()), channel, heard.phy, heard.end + T_IFS);
        out.listen(Some(reply_window(channel, heard.phy, end)));
        true
    }

    /// Sender of a packet that passes the filter policy, with a flag that is set if a directed packet is known to be
    /// for us.
    pub fn processes(
        &self,
        identities: &mut Identities,
        advertiser: DeviceAddress,
        target: Option<DeviceAddress>,
        now: Instant,
    ) -> Option<(Sender, bool)> {
        let sender = identities.sender(advertiser)?;
        if self.setup.filter.listed && !identities.accepts(&sender) {
            return None;
        }
        let Some(target) = target else { return Some((sender, true)) };
        let own = identities.own(now, self.setup.own, identities.random, Some(sender.address()));
        let for_us = identities.is_for(target, own);
        (for_us || target.is_resolvable() && self.setup.filter.directed_to_resolvable).then_some((sender, for_us))
    }

    /// The address shown to this advertiser.
    pub fn own(&self, identities: &mut Identities, now: Instant, to: &Sender) -> Option<DeviceAddress> {
        identities.own(now, self.setup.own, identities.random, Some(to.address()))
    }

    fn is_seen(&self, sender: &Sender, event_type: u16, adi: Option<u16>) -> bool {
        self.setup.duplicates != Duplicates::Reported && self.seen.contains(&(sender.address(), event_type, adi))
    }

    /// The report, unless it is a duplicate that the host does not want.
    fn filter(&mut self, report: Report, now: Instant) -> Option<Report> {
        let period = self.setup.period_at(self.started, now);
        if self.setup.duplicates == Duplicates::FilteredPerPeriod && period != self.period {
            self.period = period;
            self.seen.clear();
        }
        if self.is_seen(&report.sender, report.event_type, report.adi) {
            return None;
        }
        if self.setup.duplicates != Duplicates::Reported && self.seen.len() < SEEN_MAX {
            self.seen.push((report.sender.address(), report.event_type, report.adi));
        }
        Some(report)
    }

    /// Tells if a request for a connection that follows a packet which ended at `end` ends, answer included,
    /// before the radio is needed again.
    pub fn can_connect(&self, end: Instant, phy: Phy, before: Instant) -> bool {
        end + T_IFS + phy.packet(LONGEST_OCTETS) <= before
    }

    /// Listens for the auxiliary packet that an initiator has been pointed at; says whether it does.
    pub fn follow_to_connect(&mut self, out: &mut Outbox, at: &Reception<'_>) -> bool {
        let followed = self.followed.take();
        let Some(pdu) = at.heard.pdu.and_then(Extended::parse) else { return false };
        self.setup.extended && self.follow(out, &pdu, at, followed)
    }
}

/// The window in which the auxiliary packet begins, that a packet begun at `start` points at.
/// Core 6.0, Vol 6, Part B, 4.4.3.3.
fn auxiliary_window(aux: &AuxPtr, start: Instant) -> Listen {
    let ppm = CLOCK_PPM[usize::from(aux.clock_50_ppm)];
    let widening = JITTER + Duration::from_nanos(aux.offset.as_nanos() / 1_000_000 * ppm);
    let from = start + aux.offset;
    Listen {
        link: ADVERTISING_ACCESS_ADDRESS,
        channel: aux.channel,
        phy: aux.phy,
        from: from.saturating_back(widening),
        until: from + aux.unit + widening,
    }
}
