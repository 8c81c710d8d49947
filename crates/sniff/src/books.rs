//! Books of a connection's air, and the terms both sides had agreed on.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_ble::air::Phy;
use airtime_ble::ledger::{Account, Books};
use airtime_core::Duration;
use airtime_core::ledger::{Account as _, Ledger};

use super::account::{Accountant, ENDS};
use super::seen::{CENTRAL, PERIPHERAL};

/// Books of one connection. Of an empty sender the air shows only the sum, in `idle.app`, and of one without credits in
/// `idle.credits`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkBooks {
    /// Terms at the end.
    pub terms: Terms,
    /// Set if the stream is of attribute values, clear if it is of SDUs on a channel.
    pub values: bool,
    /// Octets of the stream, both directions.
    pub octets: u64,
    /// Books from the first anchor to the last packet.
    pub whole: Ledger<Account>,
    /// Books of the stream alone, from its first data on; none if no stream was captured.
    pub stream: Option<Ledger<Account>>,
    /// Counters by name.
    pub counters: Vec<(String, u64)>,
}

impl LinkBooks {
    /// Name of the kind of link whose plans have such a stream.
    pub const fn link(&self) -> &'static str {
        if self.values { "ble-gatt" } else { "ble-coc" }
    }

    /// Time of the set-up.
    pub fn setup(&self) -> Duration {
        self.whole.of(Account::Setup)
    }

    /// Account that most of the stream's lost time went to, by its name and in words, and that time; none if no stream was captured.
    pub fn bottleneck(&self) -> Option<(&'static str, &'static str, Duration)> {
        let ledger = self.stream.as_ref()?;
        let account = Books::bottleneck(ledger);
        // A capture does not tell a host that waits from an application.
        let meaning = match account {
            Account::IdleApp => "the sender had nothing to send: its application, its buffers or its host",
            other => other.meaning(),
        };
        Some((account.name(), meaning, ledger.of(account)))
    }
}

/// Octets of payload, each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Lengths {
    /// Central to peripheral.
    pub c2p: u16,
    /// Peripheral to central.
    pub p2c: u16,
}

/// Terms of a connection as the capture shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Connection interval, a span of time.
    pub interval: Duration,
    /// PHY of the side that streams.
    pub phy: Phy,
    /// Effective data length.
    pub data_length: Lengths,
    /// SDU MTU of the channel or ATT MTU, where it was captured.
    pub mtu: Option<u16>,
    /// Largest K-frame payload of the receiver, where it was captured.
    pub mps: Option<u16>,
    /// Credits of the channel's handshake, where it was captured.
    pub credits: Option<u16>,
    /// Space between a packet and its answer.
    pub frame_space: Duration,
    /// Set if data PDUs carry a MIC.
    pub encrypted: bool,
}

impl LinkBooks {
    pub(super) fn of(account: &Accountant) -> Self {
        let whole = account.books.ledger();
        Self {
            terms: terms(account),
            values: account.l2cap.values.contains(&true),
            octets: account.l2cap.octets[0] + account.l2cap.octets[1],
            whole: whole.clone(),
            stream: account.stream.as_ref().map(|(_, before)| whole.since(before)),
            counters: counters(account),
        }
    }

    /// The counter of this name; 0 where nothing was counted.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    }
}

fn terms(account: &Accountant) -> Terms {
    let sender = if account.streams[PERIPHERAL] { PERIPHERAL } else { CENTRAL };
    let terms = account.l2cap.channels.terms_of_receiver(sender);
    let att = account.l2cap.att_mtu;
    let air = &account.air;
    Terms {
        interval: air.interval,
        phy: air.phy[sender],
        data_length: Lengths { c2p: air.data_length(CENTRAL), p2c: air.data_length(PERIPHERAL) },
        mtu: terms.map(|terms| terms.mtu).or_else(|| att[0].zip(att[1]).map(|(a, b)| a.min(b))),
        mps: terms.map(|terms| terms.mps),
        credits: terms.map(|terms| terms.credits),
        frame_space: air.space(sender),
        encrypted: air.encrypted,
    }
}

fn counters(account: &Accountant) -> Vec<(String, u64)> {
    let mut counters: Vec<(String, u64)> =
        account.books.counts().named().into_iter().map(|(name, count)| (name.into(), count)).collect();
    for (side, name) in ["central", "peripheral"].into_iter().enumerate() {
        let ends = ENDS.iter().zip(account.ends[side]);
        counters.extend(ends.map(|((_, end), count)| (format!("closed.{name}.{end}"), count)));
    }
    let mut put = |name: &str, value: u64| counters.push((name.into(), value));
    put("events.missed", account.missed);
    put("pdus.unreadable", account.opaque);
    put("pdus.inferred", account.inferred);
    for (side, name) in ["c2p", "p2c"].into_iter().enumerate().filter(|(side, _)| account.streams[*side]) {
        put(&format!("octets.{name}"), account.l2cap.octets[side]);
    }
    counters
}
