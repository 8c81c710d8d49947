//! The TOML form of a personality.

use std::str::FromStr;

use serde_json::Value;

use super::build::{self, controller, host};
use super::keys::{PERSONALITY_KEYS, PersonalityKey, find, is_table};
use super::{Library, Personality, Status, Trait};
use crate::plan::ble::Stack;
use crate::toml::PlanError;
use crate::toml::error::{Fault, Place};
use crate::toml::tree::{self, Data, Entry};

const TOP: [&str; 5] = ["description", "based_on", "stack", "controller", "host"];
const PARTS: [&str; 4] = ["value", "status", "source", "checked"];

/// Reads the personality `name`; `library` has what it may be based on.
pub fn read(name: &str, text: &str, library: &Library) -> Result<Personality, PlanError> {
    let entries = tree::parse(name, text)?;
    let base = base(name, &entries, library)?;
    let mut found: Vec<Trait> = base.map(inherited).unwrap_or_default();
    let mut description = String::new();
    let mut stack = base.map_or(Stack::Firmware, |base| base.stack);
    for entry in &entries {
        match entry.name.as_str() {
            "description" => description = text_of(name, entry)?,
            "based_on" => {}
            "stack" => {
                stack = match text_of(name, entry)?.as_str() {
                    "firmware" => Stack::Firmware,
                    "os" => Stack::Os,
                    other => {
                        let fault = Fault::new(format!("`{other}` is no stack")).one_of(other, ["firmware", "os"]);
                        return Err(fault.at(name, entry.node.place.clone()));
                    }
                }
            }
            "controller" | "host" => table(name, &entry.name, entry, &mut found)?,
            other => {
                let fault = Fault::new(format!("unknown key `{other}`")).one_of(other, TOP);
                return Err(fault.at(name, entry.place.clone()));
            }
        }
    }
    if let Some(missing) = PERSONALITY_KEYS.iter().find(|key| !found.iter().any(|entry| entry.key == key.name)) {
        let fault = Fault::new(format!("`{}` is missing", missing.name)).allowing(missing.kind.allowed());
        return Err(fault.at(name, Place::File));
    }
    let order = |entry: &Trait| PERSONALITY_KEYS.iter().position(|key| key.name == entry.key);
    found.sort_by_key(order);
    let values = build::Values(&found);
    let personality = Personality {
        name: name.to_owned(),
        description,
        based_on: base.map(|base| base.name.clone()),
        stack,
        controller: controller(&values),
        host: host(&values).map_err(|fault| fault.at(name, Place::File))?,
        entries: found,
    };
    build::check(&personality).map_err(|fault| fault.at(name, Place::File))?;
    Ok(personality)
}

/// The personality this one differs from.
fn base<'a>(name: &str, entries: &[Entry], library: &'a Library) -> Result<Option<&'a Personality>, PlanError> {
    let Some(entry) = entries.iter().find(|entry| entry.name == "based_on") else { return Ok(None) };
    let wanted = text_of(name, entry)?;
    let base = library.get(&wanted).ok_or_else(|| {
        let fault = Fault::new(format!("there is no personality `{wanted}`")).one_of(&wanted, library.names());
        fault.at(name, entry.node.place.clone())
    })?;
    Ok(Some(base))
}

/// What `base` says, marked as said by it.
fn inherited(base: &Personality) -> Vec<Trait> {
    let mark = |entry: &Trait| Trait { from: entry.from.clone().or_else(|| Some(base.name.clone())), ..entry.clone() };
    base.entries.iter().map(mark).collect()
}

/// Every key below `path`.
fn table(file: &str, path: &str, entry: &Entry, found: &mut Vec<Trait>) -> Result<(), PlanError> {
    let below = entry.node.table(path).map_err(|fault| fault.at(file, entry.node.place.clone()))?;
    for entry in below {
        let path = format!("{path}.{}", entry.name);
        if let Some(key) = find(&path) {
            let read = value(file, key, entry)?;
            found.retain(|old| old.key != key.name);
            found.push(read);
        } else if is_table(&path) {
            table(file, &path, entry, found)?;
        } else {
            let fault = Fault::new(format!("unknown key `{path}`"));
            let names = PERSONALITY_KEYS.iter().map(|key| key.name);
            return Err(fault.one_of(&path, names).at(file, entry.place.clone()));
        }
    }
    Ok(())
}

/// `{ value, status, source, checked }`.
fn value(file: &str, key: &'static PersonalityKey, entry: &Entry) -> Result<Trait, PlanError> {
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
    Ok(Trait {
        key: key.name,
        value: checked_value(key, &value.node.json()).map_err(|fault| at(fault, value))?,
        status: Status::from_str(&status_text)
            .map_err(|e| at(Fault::new(e.to_string()).one_of(&status_text, Status::ALL.map(Status::name)), status))?,
        source: text_of(file, source)?,
        checked,
        from: None,
    })
}

/// The canonical value; a credit policy may be a table.
fn checked_value(key: &PersonalityKey, value: &Value) -> Result<Value, Fault> {
    if let (Value::Object(_), "host.credits") = (value, key.name) {
        return build::credits(value).map(|_| value.clone());
    }
    key.kind.check(key.name, value)
}

/// A text.
fn text_of(file: &str, entry: &Entry) -> Result<String, PlanError> {
    match &entry.node.data {
        Data::Value(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
        _ => Err(Fault::new(format!("`{}` is a text", entry.name)).at(file, entry.node.place.clone())),
    }
}
