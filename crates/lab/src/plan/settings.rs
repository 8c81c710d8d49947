//! The keys a plan, a row, an axis or an option has set, with the place of each.

use airtime_keys::Source;
use serde_json::Value;

use crate::schema::{self, KEYS, Key, Kind, Scope, index, scope};
use crate::toml::error::{At, Fault, Place, PlanError};
use crate::toml::tree::{Data, Entry, Node};

/// One thing somebody set.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Key that is set.
    pub key: &'static Key,
    /// Place of its name.
    pub place: Place,
    /// Value it is set to.
    pub node: Node,
}

/// A value and where it was given.
#[derive(Clone, Debug)]
struct Slot {
    value: Value,
    place: Place,
}

/// Values that were set, by position in [`KEYS`]; canonical values only.
#[derive(Clone, Debug)]
pub struct Settings {
    slots: Vec<Option<Slot>>,
}

impl Settings {
    /// Nothing set.
    pub fn new() -> Self {
        Self { slots: vec![None; KEYS.len()] }
    }

    /// Sets what `assignment` says; what it excludes is no longer set. Null takes back whatever was set.
    pub fn assign(&mut self, file: &str, assignment: &Assignment) -> Result<(), PlanError> {
        let Assignment { key, place, node } = assignment;
        match (&key.kind, &node.data) {
            (_, Data::Value(Value::Null)) => {
                self.clear_below(key.name);
                self.slots[index(key)] = None;
                Ok(())
            }
            (Kind::Forms { .. }, Data::Table(entries)) => self.assign_table(file, key, entries),
            (Kind::Forms { .. }, _) => {
                let value = checked(file, key, node)?;
                self.clear_below(key.name);
                self.put(key, value, place.clone());
                Ok(())
            }
            _ => {
                let value = checked(file, key, node)?;
                self.make_room(key, place);
                self.put(key, value, place.clone());
                Ok(())
            }
        }
    }

    /// A whole table of a key with forms: it replaces what was there.
    fn assign_table(&mut self, file: &str, key: &Key, entries: &[Entry]) -> Result<(), PlanError> {
        self.clear_below(key.name);
        self.slots[index(key)] = None;
        for entry in entries {
            let name = format!("{}.{}", key.name, entry.name);
            let Some(part) = schema::find(&name) else { return Err(unknown(file, &name, &entry.place, None)) };
            let value = checked(file, part, &entry.node)?;
            self.put(part, value, entry.place.clone());
        }
        Ok(())
    }

    /// Before a single part of a table is set: what does not belong to any form with it goes, and a
    /// word that stands for a table with this part becomes that table.
    fn make_room(&mut self, part: &Key, place: &Place) {
        let Some(head) = schema::find(part.table()) else { return };
        let Kind::Forms { forms, parts, .. } = head.kind else { return };
        let name = |key: &'static Key| key.name.rsplit('.').next().unwrap_or(key.name);
        let own = part.name.rsplit('.').next().unwrap_or(part.name);
        let word = self.slots[index(head)].take().and_then(|slot| slot.value.as_str().map(str::to_owned));
        for (name, value) in word.as_deref().map(parts).unwrap_or_default() {
            if let Some(key) = schema::find(&format!("{}.{name}", head.name)) {
                self.put(key, value, place.clone());
            }
        }
        for key in KEYS.iter().filter(|key| key.table() == head.name) {
            if !forms.iter().any(|form| form.contains(&own) && form.contains(&name(key))) {
                self.slots[index(key)] = None;
            }
        }
    }

    fn clear_below(&mut self, table: &str) {
        for key in KEYS.iter().filter(|key| key.table() == table) {
            self.slots[index(key)] = None;
        }
    }

    fn put(&mut self, key: &Key, value: Value, place: Place) {
        self.slots[index(key)] = Some(Slot { value, place });
    }

    /// Puts `value`, which its kind takes, in place of what `key` is set to; its place stays.
    pub fn replace(&mut self, key: &Key, value: Value) {
        let place = self.slot(key.name).map(|slot| slot.place.clone()).unwrap_or_default();
        self.put(key, value, place);
    }

    fn slot(&self, name: &str) -> Option<&Slot> {
        schema::position(name).and_then(|index| self.slots[index].as_ref())
    }

    /// Every key that was set, with its value.
    pub fn all(&self) -> impl Iterator<Item = (&'static Key, &Value)> {
        KEYS.iter().copied().zip(&self.slots).filter_map(|(key, slot)| Some((key, &slot.as_ref()?.value)))
    }

    /// Value that `name` was set to.
    pub fn set(&self, name: &str) -> Option<&Value> {
        self.slot(name).map(|slot| &slot.value)
    }

    /// Place of the first of `names` that was set: on the command line, whose change it was that broke something, or else in the file.
    pub fn place(&self, names: &[&str]) -> Place {
        let places = || names.iter().filter_map(|name| self.slot(name)).map(|slot| &slot.place);
        let flag = places().find(|place| matches!(place, Place::Flag(_)));
        flag.or_else(|| places().next()).cloned().unwrap_or_default()
    }

    /// A text that was set, or its fixed default.
    pub fn text(&self, name: &str) -> Option<&str> {
        match (self.set(name), schema::find(name)?.default) {
            (Some(value), _) => value.as_str(),
            (None, schema::Default::Text(text)) => Some(text),
            _ => None,
        }
    }
}

impl Source for Settings {
    fn value(&self, key: &'static Key) -> Option<Value> {
        self.slots[index(key)].as_ref().map(|slot| slot.value.clone())
    }
}

/// The canonical value of `node` for `key`.
fn checked(file: &str, key: &Key, node: &Node) -> Result<Value, PlanError> {
    let value = node.json();
    key.kind.check(key.name, &value).map_err(|fault| fault.at(file, node.place.clone()))
}

/// The error of a key nobody knows; what may have been meant is looked for among the keys of `link`, where that is known.
pub fn unknown(file: &str, path: &str, place: &Place, link: Option<&str>) -> PlanError {
    let covers = |key: &&Key| link.is_none_or(|link| *scope(key) != Scope::Plan && scope(key).covers(link));
    let (table, last) = path.rsplit_once('.').unwrap_or(("", path));
    if schema::is_table(path) {
        let keys = schema::below(path).into_iter().map(|last| format!("{path}.{last}"));
        let keys: Vec<String> = keys.filter(|name| schema::find(name).is_none_or(|key| covers(&key))).collect();
        return Fault::new(format!("`{path}` is a table of keys, and no key"))
            .allowing(keys.join(", "))
            .at(file, place.clone());
    }
    let mut allowed = if table.is_empty() || schema::is_table(table) { schema::below(table) } else { Vec::new() };
    if table.is_empty() {
        allowed.extend(["sweep", "unlogged", "row"]);
    }
    let known = || KEYS.iter().copied().filter(covers).map(|key| key.name);
    let elsewhere = known().find(|name| name.rsplit('.').next() == Some(last));
    let nearest = crate::spelling::nearest(last, allowed.iter().copied())
        .map(|near| if table.is_empty() { near.to_owned() } else { format!("{table}.{near}") })
        .or_else(|| elsewhere.map(str::to_owned))
        .or_else(|| crate::spelling::nearest(path, known()).map(str::to_owned));
    let fault = Fault::new(format!("unknown key `{path}`"));
    let fault = if allowed.is_empty() {
        fault.allowing(schema::below("").join(", "))
    } else {
        fault.allowing(allowed.join(", "))
    };
    PlanError { nearest, ..fault.at(file, place.clone()) }
}
