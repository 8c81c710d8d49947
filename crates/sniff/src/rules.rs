//! Rules and margins of both controllers that the events are consistent with.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds::{Bounds, Mark};

/// Of a thousand events so many may contradict a rule before it is excluded: a packet that was lost, or that the sniffer
/// missed, looks like a stop. *Assumed*.
const CONTRADICTED_PER_MILLE: u64 = 50;

/// A rule by which a controller ends an event though somebody has data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Rule {
    /// The next exchange, with an empty reply, has to end a margin and a gap before the next anchor.
    EmptyReply,
    /// Full reply: the exchange with a reply of the longest PDU that may be sent.
    FullReply,
    /// The next exchange, with an empty reply, has to end within a time from the anchor.
    TimeCap,
    /// Cap of packets of this side.
    PacketCap,
}

impl Rule {
    /// Name of the rule, as records write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmptyReply => "empty-reply",
            Self::FullReply => "full-reply",
            Self::TimeCap => "time-cap",
            Self::PacketCap => "packet-cap",
        }
    }

    /// Unit of its values.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::EmptyReply | Self::FullReply | Self::TimeCap => "µs",
            Self::PacketCap => "packets",
        }
    }
}

/// One end of a range, and the event that it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RangeEnd {
    /// µs, or packets for [`Rule::PacketCap`].
    pub value: f64,
    /// Number of the event among those captured.
    pub event: u64,
    /// Its anchor, as stamped, in nanoseconds.
    pub at_ns: u64,
}

/// A rule with the range of margins, times or packets that the events leave it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Consistent {
    /// Rule in question.
    pub rule: Rule,
    /// Set if any value is left.
    pub possible: bool,
    /// The margin is at least this; nothing stopped for this rule if there is none.
    pub low: Option<RangeEnd>,
    /// The margin is at most this; nothing went on if there is none.
    pub high: Option<RangeEnd>,
    /// Stops that the rule would have to explain, and those of them it cannot.
    pub stops: u64,
    /// Stops it cannot explain.
    pub contradicted: u64,
    /// Reason that excludes the rule, or the end that is open.
    pub says: String,
}

impl Consistent {
    /// Difference of both ends, where there are both.
    pub fn width(&self) -> Option<f64> {
        Some(self.high?.value - self.low?.value)
    }

    /// Tells if `value` is in the range.
    pub fn contains(&self, value: f64) -> bool {
        self.possible
            && self.low.is_none_or(|low| low.value <= value)
            && self.high.is_none_or(|high| value <= high.value)
    }
}

/// Evidence on both controllers.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// The central's margin if it budgets an empty reply.
    pub empty: Bounds,
    /// The central's margin if it budgets a full reply.
    pub full: Bounds,
    /// The central's cap of time, negated.
    pub time: Bounds,
    /// The central's cap of packets, negated.
    pub count: Bounds,
    /// The peripheral's margin, from where it replied.
    pub reply: Bounds,
    /// The peripheral's margin if it budgets full packets, from what it announced.
    pub announce: Bounds,
}

impl Rules {
    /// No evidence; times are off by at most `slop` nanoseconds.
    pub fn new(slop: i64) -> Self {
        let time = || Bounds::new(slop);
        Self { empty: time(), full: time(), time: time(), count: Bounds::new(0), reply: time(), announce: time() }
    }

    /// Ranges of the central's rules.
    pub fn central(&self) -> Vec<Consistent> {
        vec![
            margin(Rule::EmptyReply, &self.empty),
            margin(Rule::FullReply, &self.full),
            cap(Rule::TimeCap, &self.time, 1e3),
            cap(Rule::PacketCap, &self.count, 1.0),
        ]
    }

    /// Ranges of the peripheral's rules.
    pub fn peripheral(&self) -> Vec<Consistent> {
        let reply = margin(Rule::EmptyReply, &self.reply);
        let announce = margin(Rule::FullReply, &self.announce);
        let full = both(margin(Rule::FullReply, &self.reply), announce);
        vec![reply, full]
    }
}

fn end(mark: Mark, value: i64, unit: f64) -> RangeEnd {
    RangeEnd { value: value as f64 / unit, event: mark.event, at_ns: mark.at.as_nanos() }
}

fn excluded(bounds: &Bounds) -> Option<String> {
    let events = bounds.stopped.max(bounds.went_on);
    let too_many = bounds.contradicted * 1000 > events * CONTRADICTED_PER_MILLE && bounds.contradicted > 1;
    let (outlier, most) = bounds.outlier.zip(bounds.most()).filter(|_| too_many)?;
    Some(format!(
        "excluded: {} of {} stops contradict it; event {} stopped where event {} went on",
        bounds.contradicted, bounds.stopped, outlier.event, most.event
    ))
}

fn margin(rule: Rule, bounds: &Bounds) -> Consistent {
    let slop = bounds.slop();
    // A margin is not negative: a stop where even none would have ended the event bounds it by nothing.
    let low = bounds.more_than().map(|mark| end(mark, (mark.value - slop).max(0), 1e3));
    let high = bounds.most().map(|mark| end(mark, mark.value + slop, 1e3));
    let negative = high.filter(|high| high.value < 0.0);
    let says = match (negative, excluded(bounds)) {
        (Some(high), _) => {
            format!("excluded: in event {} it went on {:.0} µs too late for it", high.event, -high.value)
        }
        (None, Some(says)) => says,
        (None, None) => open(low, high, "margin"),
    };
    let possible = !says.starts_with("excluded");
    Consistent { rule, possible, low, high, stops: bounds.stopped, contradicted: bounds.contradicted, says }
}

fn cap(rule: Rule, bounds: &Bounds, unit: f64) -> Consistent {
    let slop = bounds.slop();
    let low = bounds.most().map(|mark| end(mark, -mark.value - slop, unit));
    let high = bounds.more_than().map(|mark| end(mark, -mark.value + slop - i64::from(unit < 2.0), unit));
    let says = match (excluded(bounds), high) {
        (Some(says), _) => says,
        (None, None) => "nothing shows a cap".to_owned(),
        (None, high) => open(low, high, "cap"),
    };
    let possible = !says.starts_with("excluded") && high.is_some();
    Consistent { rule, possible, low, high, stops: bounds.stopped, contradicted: bounds.contradicted, says }
}

/// A margin that two kinds of evidence bound.
fn both(a: Consistent, b: Consistent) -> Consistent {
    let higher = |x: RangeEnd, y: RangeEnd| if y.value > x.value { y } else { x };
    let lower = |x: RangeEnd, y: RangeEnd| if y.value < x.value { y } else { x };
    let merge = |x: Option<RangeEnd>, y: Option<RangeEnd>, pick: fn(RangeEnd, RangeEnd) -> RangeEnd| {
        x.zip(y).map(|(x, y)| pick(x, y)).or(x).or(y)
    };
    let (low, high) = (merge(a.low, b.low, higher), merge(a.high, b.high, lower));
    let empty = low.zip(high).is_some_and(|(low, high)| low.value > high.value);
    let says = match (a.possible, b.possible, empty) {
        (true, true, false) => open(low, high, "margin"),
        (true, false, _) => b.says,
        (false, _, _) => a.says,
        (true, true, true) => "excluded: what it announced and where it replied ask for different margins".to_owned(),
    };
    Consistent {
        rule: b.rule,
        possible: a.possible && b.possible && !empty,
        low,
        high,
        stops: a.stops + b.stops,
        contradicted: a.contradicted + b.contradicted,
        says,
    }
}

/// Events that the ends of a range come from, or the end that is open.
fn open(low: Option<RangeEnd>, high: Option<RangeEnd>, what: &str) -> String {
    match (low, high) {
        (Some(low), Some(high)) => {
            format!(
                "at least {:.1} by event {}, at most {:.1} by event {}",
                low.value, low.event, high.value, high.event
            )
        }
        (None, Some(high)) => format!("at most {:.1} by event {}; no event ended for it", high.value, high.event),
        (Some(low), None) => format!("at least {:.1} by event {}; no event went on", low.value, low.event),
        (None, None) => format!("no event says anything about this {what}"),
    }
}
