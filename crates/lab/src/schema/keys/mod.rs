//! The keys of a plan: those of the plan as a whole, those of each link, and those of every run.

use std::sync::LazyLock;

use airtime_keys::{Default, Key, Keys, Kind, Knob, Run, Table, Turns};

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

/// Keys of the plan as a whole, after the links.
#[rustfmt::skip]
const TAIL: &[Key] = &[
    key("threshold.goodput", Kind::Threshold, Absent, NOBODY, "What the goodput must reach, or the command exits with 3."),
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
