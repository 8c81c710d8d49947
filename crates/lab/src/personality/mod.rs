//! Personalities: what differs between devices, as TOML, with value, status and source of every key.

mod file;
mod images;
mod values;

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use airtime_keys::Key;
use airtime_link::BuiltAs;
use serde_json::Value;

use crate::toml::PlanError;

pub use airtime_link::DeviceKind;
pub use file::{BASED_ON, DESCRIPTION, LINK};
use images::Images;
pub use images::ReadImage;

/// Device, or chain of devices, as data: its behaviour, and the status of each value.
#[derive(Clone, Debug)]
pub struct Personality {
    /// Name in plans.
    pub name: String,
    /// One line about the device.
    pub description: String,
    /// The personality it differs from, if it was written so.
    pub based_on: Option<String>,
    /// Kind of personality, as its link declares it.
    pub kind: &'static DeviceKind,
    built: BuiltAs,
    entries: Vec<Trait>,
    /// Keys in no table, which are values alone.
    bare: Vec<(&'static Key, Value)>,
}

/// One value of a personality, with its status and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Trait {
    /// Dotted name: `controller.margin`.
    pub key: &'static str,
    /// The value, as the file writes it.
    pub value: Value,
    /// Status of the value: measured, or merely plausible.
    pub status: Status,
    /// Origin of the value: document and place in it, or the reason for an assumption.
    pub source: String,
    /// Published rows it was checked against.
    pub checked: Vec<String>,
    /// The personality that says so, when it is not this one.
    pub from: Option<String>,
}

/// Status of a value: the way in which it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Somebody measured it and published it.
    Measured,
    /// It follows from published figures.
    Derived,
    /// A specification, a document or public code says so.
    Specified,
    /// Nobody published it; a plausible value.
    Assumed,
}

impl Status {
    /// Every status, best first.
    pub const ALL: [Self; 4] = [Self::Measured, Self::Derived, Self::Specified, Self::Assumed];

    /// As files write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Derived => "derived",
            Self::Specified => "specified",
            Self::Assumed => "assumed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error: the text is no status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected \"measured\", \"derived\", \"specified\" or \"assumed\"")]
pub struct UnknownStatus;

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        Self::ALL.into_iter().find(|status| status.name() == text).ok_or(UnknownStatus)
    }
}

impl Personality {
    /// Every value with its status and source, in the order of its kind's keys.
    pub fn describe(&self) -> &[Trait] {
        &self.entries
    }

    /// The value of this dotted name.
    pub fn get(&self, key: &str) -> Option<&Trait> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Device, or chain of devices, that it is of, whatever its type.
    pub(crate) fn built(&self) -> &(dyn Any + Send + Sync) {
        &*self.built
    }

    /// Device, or chain of devices, that it is of, if its link declares it as this type.
    pub fn of<P: 'static>(&self) -> Option<&P> {
        self.built.downcast_ref()
    }
}

/// The personalities a plan can name. Those that ship are read when somebody asks for them: most plans name one or two.
#[derive(Clone, Debug, Default)]
pub struct Library {
    places: Vec<Place>,
    images: Images,
}

/// Place of a personality in the library.
#[derive(Clone, Debug)]
struct Place {
    name: String,
    /// Text of one that ships.
    shipped: &'static str,
    personality: OnceLock<Personality>,
}

impl Library {
    /// No personality at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The personalities that ship with airtime.
    pub fn builtin() -> Self {
        let place = |(name, text): &(&str, &'static str)| Place {
            name: (*name).to_owned(),
            shipped: text,
            personality: OnceLock::new(),
        };
        Self { places: airtime_personalities::ALL.iter().map(place).collect(), images: Images::default() }
    }

    /// The same library, with `read` for the images of firmware that a plan names by their files. Without it there are none: this package
    /// opens no file.
    pub fn reading_images(self, read: ReadImage) -> Self {
        Self { images: Images::read_by(read), ..self }
    }

    /// Octets of the image of firmware at `path`, read once.
    ///
    /// # Errors
    /// A sentence, when it cannot be read, or nothing is read here.
    pub fn image(&self, path: &str) -> Result<Arc<[u8]>, String> {
        self.images.of(path)
    }

    /// Adds the personality `text` under `name`, which may be the path of its file; one of the same
    /// name is replaced. What it is `based_on` must be there already.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), PlanError> {
        let personality = file::read(name, text, self)?;
        let place = Place { name: name.to_owned(), shipped: "", personality: OnceLock::from(personality) };
        match self.places.iter().position(|known| known.name == name) {
            Some(position) => {
                // Those that ship differ from what ships, whatever takes its place.
                self.iter().for_each(drop);
                self.places[position] = place;
            }
            None => self.places.push(place),
        }
        Ok(())
    }

    /// The personality of this name.
    ///
    /// # Panics
    /// When one of those that ship is wrong, which a test rules out.
    pub fn get(&self, name: &str) -> Option<&Personality> {
        self.places.iter().find(|place| place.name == name).map(|place| self.read(place))
    }

    /// Every name, in the order they were added.
    pub fn names(&self) -> Vec<&str> {
        self.places.iter().map(|place| place.name.as_str()).collect()
    }

    /// Every personality, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Personality> {
        self.places.iter().map(|place| self.read(place))
    }

    fn read<'a>(&self, place: &'a Place) -> &'a Personality {
        let read = || file::read(&place.name, place.shipped, self).expect("built-in personalities are right");
        place.personality.get_or_init(read)
    }
}

#[cfg(test)]
mod tests;
