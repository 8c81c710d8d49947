//! Declared keys, and where their values come from.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use crate::{ConfigOption, Eases, Fault, Field, Kind, Knob, Step, Turns};

/// One key of a plan, or of a personality.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted name of the key: `coc.sdu`.
    pub name: &'static str,
    /// Kind of values that the key takes.
    pub kind: Kind,
    /// Unit of a count, for people; quantities carry their own.
    pub unit: Option<&'static str>,
    /// Value when the plan does not say.
    pub default: Default,
    /// Owner of the key; nobody turns what a device is like.
    pub knob: Knob,
    /// Part that it has in the throughput; none where it has none that anybody would change.
    pub eases: Option<Eases>,
    /// Values that `explain` tries; none: what is usual for its kind and its link.
    pub steps: &'static [Step],
    /// Options of build configurations that it is.
    pub config: &'static [ConfigOption],
    /// Text of the key: a sentence or two about it.
    pub doc: &'static str,
}

/// Value of a key when the plan does not say.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// This number is the default.
    Count(u64),
    /// This text, word or quantity is the default.
    Text(&'static str),
    /// This flag is the default.
    Flag(bool),
    /// The default comes from a personality or from other keys, as described.
    From(&'static str),
    /// No default: without a value the key is absent.
    Absent,
}

impl Default {
    /// The fixed value, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Count(n) => Some(n.into()),
            Self::Text(text) => Some(text.into()),
            Self::Flag(flag) => Some(flag.into()),
            Self::From(_) | Self::Absent => None,
        }
    }
}

impl Key {
    /// A key that nobody turns, with no steps and no line in a build configuration.
    pub const fn new(name: &'static str, kind: Kind, default: Default, doc: &'static str) -> Self {
        Self {
            name,
            kind,
            unit: None,
            default,
            knob: Knob::Of(Turns::Nobody),
            eases: None,
            steps: &[],
            config: &[],
            doc,
        }
    }

    /// The key with its owner.
    #[must_use]
    pub const fn turned_by(self, knob: Knob) -> Self {
        Self { knob, ..self }
    }

    /// The key with its part in the throughput.
    #[must_use]
    pub const fn easing(self, eases: Eases) -> Self {
        Self { eases: Some(eases), ..self }
    }

    /// Part of the name before the last dot, empty for `name` and `link`.
    pub fn table(&self) -> &'static str {
        self.name.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Part of the name behind the last dot.
    pub fn last(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, last)| last)
    }
}

/// Values that a plan has set, each of which its key's [`Kind`] has accepted.
pub trait Source {
    /// The value of `key`, if it was set.
    fn value(&self, key: &'static Key) -> Option<Value>;
}

impl<F: Fn(&'static Key) -> Option<Value>> Source for F {
    fn value(&self, key: &'static Key) -> Option<Value> {
        self(key)
    }
}

/// A struct whose fields are keys: of one table of a plan, or of a personality with its nested tables.
pub trait Keys: Sized {
    /// Rest of the scenario as far as it decides which of these keys mean something in it.
    type Context;

    /// The keys, in the order of documentation and records.
    const KEYS: &'static [Key];

    /// The values that were set, or their fixed defaults.
    ///
    /// # Errors
    /// When parts of a table do not belong together, or one that has to be set is not.
    fn read(from: &dyn Source) -> Result<Self, Fault>;

    /// Tells every key that means something in this context, with its value in effect. The head of a table whose parts
    /// are told is left out.
    fn show(&self, context: &Self::Context, told: &mut dyn FnMut(&'static Key, Value));
}

/// Keys, and the links to which they mean something.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The keys, in the order of documentation and records.
    pub keys: &'static [Key],
    /// Names of links, as plans write them.
    pub links: &'static [&'static str],
    /// Keys among them that mean nothing to these links.
    pub without: &'static [&'static Key],
}

impl Table {
    /// A table all of whose keys mean something to `links`.
    pub const fn new(keys: &'static [Key], links: &'static [&'static str]) -> Self {
        Self { keys, links, without: &[] }
    }

    /// Tells if `key` is one of these and means something to the link of this name.
    pub fn covers(&self, key: &Key, link: &str) -> bool {
        let same = |other: &Key| other.name == key.name;
        self.links.contains(&link) && self.keys.iter().any(same) && !self.without.iter().any(|other| same(other))
    }
}

/// The value of a key that has to be set.
///
/// # Errors
/// When it is not.
pub fn required<T: Field>(key: &'static Key, from: &dyn Source) -> Result<T, Fault> {
    let value = from.value(key).ok_or_else(|| Fault::new(format!("`{}` is missing", key.name)));
    let field = value.and_then(|value| {
        T::parse(&value).ok_or_else(|| Fault::new(format!("`{}`: {value} is not one of its values", key.name)))
    });
    field.map_err(|fault| fault.allowing(key.kind.allowed()).about([key]))
}

/// The keys of a struct and of those nested in it, one behind the other.
pub const fn joined<const N: usize>(runs: &[&[Key]]) -> [Key; N] {
    let mut all = [Key::new("", Kind::Flag, Default::Absent, ""); N];
    let (mut at, mut run) = (0, 0);
    while run < runs.len() {
        let mut index = 0;
        while index < runs[run].len() {
            all[at] = runs[run][index];
            at += 1;
            index += 1;
        }
        run += 1;
    }
    assert!(at == N, "as many keys as were counted");
    all
}

/// Refuses a table of which some parts are set and others are not. `keys` are its head and its parts.
///
/// # Errors
/// With the parts that it needs.
pub fn together(keys: &'static [Key], from: &dyn Source) -> Result<(), Fault> {
    let [head, parts @ ..] = keys else { return Ok(()) };
    let is_set = |part: &'static Key| from.value(part).is_some();
    // A part with a value of its own may be left out.
    let needed = || parts.iter().filter(|part| !matches!(part.default, Default::From(_)));
    if !parts.iter().any(is_set) || needed().all(is_set) {
        return Ok(());
    }
    let names: Vec<String> = needed().map(|part| format!("`{}`", part.last())).collect();
    let what = format!("`{}` needs both {}", head.name, names.join(" and "));
    Err(Fault::new(what).allowing(format!("\"none\", {{ {} }}", names.join(", ").replace('`', ""))).about(parts))
}
