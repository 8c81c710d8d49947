//! Explained capture, for views to lay out.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::account::Accountant;
use super::books::{Lengths, LinkBooks};
use super::link::FollowedLink;
use super::rules::Consistent;
use super::seen::{CENTRAL, PERIPHERAL};
use super::sentences;

/// A capture, explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Number of packets of the connection that were taken.
    pub packets: u64,
    /// Packets of no connection that is reported: too few of one access address, or stamps that are none.
    pub left_out: u64,
    /// Every connection, in the order they ended or were given up.
    pub links: Vec<ExplainedLink>,
    /// Packets of advertising among those taken: all with its access address.
    pub advertising: u64,
    /// Packets among these whose header says that they begin a connection, with a wrong CRC as well.
    pub requests: u64,
}

/// An interval and from when on it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interval {
    /// The stamp of the first anchor, in nanoseconds.
    pub from_ns: u64,
    /// The interval, with its unit.
    pub interval: String,
    /// The interval in nanoseconds.
    pub interval_ns: u64,
}

/// One connection of a capture.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    pub longest: Lengths,
    /// The central's rules with the margins its events are consistent with.
    pub central: Vec<Consistent>,
    /// Rules of the peripheral, each with the range that its events leave it.
    pub peripheral: Vec<Consistent>,
    /// Connection events without any packet: skipped by the central, or missed by the sniffer.
    pub missed_events: u64,
    /// Packets that could not be placed in the connection.
    pub misplaced: u64,
    /// Number of packets that were booked.
    pub booked: u64,
    /// Air of packets whose fate the air does not show: it may belong to another account.
    pub undecided_ns: u64,
    /// Reason that the connection ended, where that was captured.
    pub ended: Option<String>,
    /// Books of its air; none if no interval could be inferred.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub books: Option<LinkBooks>,
}

impl ExplainedLink {
    /// The connection, when the capture goes on until `end` at least.
    pub(super) fn of(link: FollowedLink, end: Instant) -> Self {
        let mut explained = Self {
            access_address: format!("0x{:08x}", link.address),
            from_start: link.start.is_some(),
            interval_inferred: false,
            intervals: Vec::new(),
            longest: Lengths::default(),
            central: Vec::new(),
            peripheral: Vec::new(),
            missed_events: 0,
            misplaced: link.misplaced,
            booked: 0,
            undecided_ns: link.undecided.as_nanos(),
            ended: None,
            books: None,
        };
        if let Some(mut account) = link.account {
            account.finish(link.heard);
            explained.fill(&account);
            let silent = end.saturating_since(link.heard);
            if explained.ended.is_none() && silent > account.timeout {
                explained.ended = Some(format!("silent for {silent}, longer than its supervision timeout"));
            }
        }
        explained
    }

    /// Sentences about the connection, the most important first.
    pub fn says(&self) -> Vec<String> {
        sentences::sentences(self)
    }

    fn fill(&mut self, account: &Accountant) {
        let interval = |(at, interval): &(Instant, Duration)| Interval {
            from_ns: at.as_nanos(),
            interval: interval.to_string(),
            interval_ns: interval.as_nanos(),
        };
        self.interval_inferred = account.interval_inferred;
        self.intervals = account.intervals.iter().map(interval).collect();
        self.longest = Lengths { c2p: account.air.octets[CENTRAL], p2c: account.air.octets[PERIPHERAL] };
        self.central = account.rules.central();
        self.peripheral = account.rules.peripheral();
        self.missed_events = account.missed;
        self.booked = account.booked;
        let who = |side| if side == CENTRAL { "central" } else { "peripheral" };
        self.ended = account.terminated.map(|(side, reason)| format!("{} by the {}", reason, who(side)));
        self.books = Some(LinkBooks::of(account));
    }
}
