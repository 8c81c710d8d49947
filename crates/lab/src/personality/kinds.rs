//! The registry: every kind of personality that a link declares. A new kind is one type in the crate of its link, and one
//! line here.

use std::any::Any;
use std::sync::Arc;

use airtime_ble_link::plan::Personality as Ble;
use airtime_keys::{Fault, Key, Personality, Source};
use airtime_wifi::plan::Chain;

/// Kinds of personality that the laboratory knows by what they declare; a file that names no link is of the first.
pub const KINDS: &[Kind] = &[Kind::of::<Ble>(), Kind::of::<Chain>()];

/// Device, or chain of devices, that a personality is of: the type that its link declares.
pub type Built = Arc<dyn Any + Send + Sync>;

/// Kind of personality, as its link declares it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Word of the key `link`.
    pub link: &'static str,
    /// Noun with its article, for sentences.
    pub about: &'static str,
    /// Its keys, in the order of the documentation.
    pub keys: &'static [Key],
    /// Builder of what it is of, from checked values.
    pub(super) build: fn(&dyn Source) -> Result<Built, Fault>,
}

impl Kind {
    const fn of<P: Personality + Send + Sync + 'static>() -> Self {
        Self { link: P::LINK, about: P::ABOUT, keys: P::KEYS, build: built::<P> }
    }

    /// The kind of this word.
    pub fn find(link: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.link == link)
    }

    /// The key of this dotted name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Tells if `name` is a table of keys.
    pub fn is_table(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
    }

    /// Names at the top of a file: keys in no table, and tables.
    pub fn top(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.keys.iter().filter_map(|key| key.name.split('.').next()).collect();
        names.dedup();
        names
    }
}

fn built<P: Personality + Send + Sync + 'static>(from: &dyn Source) -> Result<Built, Fault> {
    let built = P::read(from)?;
    built.check()?;
    Ok(Arc::new(built))
}
