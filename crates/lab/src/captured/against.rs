//! Connections of a capture beside those of a run of a plan.
//!
//! The run is captured as the capture was, the air or one host's HCI, and both are read by the same eyes: what those cannot see is open in
//! both, and what they book in one account is in one account of both. A is the plan, B the capture.

use airtime_link::Ordered;
use airtime_sniff::host::{HostLink, Stream};
use serde::Serialize;

use super::{CapturedLink, HostCapturedLink};
use crate::compare::{Books, Compared, Comparison, Ends, Estimate, Verdict, because, verdict};
use crate::explain::GAIN_MIN_PCT;
use crate::figure::Figure;
use crate::record::{Goodput, Negotiated, Record};

/// The schema's name, first in the document that `airtime trace read --against` prints.
pub const SCHEMA: &str = "airtime/trace-against/1";

/// Term of a connection in the plan's run and in the capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// Name of the term.
    pub term: &'static str,
    /// Value in the run; none where its capture does not show it.
    pub plan: Option<String>,
    /// Value in the capture; none where it does not show it.
    pub capture: Option<String>,
    /// Set if both are known and the same, clear if they differ; none where one is not known.
    pub same: Option<bool>,
}

/// A connection of the capture beside that of the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// Name of the connection in the capture.
    pub connection: String,
    /// Terms of both, those that weigh most first.
    pub terms: Vec<Term>,
    /// Figures and books of both: A is the plan, B the capture.
    pub comparison: Comparison,
}

/// One connection with a stream as a capture shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Name of the connection.
    pub name: String,
    /// Role of the host whose HCI it is, where that is known; none of the air.
    pub role: Option<&'static str>,
    /// Direction of the stream, where it is known.
    pub direction: Option<String>,
    terms: Vec<Named>,
    record: Record,
    figures: Vec<Count>,
}

/// Name of a term and its value, where a capture shows it.
type Named = (&'static str, Option<String>);

/// Figure that a record has no name for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    name: &'static str,
    unit: &'static str,
    value: Option<f64>,
    /// Set of a share in per cent, whose differences are told in points.
    share: bool,
}

impl Seen {
    /// The connection of a capture of the air; none without a stream.
    pub fn of_air(link: &CapturedLink) -> Option<Self> {
        let record = &link.record;
        let negotiated = record.negotiated.as_ref()?;
        if record.steady_ns == 0 {
            return None;
        }
        let carries = |name: &str| record.counters.get(name).is_some();
        let direction = direction(carries("octets.c2p"), carries("octets.p2c"));
        let count = |name: &str| record.counters.get(name).copied().unwrap_or(0) as f64;
        let (events, pdus, lost) = (count("events"), count("pdus.data"), count("pdus.lost"));
        let value = |value: f64, of: f64| (of > 0.0).then_some(value / of);
        let plain = |name, unit, value| Count { name, unit, value, share: false };
        Some(Self {
            name: record.label.clone(),
            role: None,
            terms: air_terms(record, negotiated, direction.clone()),
            direction,
            figures: vec![
                plain("packets_per_event", "packets", value(pdus, events)),
                plain("octets_per_packet", "octets", value(record.delivered_bytes as f64, pdus)),
                Count { name: "lost", unit: "%", value: value(100.0 * lost, pdus + lost), share: true },
            ],
            record: record.clone(),
        })
    }

    /// The connection of an HCI log: of its streams the one that carries more; none without any.
    pub fn of_host(link: &HostCapturedLink) -> Option<Self> {
        let told = &link.told;
        let octets = |stream: &Option<Stream>| stream.as_ref().map_or(0, |stream| stream.octets);
        let (sent, received) = (octets(&told.sent), octets(&told.received));
        let sends = sent >= received;
        let stream = if sends { &told.sent } else { &told.received }.as_ref()?;
        // What the smaller stream carries may be requests and answers alone.
        let direction = told.role.map(|role| if (role == "central") == sends { "c2p" } else { "p2c" }.to_owned());
        let plain = |name, unit, value| Count { name, unit, value, share: false };
        Some(Self {
            name: format!("connection {}", told.handle),
            role: told.role,
            terms: host_terms(told, sends, direction.clone()),
            direction,
            figures: vec![
                plain("packets_per_interval", "packets", stream.per_interval),
                plain("octets_per_packet", "octets", Some(stream.octets as f64 / stream.packets.max(1) as f64)),
                Count {
                    name: "air_needed",
                    unit: "%",
                    value: (stream.span_ns > 0).then(|| 100.0 * stream.air_ns as f64 / stream.span_ns as f64),
                    share: true,
                },
                plain("held", "ms", told.held_mean_ns.filter(|_| sends).map(|ns| ns as f64 / 1e6)),
            ],
            record: host_record(told, stream),
        })
    }

    /// This connection of a capture beside one of these of the plan's run; none where the run has none. `names` are those of the plan and
    /// of the capture.
    pub fn beside(&self, plan: &[Self], [a, b]: [&str; 2]) -> Option<Beside> {
        // The HCI of the same side, then the same direction: both logs of a run show its stream, from other ends.
        let rank = |seen: &&Self| {
            let role = self.role.is_none() || seen.role == self.role;
            (role, self.direction.is_none() || seen.direction == self.direction)
        };
        // Of several that are alike the first one counts.
        let partner = plan.iter().rev().max_by_key(rank)?;
        let terms: Vec<Term> = partner.terms.iter().zip(&self.terms).map(term).collect();
        Some(Beside { connection: self.name.clone(), comparison: comparison([partner, self], [a, b], &terms), terms })
    }
}

fn term((plan, capture): (&Named, &Named)) -> Term {
    let same = plan.1.as_ref().zip(capture.1.as_ref()).map(|(plan, capture)| plan == capture);
    Term { term: plan.0, plan: plan.1.clone(), capture: capture.1.clone(), same }
}

fn direction(c2p: bool, p2c: bool) -> Option<String> {
    match (c2p, p2c) {
        (true, true) => Some("both".to_owned()),
        (true, false) => Some("c2p".to_owned()),
        (false, true) => Some("p2c".to_owned()),
        (false, false) => None,
    }
}

/// Words for what a stream is of.
fn stream(link: &str) -> String {
    if link == "ble-gatt" { "attribute values" } else { "SDUs on a channel" }.to_owned()
}

fn number(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

fn air_terms(record: &Record, terms: &Negotiated, direction: Option<String>) -> Vec<Named> {
    vec![
        ("direction", direction),
        // Payloads that nobody could decrypt are of a stream, and nobody knows of which.
        ("stream", (record.counters.get("pdus.unreadable") == Some(&0)).then(|| stream(&record.link))),
        ("PHY", number(&terms.phy)),
        ("interval", number(&terms.conn_interval)),
        ("data length c2p", number(terms.dle.c2p)),
        ("data length p2c", number(terms.dle.p2c)),
        ("MPS", terms.mps.and_then(number)),
        ("credits", terms.initial_credits.and_then(number)),
        ("MTU", terms.mtu.and_then(number)),
        ("frame space", number(&terms.frame_space)),
        ("encrypted", number(terms.encrypted)),
    ]
}

/// Terms of a stream that an HCI log has; data length and PHY are those of the stream's direction.
fn host_terms(told: &HostLink, sends: bool, direction: Option<String>) -> Vec<Named> {
    // What is not reported stays as every connection begins, where the log has the beginning.
    let begun = |value: &str| told.role.map(|_| value.to_owned());
    let length = told.data_length.map(|length| if sends { length.sent_octets } else { length.received_octets });
    let phy = told.phy.map(|[sent, received]| if sends { sent } else { received }.to_owned());
    let att = match told.att_mtu {
        [Some(own), Some(peer)] => number(own.min(peer)),
        _ => None,
    };
    vec![
        ("direction", direction),
        ("stream", Some(stream(link_of(told)))),
        ("PHY", phy.or_else(|| begun("1M"))),
        ("interval", told.intervals.last().map(|interval| interval.interval.clone())),
        ("data length", length.map(|octets| octets.to_string()).or_else(|| begun("27"))),
        ("MPS", told.mps.and_then(number)),
        ("credits", told.credits.and_then(number)),
        ("MTU", told.mtu.map_or(att, number)),
        ("encrypted", number(told.encrypted)),
        ("buffers", told.buffers.map(|(octets, count)| format!("{count} of {octets} octets"))),
    ]
}

fn link_of(told: &HostLink) -> &'static str {
    if told.mps.is_some() { "ble-coc" } else { "ble-gatt" }
}

/// Record of a stream of an HCI log: its accounts are what it waited for.
fn host_record(told: &HostLink, stream: &Stream) -> Record {
    let interval_ns = told.intervals.last().map_or(0, |interval| interval.interval_ns);
    let events = stream.span_ns.checked_div(interval_ns).unwrap_or(0);
    let waits: Ordered<u64> = stream.waits.iter().map(|share| (share.account, share.ns)).collect();
    Record {
        id: told.handle.clone(),
        link: link_of(told).into(),
        goodput_kbps: Goodput::of(&[stream.goodput_kbps]),
        delivered_bytes: stream.octets,
        steady_ns: stream.span_ns,
        steady_ledger_ns: waits,
        counters: [("events", events)].into_iter().collect(),
        ..Record::default()
    }
}

/// Figures, books and the sentence on both: the plan's first.
fn comparison([plan, capture]: [&Seen; 2], [a, b]: [&str; 2], terms: &[Term]) -> Comparison {
    let (of_a, of_b) = (&plan.record, &capture.record);
    let rate = |record: &Record| record.goodput_kbps.median;
    let goodput = Estimate::exact(rate(of_a), rate(of_b));
    let mut figures = vec![Compared::of(&Figure::Goodput, &goodput, true, GAIN_MIN_PCT)];
    figures.extend(plan.figures.iter().zip(&capture.figures).filter_map(|(a, b)| counted(a, b)));
    let books = Books::of(&[of_a], &[of_b]);
    let found = figures[0].verdict;
    figures[0].because = clauses(terms, books.as_ref(), found);
    Comparison {
        a: a.to_owned(),
        b: b.to_owned(),
        point: String::new(),
        verdict: found,
        says: Comparison::sentence(a, b, &figures[0]),
        exact: false,
        repeats: 1,
        figures,
        ledger_ns: books.as_ref().map(Books::differences_ns).unwrap_or_default(),
        books,
        ends: Ends::default(),
        conditions: Vec::new(),
    }
}

/// A figure of both beside each other; none where either has none.
fn counted(a: &Count, b: &Count) -> Option<Compared> {
    let estimate = Estimate::exact(a.value?, b.value?);
    // Neither more nor less of a count is better by itself; of a share the difference counts as it is.
    let like = if a.share { Figure::Loss } else { Figure::Counter(a.name.to_owned()) };
    let judged = match verdict(&like, &estimate, GAIN_MIN_PCT) {
        Verdict::Better | Verdict::Worse => Verdict::Differs,
        other => other,
    };
    let figure = Compared::of(&like, &estimate, true, GAIN_MIN_PCT);
    Some(Compared { figure: a.name.to_owned(), unit: a.unit, verdict: judged, ..figure })
}

/// The largest difference: terms that are other ones, for they are what somebody sets, then the account of which most more or less of
/// the time is.
fn clauses(terms: &[Term], books: Option<&Books>, found: Verdict) -> String {
    let account = match found {
        Verdict::Better | Verdict::Worse => because(books, found),
        _ => books.and_then(shifted),
    };
    let differ: Vec<String> = terms.iter().filter_map(other).collect();
    let differ = (!differ.is_empty()).then(|| differ.join(", "));
    let clauses: Vec<String> = [differ, account].into_iter().flatten().collect();
    if clauses.is_empty() { format!("no account differs by {GAIN_MIN_PCT} % of the time") } else { clauses.join("; ") }
}

/// `interval 15ms for 30ms`: a term of the capture that is not the plan's.
fn other(term: &Term) -> Option<String> {
    let (plan, capture) = term.plan.as_ref().zip(term.capture.as_ref())?;
    (plan != capture).then(|| format!("{} {capture} for {plan}", term.term))
}

/// Clause on the account whose share of the time differs most, where that is worth a word.
fn shifted(books: &Books) -> Option<String> {
    let share = |ns: u64, steady: u64| 100.0 * ns as f64 / steady.max(1) as f64;
    let by = |booked: &crate::compare::Booked| {
        (share(booked.b_ns, books.steady_ns[1]) - share(booked.a_ns, books.steady_ns[0])).abs()
    };
    let most = books.accounts.iter().max_by(|one, other| by(one).total_cmp(&by(other)))?;
    (by(most) >= GAIN_MIN_PCT).then(|| books.says(most))
}

#[cfg(test)]
mod tests {
    use airtime_sniff::{ExplainedLink, Lengths};

    use super::*;
    use crate::record::DataLength;

    fn explained() -> ExplainedLink {
        ExplainedLink {
            access_address: "0x1".into(),
            from_start: true,
            interval_inferred: false,
            intervals: Vec::new(),
            longest: Lengths::default(),
            central: Vec::new(),
            peripheral: Vec::new(),
            missed_events: 0,
            misplaced: 0,
            booked: 0,
            undecided_ns: 0,
            ended: None,
            books: None,
        }
    }

    /// A stream from the peripheral with this interval, data length and time in `tail` out of a second with 100 events.
    fn seen(interval: &str, octets: u16, tail: u64, kbps: f64) -> Seen {
        let counters =
            [("events", 100), ("pdus.data", 600), ("pdus.lost", 0), ("octets.p2c", 60_000), ("pdus.unreadable", 0)];
        let record = Record {
            label: "connection 0x1".into(),
            link: "ble-coc".into(),
            negotiated: Some(Negotiated {
                conn_interval: interval.into(),
                phy: "2M".into(),
                dle: DataLength { c2p: 27, p2c: octets },
                ..Negotiated::default()
            }),
            goodput_kbps: Goodput::of(&[kbps]),
            delivered_bytes: 60_000,
            steady_ns: 1_000_000_000,
            steady_ledger_ns: [("payload.p2c", 1_000_000_000 - tail), ("tail", tail)].into_iter().collect(),
            counters: counters.into_iter().collect(),
            ..Record::default()
        };
        let link = CapturedLink { explained: explained(), record, says: Vec::new() };
        Seen::of_air(&link).expect("it has a stream")
    }

    #[test]
    fn a_term_that_differs_comes_before_the_account() {
        let (plan, capture) = (seen("30ms", 251, 100_000_000, 500.0), seen("15ms", 251, 300_000_000, 400.0));
        let beside = capture.beside(&[plan], ["coc", "air.pcapng"]).unwrap();
        assert_eq!(
            beside.comparison.says,
            "air.pcapng is worse: 0.80 times the goodput of coc, 400.0 kbps beside 500.0 kbps; interval 15ms for 30ms; tail +2.00 ms an event"
        );
        let interval = beside.terms.iter().find(|term| term.term == "interval").unwrap();
        assert_eq!((interval.plan.as_deref(), interval.same), (Some("30ms"), Some(false)));
        let credits = beside.terms.iter().find(|term| term.term == "credits").unwrap();
        assert_eq!((credits.capture.as_deref(), credits.same), (None, None), "what nobody has said is no difference");
    }

    #[test]
    fn the_same_is_said_to_be_the_same() {
        let (plan, capture) = (seen("30ms", 251, 100_000_000, 500.0), seen("30ms", 251, 100_000_000, 500.0));
        let beside = capture.beside(&[plan], ["coc", "air"]).unwrap();
        assert_eq!(
            beside.comparison.says,
            "air has the same goodput as coc: 500.0 kbps; no account differs by 1 % of the time"
        );
        let names: Vec<&str> = beside.comparison.figures.iter().map(|figure| figure.figure.as_str()).collect();
        assert_eq!(names, ["goodput", "packets_per_event", "octets_per_packet", "lost"]);
        assert!(beside.comparison.figures.iter().all(|figure| figure.verdict == Verdict::Same));
        assert_eq!(capture.beside(&[], ["a", "b"]), None);
    }

    #[test]
    fn the_same_goodput_with_other_books_names_the_account() {
        let (plan, capture) = (seen("30ms", 251, 100_000_000, 500.0), seen("30ms", 251, 200_000_000, 500.0));
        let says = capture.beside(&[plan], ["coc", "air"]).unwrap().comparison.says;
        assert!(says.contains(" ms an event"), "{says}");
    }
}
