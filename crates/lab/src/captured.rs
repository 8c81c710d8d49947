//! Connections of a capture as records of runs, for the same tables and waterfalls.

pub mod against;

use airtime_core::Duration;
use airtime_core::ledger::{Account, Ledger};
use airtime_link::Ordered;
use airtime_sniff::host::{Buffers, HostExplained, HostLink, Kinds, UNSEEN};
use airtime_sniff::{Explained, ExplainedLink, LinkBooks, Terms};
use serde::Serialize;

use crate::record::{Bottleneck, DataLength, Goodput, Negotiated, Record, kbps};

/// An explained capture with a record of each connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Captured {
    /// Packets taken.
    pub packets: u64,
    /// Packets of no connection that is reported.
    pub left_out: u64,
    /// Every connection, in the order they ended or were given up.
    pub links: Vec<CapturedLink>,
    /// Packets of advertising among those taken.
    pub advertising: u64,
    /// Packets among these that begin a connection, whether they arrived whole or not.
    pub requests: u64,
}

/// One connection of a capture with its record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CapturedLink {
    /// Explanation of the connection.
    #[serde(flatten)]
    pub explained: ExplainedLink,
    /// Record of the connection; the steady state is the stream, from its first data on.
    pub record: Record,
    /// Sentences about the connection.
    pub says: Vec<String>,
}

impl From<Explained> for Captured {
    fn from(explained: Explained) -> Self {
        let Explained { packets, left_out, links, advertising, requests } = explained;
        let links = links.into_iter().map(CapturedLink::from).collect();
        Self { packets, left_out, links, advertising, requests }
    }
}

impl From<ExplainedLink> for CapturedLink {
    fn from(explained: ExplainedLink) -> Self {
        let none = || Record { outcome: "no interval could be inferred".into(), ..Record::default() };
        let record = explained.books.as_ref().map_or_else(none, |books| record(&explained.access_address, books));
        let says = explained.says();
        Self { explained, record, says }
    }
}

fn record(address: &str, books: &LinkBooks) -> Record {
    let steady = books.stream.as_ref();
    let span = steady.map_or(Duration::ZERO, Ledger::elapsed);
    Record {
        id: address.into(),
        label: format!("connection {address}"),
        link: books.link().into(),
        negotiated: Some(negotiated(&books.terms)),
        goodput_kbps: Goodput::of(&[kbps(books.octets, span)]),
        delivered_bytes: books.octets,
        elapsed_ns: books.whole.elapsed().as_nanos(),
        ledger_ns: accounts(&books.whole),
        steady_ns: span.as_nanos(),
        steady_ledger_ns: steady.map(accounts).unwrap_or_default(),
        setup_ns: books.setup().as_nanos(),
        counters: books.counters.iter().map(|(name, count)| (name.as_str(), *count)).collect(),
        bottleneck: bottleneck(books).unwrap_or_default(),
        outcome: if steady.is_some() { "ok" } else { "no stream was captured" }.into(),
        ..Record::default()
    }
}

fn accounts<A: Account>(ledger: &Ledger<A>) -> Ordered<u64> {
    ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect()
}

fn negotiated(terms: &Terms) -> Negotiated {
    Negotiated {
        conn_interval: terms.interval.to_string(),
        phy: terms.phy.name().into(),
        dle: DataLength { c2p: terms.data_length.c2p, p2c: terms.data_length.p2c },
        mtu: terms.mtu,
        mps: terms.mps,
        initial_credits: terms.credits,
        frame_space: terms.frame_space.to_string(),
        encrypted: terms.encrypted,
    }
}

/// The account that most of the stream's lost time went to.
fn bottleneck(books: &LinkBooks) -> Option<Bottleneck> {
    let (account, meaning, time) = books.bottleneck()?;
    let all = books.stream.as_ref().map_or(Duration::ZERO, Ledger::elapsed).as_nanos().max(1);
    let share = 100.0 * time.as_nanos() as f64 / all as f64;
    Some(Bottleneck { account: account.into(), says: format!("{share:.0} % of the air: {meaning}.") })
}

/// An explained HCI log with sentences on each connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostCaptured {
    /// Counts of the log, and the buffers of its controllers.
    #[serde(flatten)]
    pub log: HostLog,
    /// Every connection, in the order they ended.
    pub links: Vec<HostCapturedLink>,
    /// Sentence on what an HCI log does not show.
    pub unseen: &'static str,
}

/// Counts of an HCI log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostLog {
    /// HCI packets taken.
    pub packets: u64,
    /// Packets that are none.
    pub malformed: u64,
    /// Packets of connections and adapters beyond those that are followed.
    pub left_out: u64,
    /// Packets with a stamp before that of the packet in front of them.
    pub backwards: u64,
    /// Packets of BR/EDR, synchronous and isochronous data.
    pub other: u64,
    /// Packets that the log's writer has lost.
    pub drops: u32,
    /// Buffers of the controllers.
    pub buffers: Vec<Buffers>,
    /// Packets by kind: commands, events, ACL data.
    pub kinds: Kinds,
}

impl HostLog {
    /// Counts of packets that are in no stream: name, how many, and the words for them behind the number.
    pub fn besides(&self) -> [(&'static str, u64, &'static str); 5] {
        [
            ("malformed", self.malformed, "that are no packets of HCI"),
            ("left_out", self.left_out, "of connections beyond the first 256 or adapters beyond the first 16"),
            ("other", self.other, "of BR/EDR, synchronous or isochronous data"),
            ("backwards", self.backwards, "with a stamp before that of the one in front"),
            ("drops", self.drops.into(), "lost by the log's writer"),
        ]
    }
}

/// One connection of an HCI log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostCapturedLink {
    /// The connection as the log tells it.
    #[serde(flatten)]
    pub told: HostLink,
    /// Sentences about it.
    pub says: Vec<String>,
}

impl From<HostExplained> for HostCaptured {
    fn from(explained: HostExplained) -> Self {
        let HostExplained { packets, kinds, malformed, left_out, backwards, other, drops, buffers, links } = explained;
        let links = links.into_iter().map(|told| HostCapturedLink { says: told.says(), told }).collect();
        let log = HostLog { packets, malformed, left_out, backwards, other, drops, buffers, kinds };
        Self { log, links, unseen: UNSEEN }
    }
}
