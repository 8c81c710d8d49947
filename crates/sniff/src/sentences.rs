//! Sentences about a connection.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::explained::ExplainedLink;
use super::rules::{Consistent, Rule};

/// Beyond this a margin is called an interval rather than a figure, in µs.
const NARROW_US: f64 = 20.0;

/// The largest margin that is published for a controller, in µs: the SoftDevice Controller's, rounded up. BLE-bench.
const MARGIN_US: f64 = 400.0;

/// Sentences on the link, the most important first.
pub(super) fn sentences(link: &ExplainedLink) -> Vec<String> {
    let mut says = vec![interval(link)];
    says.extend(side("central", &link.central));
    says.extend(side("peripheral", &link.peripheral));
    if link.missed_events > 0 {
        says.push(format!(
            "{} events have no packet: the central skipped them, or the capture missed them; their time is in other_link.",
            link.missed_events
        ));
    }
    let inferred = link.books.as_ref().map_or(0, |books| books.counter("pdus.inferred"));
    if inferred > 0 {
        says.push(format!(
            "{inferred} of {} packets were not captured: they are inferred from the gaps they leave, and booked so; none of them is loss on the air.",
            link.booked
        ));
    }
    if link.undecided_ns > 0 {
        says.push(format!(
            "{:.3} ms are of packets that may have been lost or not: the air shows no difference.",
            link.undecided_ns as f64 / 1e6
        ));
    }
    let unreadable = link.books.as_ref().map_or(0, |books| books.counter("pdus.unreadable"));
    if unreadable > 0 {
        says.push(format!(
            "{unreadable} payloads are encrypted and were not decrypted: each is taken for a K-frame of the stream, and 12 octets for credits."
        ));
    }
    if !link.from_start {
        says.push("The connection began before the capture: credits and the first SDU are not known.".into());
    }
    says.extend(link.ended.iter().map(|ended| format!("The connection was ended: {ended}.")));
    says
}

fn interval(link: &ExplainedLink) -> String {
    let Some(last) = link.intervals.last() else {
        return "The interval could not be inferred: too few anchors lie on one grid.".into();
    };
    let source = if link.interval_inferred { "inferred from the distances of anchors" } else { "as CONNECT_IND says" };
    let first = link.intervals.first().unwrap_or(last);
    match link.intervals.len() {
        1 => format!("The connection interval is {}, {source}.", first.interval),
        2 => format!("The connection interval is {}, {source}, and later {}.", first.interval, last.interval),
        n => format!(
            "The connection interval is {}, {source}, and {} at the end, after {} changes.",
            first.interval,
            last.interval,
            n - 1
        ),
    }
}

/// One sentence on the rules of a controller.
fn side(who: &str, rules: &[Consistent]) -> Option<String> {
    let stopped: Vec<&Consistent> = rules.iter().filter(|rule| rule.possible && rule.low.is_some()).collect();
    let told: Vec<String> = stopped.iter().filter(|rule| rule.high.is_some()).map(|rule| range(rule)).collect();
    match told.as_slice() {
        [] => bound(who, rules),
        [one] => Some(format!("The {who} is consistent with {one}.")),
        several => Some(format!(
            "The {who} is consistent with {}: while lengths and interval stay, the air does not tell them apart.",
            several.join(", or ")
        )),
    }
}

fn range(rule: &Consistent) -> String {
    let (low, high) = (rule.low.map_or(0.0, |end| end.value), rule.high.map_or(0.0, |end| end.value));
    let name = rule.rule.name();
    if rule.rule == Rule::PacketCap {
        return format!("{name} {low:.0} to {high:.0} packets");
    }
    let margin = matches!(rule.rule, Rule::EmptyReply | Rule::FullReply);
    let large = if margin && low > MARGIN_US { ", more than any controller is known for" } else { "" };
    match high - low {
        width if width <= NARROW_US => format!("{name} {low:.0} to {high:.0} µs{large}"),
        width => format!(
            "{name} {low:.0} to {high:.0} µs (an interval of {width:.0} µs: the lengths seen tell no more){large}"
        ),
    }
}

/// Sentence about a side that never stopped.
fn bound(who: &str, rules: &[Consistent]) -> Option<String> {
    let most = rules.iter().filter(|rule| rule.possible).find_map(|rule| rule.high.map(|high| (rule.rule, high)))?;
    let (rule, high) = most;
    Some(format!(
        "The {who} never ended an event that could have gone on; with {} its margin is at most {:.0} µs.",
        rule.name(),
        high.value
    ))
}
