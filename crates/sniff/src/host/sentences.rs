//! Sentences about a connection of an HCI log.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_ble::air::Phy;

use super::explained::{HostLink, Stream};
use super::lane::Wait;
use super::link::INTERVALS_MAX;

/// Sentence on what an HCI log does not show of a link.
pub const UNSEEN: &str = "HCI alone does not show: losses and repetitions, channels, empty packets, the gaps on the air, what ends a \
                          connection event, and why the other side had nothing to send. A sniffer's capture shows the first five, the other \
                          side's log the last.";

/// From this share of the air on little is left for more, in percent. *Assumed*: an event ends a packet early, and a packet of 251 octets
/// takes a tenth of an interval of 15 ms.
const NEARLY_ALL: f64 = 85.0;

/// Name of a PHY as events have it: they do not say the coding.
pub(super) const fn phy(phy: Phy) -> &'static str {
    match phy {
        Phy::Le1M => "1M",
        Phy::Le2M => "2M",
        Phy::LeCodedS2 | Phy::LeCodedS8 => "coded",
    }
}

/// Name of what a stream waited for, of this host's own or of the other's.
pub(super) const fn account(wait: Wait, own: bool) -> &'static str {
    match (wait, own) {
        (Wait::Full, _) => "controller.full",
        (Wait::Held, _) => "controller.some",
        (Wait::Credits, _) => "credits",
        (Wait::Answer, _) => "answer",
        (Wait::Nothing, true) => "host",
        (Wait::Nothing, false) => "unknown",
    }
}

/// Words for an account.
fn meaning(account: &str, link: &HostLink) -> String {
    match account {
        "controller.full" => match link.buffers {
            Some((_, count)) => format!(
                "the controller's {count} buffers were all full: the link limits, or the number of buffers, and not the application"
            ),
            None => "the controller's buffers were all full: the link limits".into(),
        },
        "controller.some" => {
            "the controller held packets and had room for more: the host waits for its own packets before it hands over the next".into()
        }
        "credits" => "the receiver had given no credits".into(),
        "answer" => "the sender waited for the answer to a request or an indication".into(),
        "host" => "this host had handed over nothing: its application, its stack or its buffers".into(),
        _ => "the next packet had not come: the air, or the other side".into(),
    }
}

/// Sentences on the link, the most important first.
pub(super) fn sentences(link: &HostLink) -> Vec<String> {
    let mut says: Vec<String> = Vec::new();
    for (direction, stream) in [("sent", &link.sent), ("received", &link.received)] {
        says.extend(stream.as_ref().and_then(|stream| cause(direction, stream, link)));
    }
    says.push(interval(link));
    says.push(lengths(link));
    says.extend(mtu(link));
    says.extend(channel(link));
    says.extend(held(link));
    if link.cut > 0 {
        says.push(format!("{} packets are cut short in the log: their payload is counted, not read.", link.cut));
    }
    if link.role.is_none() {
        says.push("The connection began before the log: its role, its interval and its credits are known only as far as they changed.".into());
    }
    says.extend(link.ended.iter().map(|ended| format!("The connection ended: {ended}.")));
    says
}

/// Sentence on what a stream waited for most, and on what the air needs for it.
fn cause(direction: &str, stream: &Stream, link: &HostLink) -> Option<String> {
    let most = stream.waits.iter().max_by_key(|share| share.ns)?;
    let all: u64 = stream.waits.iter().map(|share| share.ns).sum();
    let share = 100.0 * most.ns as f64 / all.max(1) as f64;
    let air = 100.0 * stream.air_ns as f64 / stream.span_ns.max(1) as f64;
    let left = if air >= NEARLY_ALL { ": little is left" } else { "" };
    Some(format!(
        "For {share:.0} % of the time of what was {direction}, {}. Without a loss it takes {air:.0} % of the air{left}.",
        meaning(most.account, link)
    ))
}

fn interval(link: &HostLink) -> String {
    let subrate = link.subrate.filter(|factor| *factor > 1);
    let subrate = subrate.map(|factor| format!(", of which every {factor}th is used")).unwrap_or_default();
    match (link.intervals.first(), link.intervals.last(), link.intervals.len()) {
        (Some(first), _, 1) => format!("The connection interval is {}{subrate}.", first.interval),
        (Some(first), Some(last), changes) => format!(
            "The connection interval is {}, and {} at the end{subrate}, after {}{} change{}.",
            first.interval,
            last.interval,
            if changes < INTERVALS_MAX { "" } else { "at least " },
            changes - 1,
            if changes == 2 { "" } else { "s" }
        ),
        _ => "The connection interval is not in the log: it was set before, and never changed.".into(),
    }
}

fn lengths(link: &HostLink) -> String {
    let phy = match link.phy {
        Some([sent, received]) if sent == received => format!("PHY {sent}"),
        Some([sent, received]) => format!("PHY {sent} sent and {received} received"),
        None if link.role.is_some() => "no change of the PHY (1M, unless the connection began on another)".into(),
        None => "PHY not in the log".into(),
    };
    match (link.data_length, link.role) {
        (Some(length), _) => format!(
            "Data length: {} octets in {} µs sent, {} octets in {} µs received; {phy}.",
            length.sent_octets, length.sent_us, length.received_octets, length.received_us
        ),
        (None, Some(_)) => format!("Data length: 27 octets, for no change was reported; {phy}."),
        (None, None) => format!("Data length not in the log; {phy}."),
    }
}

fn mtu(link: &HostLink) -> Option<String> {
    match link.att_mtu {
        [Some(own), Some(peer)] => {
            Some(format!("ATT MTU {}: this host takes {own}, the other {peer}.", own.min(peer).max(23)))
        }
        [None, None] => None,
        [Some(mtu), None] | [None, Some(mtu)] => Some(format!("Of the ATT MTU the log has one side alone, {mtu}.")),
    }
}

fn channel(link: &HostLink) -> Option<String> {
    let (mtu, mps, credits) = (link.mtu?, link.mps?, link.credits?);
    Some(format!(
        "The channel's receiver takes SDUs of {mtu} octets in K-frames of {mps}, and gave {credits} credits at first."
    ))
}

fn held(link: &HostLink) -> Option<String> {
    let mean = link.held_mean_ns?;
    let of = match link.buffers {
        Some((octets, count)) => format!(" of its {count} buffers of {octets} octets"),
        None => String::new(),
    };
    Some(format!(
        "The controller held up to {} packet{}{of}, each for {:.1} ms on average and {:.1} ms at most.",
        link.held_most,
        if link.held_most == 1 { "" } else { "s" },
        mean as f64 / 1e6,
        link.held_longest_ns as f64 / 1e6
    ))
}
