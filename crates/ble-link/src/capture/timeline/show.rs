//! Tracks of a connection, with the slices and notes that they show.

use airtime_ble::ledger::Account;
use airtime_ble::medium::Transmission;
use airtime_ble::trace::Verdict;
use airtime_capture::Sink;
use airtime_capture::perfetto::{Annotation, Value, Writer};
use airtime_core::Instant;
use airtime_core::ledger::Account as _;

use super::link::{self, End, Link};
use super::names;
use super::stall::{self, Closing};

/// Shows the last event of an end, and why it waited from there until `until`, when the event `opens` opens.
pub(super) fn settle<S: Sink>(
    writer: &mut Writer<S>,
    link: &mut Link,
    side: usize,
    opens: Option<u16>,
    until: Instant,
) {
    let Some((end, closing)) = link.ends[side].as_ref().and_then(|end| Some((end, end.closing?))) else { return };
    let peer = link.ends[1 - side].as_ref().and_then(|end| end.closing);
    let idle_since = closing.idle_since.unwrap_or(link.ended(&closing));
    event(writer, link, end, &closing);
    if idle_since < until {
        let account = stall::cause(&closing, peer.as_ref(), &link.skips);
        let after = [("after", Value::Count(closing.counter.into()))];
        // Events that are of nobody begin with the first of their anchors.
        let from = end.unused.map_or(until, |(from, _)| from.clamp(idle_since, until));
        for (from, until, account) in [(idle_since, from, account), (from, until, Account::Latency)] {
            if from < until {
                writer.slice(end.stalls, from, until, account.name(), &after);
            }
        }
    }
    if let Some(end) = &mut link.ends[side] {
        end.unused = None;
    }
    // An end that gave an event up while its first packet was on the air waits for the next one from there.
    if let Some(end) = link.ends[side].as_mut().filter(|_| opens == Some(closing.counter)) {
        end.closing = Some(Closing { anchor: None, idle_since: Some(closing.at.max(until)), ..closing });
    }
}

/// Shows an event that began on the air.
pub(super) fn event<S: Sink>(writer: &mut Writer<S>, link: &Link, end: &End, closing: &Closing) {
    if let Some(anchor) = closing.anchor {
        writer.slice(end.events, anchor, link.ended(closing), "event", &notes(closing));
    }
}

/// Notes on an event.
pub(super) fn notes(closing: &Closing) -> [Annotation<'static>; 4] {
    [
        ("counter", Value::Count(closing.counter.into())),
        ("exchanges", Value::Count(closing.exchanges.into())),
        ("end", Value::Text(names::event_end(closing.end))),
        ("had_data", Value::Flag(closing.had_data)),
    ]
}

/// Shows a packet at its sender, and at its receiver if that got it.
pub(super) fn pdu<S: Sink>(
    writer: &mut Writer<S>,
    link: &Link,
    sent: &Transmission,
    from: usize,
    [tx, rx]: [&str; 2],
    verdict: Verdict,
) {
    let header = sent.packet.first().copied().unwrap_or(0);
    let notes = [
        ("direction", Value::Text(if from == 0 { "c2p" } else { "p2c" })),
        ("octets", Value::Count(link::octets(sent))),
        ("verdict", Value::Text(names::verdict(verdict))),
        ("channel", Value::Count(sent.channel.into())),
        ("phy", Value::Text(sent.phy.name())),
        ("sn", Value::Flag(header & 8 != 0)),
        ("nesn", Value::Flag(header & 4 != 0)),
        ("md", Value::Flag(header & 16 != 0)),
    ];
    let sides = [(from, tx, true), (1 - from, rx, verdict != Verdict::Unheard)];
    for (side, name, _) in sides.into_iter().filter(|(.., shown)| *shown) {
        if let Some(end) = &link.ends[side] {
            writer.slice(end.pdus, sent.start, sent.end, name, &notes);
        }
    }
}
