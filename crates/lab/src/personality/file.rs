//! The TOML form of a personality.

use std::str::FromStr;

use airtime_keys::Key;
use serde_json::Value;

use super::values::Values;
use super::{DeviceKind, Library, Personality, Status, Trait};
use crate::links;
use crate::toml::PlanError;
use crate::toml::error::{At, Fault, Place};
use crate::toml::tree::{self, Data, Entry};

/// Key of the line about the device.
pub const DESCRIPTION: &str = "description";
/// Key that names the personality a file differs from.
pub const BASED_ON: &str = "based_on";
/// Key that names the kind.
pub const LINK: &str = "link";
/// Parts of a key in a table.
const PARTS: [&str; 4] = ["value", "status", "source", "checked"];

/// Reads the personality `name`; `library` has what it may be based on.
pub fn read(name: &str, text: &str, library: &Library) -> Result<Personality, PlanError> {
    let entries = tree::parse(name, text)?;
    let base = base(name, &entries, library)?;
    let kind = kind(name, &entries)?;
    if let Some(base) = base.filter(|base| base.kind.link != kind.link) {
        let fault = Fault::new(format!("`{}` is of another kind of link", base.name));
        return Err(fault.at(name, Place::File));
    }
    let mut description = String::new();
    let mut said = Values::on(base);
    for entry in &entries {
        match entry.name.as_str() {
            DESCRIPTION => description = text_of(name, entry)?,
            BASED_ON | LINK => {}
            own if let Some(key) = kind.key(own) => {
                let at = &entry.node.place;
                let value = key.kind.check(key.name, &entry.node.json()).map_err(|fault| fault.at(name, at.clone()))?;
                said.take_bare(key, value, at.clone());
            }
            own if kind.is_table(own) => table(name, own, entry, kind, &mut said)?,
            other => {
                let top: Vec<&str> = [DESCRIPTION, BASED_ON, LINK].into_iter().chain(kind.top()).collect();
                let fault = Fault::new(format!("unknown key `{other}`")).one_of(other, top);
                return Err(fault.at(name, entry.place.clone()));
            }
        }
    }
    let built = kind.build(&said).map_err(|fault| {
        let place = said.place(&fault);
        fault.at(name, place)
    })?;
    let order = |entry: &Trait| kind.keys.iter().position(|key| key.name == entry.key);
    said.traits.sort_by_key(order);
    let based_on = base.map(|base| base.name.clone());
    let Values { traits: entries, bare, .. } = said;
    Ok(Personality { name: name.to_owned(), description, based_on, kind, built, entries, bare })
}

/// The kind of the file: that of its `link`, or the first.
fn kind(name: &str, entries: &[Entry]) -> Result<&'static DeviceKind, PlanError> {
    let Some(entry) = entries.iter().find(|entry| entry.name == LINK) else { return Ok(links::device_kinds()[0]) };
    let link = text_of(name, entry)?;
    links::device_kind(&link).ok_or_else(|| {
        let fault = Fault::new(format!("no personality is of a link `{link}`"));
        fault.one_of(&link, links::device_kinds().iter().map(|kind| kind.link)).at(name, entry.node.place.clone())
    })
}

/// The personality this one differs from.
fn base<'a>(name: &str, entries: &[Entry], library: &'a Library) -> Result<Option<&'a Personality>, PlanError> {
    let Some(entry) = entries.iter().find(|entry| entry.name == BASED_ON) else { return Ok(None) };
    let wanted = text_of(name, entry)?;
    let base = library.get(&wanted).ok_or_else(|| {
        let fault = Fault::new(format!("there is no personality `{wanted}`")).one_of(&wanted, library.names());
        fault.at(name, entry.node.place.clone())
    })?;
    Ok(Some(base))
}

/// Every key below `path`.
fn table(file: &str, path: &str, entry: &Entry, kind: &DeviceKind, said: &mut Values) -> Result<(), PlanError> {
    let below = entry.node.table(path).map_err(|fault| fault.at(file, entry.node.place.clone()))?;
    for entry in below {
        let path = format!("{path}.{}", entry.name);
        if let Some(key) = kind.key(&path) {
            let (read, place) = value(file, key, entry)?;
            said.take(read, place);
        } else if kind.is_table(&path) {
            table(file, &path, entry, kind, said)?;
        } else {
            let fault = Fault::new(format!("unknown key `{path}`"));
            let names = kind.keys.iter().map(|key| key.name);
            return Err(fault.one_of(&path, names).at(file, entry.place.clone()));
        }
    }
    Ok(())
}

/// `{ value, status, source, checked }`, and the place of its value.
fn value(file: &str, key: &'static Key, entry: &Entry) -> Result<(Trait, Place), PlanError> {
    let at = |fault: Fault, entry: &Entry| fault.at(file, entry.node.place.clone());
    let shape = || Fault::new(format!("`{}` needs value, status and source", key.name));
    let parts = entry.node.table(key.name).map_err(|_| at(shape(), entry))?;
    let part = |name: &str| parts.iter().find(|part| part.name == name);
    if let Some(other) = parts.iter().find(|part| !PARTS.contains(&part.name.as_str())) {
        let fault = Fault::new(format!("unknown key `{}`", other.name)).one_of(&other.name, PARTS);
        return Err(fault.at(file, other.place.clone()));
    }
    let (Some(value), Some(status), Some(source)) = (part("value"), part("status"), part("source")) else {
        return Err(at(shape(), entry));
    };
    let status_text = text_of(file, status)?;
    let checked = match part("checked").map(|part| &part.node.data) {
        None => Vec::new(),
        Some(Data::List(rows)) => rows.iter().filter_map(|row| row.json().as_str().map(str::to_owned)).collect(),
        Some(_) => return Err(at(Fault::new("`checked` is a list of row ids"), entry)),
    };
    let read = Trait {
        key: key.name,
        value: key.kind.check(key.name, &value.node.json()).map_err(|fault| at(fault, value))?,
        status: Status::from_str(&status_text)
            .map_err(|e| at(Fault::new(e.to_string()).one_of(&status_text, Status::ALL.map(Status::name)), status))?,
        source: text_of(file, source)?,
        checked,
        from: None,
    };
    Ok((read, value.node.place.clone()))
}

/// A text.
fn text_of(file: &str, entry: &Entry) -> Result<String, PlanError> {
    match &entry.node.data {
        Data::Value(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        _ => Err(Fault::new(format!("`{}` is a text", entry.name)).at(file, entry.node.place.clone())),
    }
}
