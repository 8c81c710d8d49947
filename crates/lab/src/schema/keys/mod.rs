//! The keys of a plan: those of the plan as a whole, those of each link, and those of every run.

use std::sync::LazyLock;

use airtime_keys::{Default, Key, Keys, Kind, Knob, Run, Table, Turns};

use crate::condition::Condition;
use crate::links;

/// The kinds of link this version has.
pub static LINKS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| links::ALL.iter().flat_map(|link| link.names().iter().copied()).collect());

/// Links whose keys may stand in one plan together: each family with its own keys, and with those that it shares.
pub static FAMILIES: LazyLock<Vec<&'static [Table]>> = LazyLock::new(|| {
    let own = links::ALL.iter().map(|link| link.tables());
    own.chain(links::ALL.iter().map(|link| link.traffic())).collect()
});

const NOBODY: Knob = Knob::Of(Turns::Nobody);

const fn key(name: &'static str, kind: Kind, default: Default, knob: Knob, doc: &'static str) -> Key {
    Key::new(name, kind, default, doc).turned_by(knob)
}

use Default::{Absent, From, Text};

/// Keys of the plan as a whole, before any link.
#[rustfmt::skip]
const HEAD: &[Key] = &[
    key("name", Kind::Text(120), From("the file's name"), NOBODY, "Name of the plan in tables and records."),
    key("note", Kind::Text(1000), Absent, NOBODY, "What is to be known about the plan's figures as a whole."),
    key("source", Kind::Text(400), Absent, NOBODY, "Where the plan's measured figures were published."),
];

/// The key that says which link it is.
pub static LINK: LazyLock<Key> = LazyLock::new(|| {
    Key::new("link", Kind::Choice(&LINKS), Text(links::ALL[0].names()[0]), &LINK_DOC).turned_by(NOBODY)
});

static LINK_DOC: LazyLock<String> = LazyLock::new(|| {
    let about: Vec<&str> = links::ALL.iter().map(|link| link.about()).collect();
    let (last, others) = about.split_last().expect("there is a link");
    format!("Kind of link: {}, or {last}.", others.join(", "))
});

/// Limits by the unit of their figures.
const RATES: &str = "a comparison with a rate such as \">= 500kbps\"";
const TIMES: &str = "a comparison with a time such as \"< 50ms\"";
const SHARES: &str = "a comparison with a share such as \"<= 1%\"";
const OCTETS: &str = "a comparison with a number of octets such as \"< 40000\"";

/// Key of a limit of the figure with this name.
macro_rules! limit {
    ($figure:literal, $allowed:expr, $doc:literal) => {
        key(
            concat!("threshold.", $figure),
            Kind::Parsed { allowed: $allowed, alternatives: &[], canonical: |text| limit($figure, text) },
            Absent,
            NOBODY,
            $doc,
        )
    };
}

/// Canonical form of a limit of `figure`: of one run, so that it is no difference to another.
fn limit(figure: &str, text: &str) -> Result<String, String> {
    match format!("{figure} {text}").parse::<Condition>() {
        Ok(condition) if condition.is_relative() => Err(format!("`{text}` is a difference, and there is one run")),
        Ok(_) => Ok(text.trim().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Keys of the plan as a whole, after the links.
#[rustfmt::skip]
const TAIL: &[Key] = &[
    key("threshold.goodput", Kind::Threshold, Absent, NOBODY, "What the goodput must reach, or the command exits with 3."),
    limit!("worst_link", RATES, "What the goodput of the link or stream that carries least must reach."),
    limit!("delay_p50", TIMES, "What the median of the delay must keep to."),
    limit!("delay_p95", TIMES, "What the 95th percentile of the delay must keep to."),
    limit!("delay_p99", TIMES, "What the 99th percentile of the delay must keep to."),
    limit!("loss", SHARES, "What the share must keep to of what left the sender and was lost."),
    limit!("call_time", TIMES, "What the mean time of a remote call must keep to."),
    limit!("call_p99", TIMES, "What the 99th percentile of the time of a remote call must keep to."),
    limit!("setup", TIMES, "What the time to the first payload must keep to."),
    limit!("ram", OCTETS, "What the buffers in the RAM of all chips must keep to, in octets."),
    key("need.rate", Kind::Rates, Absent, NOBODY, "What the application wants, or a range of it; tables show the headroom."),
];

/// Links to which a key means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// None: it is about the plan as a whole, and cannot differ between points.
    Plan,
    /// Every link.
    Every,
    /// The links of these names.
    Of(Vec<&'static str>),
}

/// Every key of a plan, in the order of documentation and records.
pub static KEYS: LazyLock<Vec<&'static Key>> = LazyLock::new(|| SCOPES.iter().map(|(key, _)| *key).collect());

/// Every key with the links to which it means something.
pub(super) static SCOPES: LazyLock<Vec<(&'static Key, Scope)>> = LazyLock::new(|| {
    let mut all: Vec<(&'static Key, Scope)> = HEAD.iter().map(|key| (key, Scope::Plan)).collect();
    all.push((&LINK, Scope::Every));
    for table in FAMILIES.iter().copied().flatten() {
        for key in table.keys {
            let here = !table.without.iter().any(|other| other.name == key.name);
            let links = if here { table.links } else { &[] };
            match all.iter_mut().find(|(known, _)| known.name == key.name) {
                Some((_, Scope::Of(known))) => known.extend(links),
                _ => all.push((key, Scope::Of(links.to_vec()))),
            }
        }
    }
    all.extend(Run::KEYS.iter().map(|key| (key, Scope::Every)));
    all.extend(TAIL.iter().map(|key| (key, Scope::Plan)));
    all
});
