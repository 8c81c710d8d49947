//! Keys that a file has said so far, or the personality that it is based on.

use airtime_keys::{Fault, Key, Source};
use serde_json::Value;

use super::{Personality, Trait};
use crate::toml::error::Place;

/// Keys that have been said so far.
#[derive(Default)]
pub struct Values {
    /// Those in tables.
    pub traits: Vec<Trait>,
    /// Those in no table.
    pub bare: Vec<(&'static Key, Value)>,
    /// Places in this file of the values that it says itself.
    places: Vec<(&'static str, Place)>,
}

impl Values {
    /// All that `base` says, marked as said by it.
    pub fn on(base: Option<&Personality>) -> Self {
        let Some(base) = base else { return Self::default() };
        let from = |entry: &Trait| entry.from.clone().or_else(|| Some(base.name.clone()));
        let traits = base.entries.iter().map(|entry| Trait { from: from(entry), ..entry.clone() }).collect();
        Self { traits, bare: base.bare.clone(), places: Vec::new() }
    }

    /// Takes a key that is in no table.
    pub fn take_bare(&mut self, key: &'static Key, value: Value, place: Place) {
        self.places.push((key.name, place));
        self.bare.retain(|(old, _)| old.name != key.name);
        self.bare.push((key, value));
    }

    /// Takes a key of a table.
    pub fn take(&mut self, read: Trait, place: Place) {
        self.places.push((read.key, place));
        self.traits.retain(|old| old.key != read.key);
        self.traits.push(read);
    }

    /// Place of a fault: the first of the keys it is about that the file says itself.
    pub fn place(&self, fault: &Fault) -> Place {
        let place = |name: &&str| self.places.iter().rfind(|(key, _)| key == name).map(|(_, place)| place.clone());
        fault.about.iter().find_map(place).unwrap_or_default()
    }
}

impl Source for Values {
    fn value(&self, key: &'static Key) -> Option<Value> {
        let bare = self.bare.iter().find(|(other, _)| other.name == key.name).map(|(_, value)| value);
        let said = self.traits.iter().find(|entry| entry.key == key.name).map(|entry| &entry.value);
        bare.or(said).cloned()
    }
}
