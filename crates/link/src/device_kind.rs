//! Kind of personality that a link declares: its keys, and how a device of it is built from a file's values.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;

use airtime_keys::{Fault, Key, Personality, Source};

/// Device, or chain of devices, that a personality is of: the type that its link declares.
pub type BuiltAs = Arc<dyn Any + Send + Sync>;

/// Kind of personality, as its link declares it.
#[derive(Clone, Copy, Debug)]
pub struct DeviceKind {
    /// Word of the key `link`.
    pub link: &'static str,
    /// Noun with its article, for sentences.
    pub about: &'static str,
    /// Keys of its files, in the order of the documentation.
    pub keys: &'static [Key],
    /// Builder of what it is of, from checked values.
    build: fn(&dyn Source) -> Result<BuiltAs, Fault>,
}

impl DeviceKind {
    /// The kind of personality that `P` is.
    pub const fn of<P: Personality + Send + Sync + 'static>() -> Self {
        Self { link: P::LINK, about: P::ABOUT, keys: P::KEYS, build: built::<P> }
    }

    /// The device that the values of a file make.
    ///
    /// # Errors
    /// The first of the values that is missing or wrong, or does not belong with the others.
    pub fn build(&self, from: &dyn Source) -> Result<BuiltAs, Fault> {
        (self.build)(from)
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

fn built<P: Personality + Send + Sync + 'static>(from: &dyn Source) -> Result<BuiltAs, Fault> {
    let built = P::read(from)?;
    built.check()?;
    Ok(Arc::new(built))
}
