//! From settings and personalities to a scenario: what every link shares, and which link it is.

use std::any::Any;
use std::sync::Arc;

use super::params::params;
use super::scenario::Scenario;
use super::settings::Settings;
use crate::links::{self, Devices, LINK};
use crate::personality::Library;
use crate::schema::{KEYS, Key, Scope, below, is_table, scope};
use crate::toml::error::{At, Fault, PlanError};

/// Source of a scenario: settings and personalities.
pub struct Resolver<'a> {
    /// The plan's file, for errors.
    pub file: &'a str,
    /// Settings of the point.
    pub set: &'a Settings,
    /// The personalities.
    pub library: &'a Library,
}

impl Resolver<'_> {
    /// The scenario, checked.
    pub fn scenario(&self) -> Result<Scenario, PlanError> {
        let link = self.checked()?;
        let covered =
            |(key, _): &(&'static Key, _)| matches!(scope(key), Scope::Of(_)) && scope(key).covers(link.link());
        let asked = self.set.all().filter(covered).map(|(key, value)| (key, value.clone())).collect();
        Ok(Scenario { params: params(&*link), asked, link })
    }

    /// The plan as its link reads it, checked.
    pub fn checked(&self) -> Result<Box<dyn links::Scenario>, PlanError> {
        let name = self.set.text(LINK).unwrap_or_default();
        let link = links::find(name).expect("the kind of the key `link` is the names of all links");
        let scenario = link.read(name, self.set, self.library).map_err(|fault| self.placed(fault))?;
        self.only_about(scenario.link())?;
        Ok(scenario)
    }

    /// No key is set that is about another kind of link.
    fn only_about(&self, link: &str) -> Result<(), PlanError> {
        let stray = KEYS.iter().find(|key| !scope(key).concerns(link) && self.set.set(key.name).is_some());
        let Some(key) = stray else { return Ok(()) };
        let what = format!("`{}` means nothing to the link `{}`", key.name, link);
        let tables: Vec<&str> = below("").into_iter().filter(|table| concerns(table, link)).collect();
        Err(self.error(&[key.name], Fault::new(what).allowing(tables.join(", "))))
    }

    /// The error of a fault at the first of the keys it is about that was set.
    pub fn placed(&self, fault: Fault) -> PlanError {
        let place = self.set.place(&fault.about);
        fault.at(self.file, place)
    }

    /// An error at the first of `keys` that was set.
    pub fn error(&self, keys: &[&str], fault: Fault) -> PlanError {
        fault.at(self.file, self.set.place(keys))
    }
}

/// Tells if any key of this table means something to `link`.
fn concerns(table: &str, link: &str) -> bool {
    let mut keys = KEYS.iter().filter(|key| key.name.split('.').next() == Some(table));
    is_table(table) && keys.any(|key| *scope(key) != Scope::Plan && scope(key).concerns(link))
}

impl Devices for Library {
    fn device(&self, key: &'static Key, name: &str, kind: &str) -> Result<&dyn Any, Fault> {
        let known = || -> Vec<&str> {
            self.iter().filter(|known| known.kind.link == kind).map(|known| known.name.as_str()).collect()
        };
        let Some(personality) = self.get(name) else {
            let fault = Fault::new(format!("there is no personality `{name}`"));
            return Err(fault.one_of(name, known()).about([key]));
        };
        if personality.kind.link != kind {
            let expected = links::device_kind(kind).map_or(kind, |kind| kind.about);
            let what = format!("`{}`: `{name}` is {}, not {expected}", key.name, personality.kind.about);
            return Err(Fault::new(what).allowing(known().join(", ")).about([key]));
        }
        Ok(personality.built())
    }

    fn image(&self, key: &'static Key, path: &str) -> Result<Arc<[u8]>, Fault> {
        Library::image(self, path).map_err(|why| Fault::new(format!("`{}`: `{path}`: {why}", key.name)).about([key]))
    }
}
