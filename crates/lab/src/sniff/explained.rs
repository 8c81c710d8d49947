//! Explained capture, for views to lay out.

use airtime_ble::ledger::{Account, Books};
use airtime_ble::plan::Link as Kind;
use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::{Duration, Instant};
use serde::Serialize;

use super::account::{Accountant, ENDS};
use super::link::Link;
use super::rules::Consistent;
use super::says;
use super::seen::{CENTRAL, PERIPHERAL};
use crate::record::{Bottleneck, DataLength, Goodput, Negotiated, Record, kbps};
use airtime_link::Ordered;

/// A capture, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// Packets taken.
    pub packets: u64,
    /// Packets of no connection that is reported: too few of one access address, or stamps that are none.
    pub left_out: u64,
    /// Every connection, in the order they ended or were given up.
    pub links: Vec<ExplainedLink>,
}

impl Explained {
    pub(super) fn new(packets: u64, left_out: u64, links: Vec<ExplainedLink>) -> Self {
        Self { packets, left_out, links }
    }
}

/// An interval and from when on it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// The stamp of the first anchor, in nanoseconds.
    pub from_ns: u64,
    /// The interval, with its unit.
    pub interval: String,
    /// The interval in nanoseconds.
    pub interval_ns: u64,
}

/// One connection of a capture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedLink {
    /// Access address, `0x5065…`.
    pub access_address: String,
    /// Set if its CONNECT_IND was captured.
    pub from_start: bool,
    /// Set if the interval was inferred from distances of anchors, because no PDU named it.
    pub interval_inferred: bool,
    /// Intervals used, oldest first; empty when none could be inferred.
    pub intervals: Vec<Interval>,
    /// Longest payload each side has sent, MIC not counted.
    pub longest: DataLength,
    /// The central's rules with the margins its events are consistent with.
    pub central: Vec<Consistent>,
    /// The peripheral's.
    pub peripheral: Vec<Consistent>,
    /// Connection events without any packet: skipped by the central, or missed by the sniffer.
    pub missed_events: u64,
    /// Packets that could not be placed in the connection.
    pub misplaced: u64,
    /// Packets booked.
    pub booked: u64,
    /// Air of packets whose fate the air does not show: it may belong to another account.
    pub undecided_ns: u64,
    /// Reason that the connection ended, where that was captured.
    pub ended: Option<String>,
    /// The link as the record of a run, for the same tables and waterfalls; the steady state is the stream, from its
    /// first data on. Of `idle.app`, `idle.buffers` and `idle.host` the air shows only the sum, in `idle.app`.
    pub record: Record,
    /// Sentences about the connection.
    pub says: Vec<String>,
}

impl ExplainedLink {
    /// The connection, when the capture goes on until `end` at least.
    pub(super) fn of(link: Link, end: Instant) -> Self {
        let mut explained = Self {
            access_address: format!("0x{:08x}", link.address),
            from_start: link.start.is_some(),
            interval_inferred: false,
            intervals: Vec::new(),
            longest: DataLength::default(),
            central: Vec::new(),
            peripheral: Vec::new(),
            missed_events: 0,
            misplaced: link.misplaced,
            booked: 0,
            undecided_ns: link.undecided.as_nanos(),
            ended: None,
            record: Record { outcome: "no interval could be inferred".into(), ..Record::default() },
            says: Vec::new(),
        };
        if let Some(mut account) = link.account {
            account.finish(link.heard);
            explained.fill(&account);
            let silent = end.saturating_since(link.heard);
            if explained.ended.is_none() && silent > account.timeout {
                explained.ended = Some(format!("silent for {silent}, longer than its supervision timeout"));
            }
        }
        explained.says = says::sentences(&explained);
        explained
    }

    fn fill(&mut self, account: &Accountant) {
        let interval = |(at, interval): &(Instant, Duration)| Interval {
            from_ns: at.as_nanos(),
            interval: interval.to_string(),
            interval_ns: interval.as_nanos(),
        };
        self.interval_inferred = account.interval_inferred;
        self.intervals = account.intervals.iter().map(interval).collect();
        self.longest = DataLength { c2p: account.air.octets[CENTRAL], p2c: account.air.octets[PERIPHERAL] };
        self.central = account.rules.central();
        self.peripheral = account.rules.peripheral();
        self.missed_events = account.missed;
        self.booked = account.booked;
        let who = |side| if side == CENTRAL { "central" } else { "peripheral" };
        self.ended = account.terminated.map(|(side, reason)| format!("{} by the {}", reason, who(side)));
        self.record = record(&self.access_address, account);
    }
}

fn record(address: &str, account: &Accountant) -> Record {
    let whole = account.books.ledger();
    let steady = account.stream.as_ref().map(|(_, before)| whole.since(before));
    let span = steady.as_ref().map_or(Duration::ZERO, Ledger::elapsed);
    let octets = account.l2cap.octets[0] + account.l2cap.octets[1];
    let rate = kbps(octets, span);
    let limits = steady.as_ref().map(|ledger| (Books::bottleneck(ledger), ledger));
    Record {
        id: address.into(),
        label: format!("connection {address}"),
        link: if account.l2cap.values.contains(&true) { Kind::BleGatt } else { Kind::BleCoc }.name().into(),
        negotiated: Some(negotiated(account)),
        goodput_kbps: Goodput::of(&[rate]),
        delivered_bytes: octets,
        elapsed_ns: whole.elapsed().as_nanos(),
        ledger_ns: accounts(whole),
        steady_ns: span.as_nanos(),
        steady_ledger_ns: steady.as_ref().map(accounts).unwrap_or_default(),
        setup_ns: whole.of(Account::Setup).as_nanos(),
        counters: counters(account),
        bottleneck: limits.map_or_else(Bottleneck::default, |(account, ledger)| says::bottleneck(account, ledger)),
        outcome: if account.stream.is_some() { "ok" } else { "no stream was captured" }.into(),
        ..Record::default()
    }
}

fn accounts(ledger: &Ledger<Account>) -> Ordered<u64> {
    ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

fn negotiated(account: &Accountant) -> Negotiated {
    let sender = if account.streams[PERIPHERAL] { PERIPHERAL } else { CENTRAL };
    let terms = account.l2cap.channels.terms_of_receiver(sender);
    let att = account.l2cap.att_mtu;
    let air = &account.air;
    Negotiated {
        conn_interval: air.interval.to_string(),
        phy: air.phy[sender].name().into(),
        dle: DataLength { c2p: air.data_length(CENTRAL), p2c: air.data_length(PERIPHERAL) },
        mtu: terms.map(|terms| terms.mtu).or_else(|| att[0].zip(att[1]).map(|(a, b)| a.min(b))),
        mps: terms.map(|terms| terms.mps),
        initial_credits: terms.map(|terms| terms.credits),
        frame_space: air.space(sender).to_string(),
        encrypted: air.encrypted,
    }
}

fn counters(account: &Accountant) -> Ordered<u64> {
    let mut counters = Ordered::new();
    let mut put = |name: &str, value: u64| counters.set(name, value);
    account.books.counts().named().into_iter().for_each(|(name, count)| put(name, count));
    for (side, name) in ["central", "peripheral"].into_iter().enumerate() {
        for ((_, end), count) in ENDS.iter().zip(account.ends[side]) {
            put(&format!("closed.{name}.{end}"), count);
        }
    }
    put("events.missed", account.missed);
    put("pdus.unreadable", account.opaque);
    put("pdus.inferred", account.inferred);
    for (side, name) in ["c2p", "p2c"].into_iter().enumerate().filter(|(side, _)| account.streams[*side]) {
        put(&format!("octets.{name}"), account.l2cap.octets[side]);
    }
    counters
}
