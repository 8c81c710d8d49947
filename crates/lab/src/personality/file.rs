//! The TOML form of a personality.

use std::str::FromStr;

use airtime_ble::plan::Stack;
use airtime_keys::Words;
use serde_json::Value;

use super::build::{self, controller, host};
use super::chain::chain;
use super::keys::{CHAIN_KEYS, PERSONALITY_KEYS, PersonalityKey, find, is_table};
use super::{Ble, Library, Of, Personality, Status, Trait};
use crate::toml::PlanError;
use crate::toml::error::{At, Fault, Place};
use crate::toml::tree::{self, Data, Entry};

const TOP: [&str; 6] = ["description", "based_on", "link", "stack", "controller", "host"];

/// The same of a chain of host and Wi-Fi co-processor.
const CHAIN_TOP: [&str; 7] = ["description", "based_on", "link", "bus", "stack", "coprocessor", "memory"];
const PARTS: [&str; 4] = ["value", "status", "source", "checked"];

/// Reads the personality `name`; `library` has what it may be based on.
pub fn read(name: &str, text: &str, library: &Library) -> Result<Personality, PlanError> {
    let entries = tree::parse(name, text)?;
    let base = base(name, &entries, library)?;
    let of_chain = is_of_chain(name, &entries)?;
    if let Some(base) = base.filter(|base| base.chain().is_some() != of_chain) {
        let fault = Fault::new(format!("`{}` is of another kind of link", base.name));
        return Err(fault.at(name, Place::File));
    }
    let mut found: Vec<Trait> = base.map(inherited).unwrap_or_default();
    let mut description = String::new();
    let mut stack = base.and_then(Personality::ble).map_or(Stack::Firmware, |base| base.stack);
    let keys = if of_chain { CHAIN_KEYS } else { PERSONALITY_KEYS };
    for entry in &entries {
        match (entry.name.as_str(), of_chain) {
            ("description", _) => description = text_of(name, entry)?,
            ("based_on" | "link", _) => {}
            ("stack", false) => stack = whose(name, entry)?,
            ("controller" | "host", false) | ("bus" | "stack" | "coprocessor" | "memory", true) => {
                table(name, &entry.name, entry, keys, &mut found)?;
            }
            (other, _) => {
                let fault = Fault::new(format!("unknown key `{other}`"));
                let fault = if of_chain { fault.one_of(other, CHAIN_TOP) } else { fault.one_of(other, TOP) };
                return Err(fault.at(name, entry.place.clone()));
            }
        }
    }
    if let Some(missing) = keys.iter().find(|key| !found.iter().any(|entry| entry.key == key.name)) {
        let fault = Fault::new(format!("`{}` is missing", missing.name)).allowing(missing.kind.allowed());
        return Err(fault.at(name, Place::File));
    }
    let order = |entry: &Trait| keys.iter().position(|key| key.name == entry.key);
    found.sort_by_key(order);
    let values = build::Values(&found);
    let of = if of_chain {
        Of::Chain(Box::new(chain(&values)))
    } else {
        let host = host(&values).map_err(|fault| fault.at(name, Place::File))?;
        let ble = Ble { stack, controller: controller(&values), host };
        build::check(&ble).map_err(|fault| fault.at(name, Place::File))?;
        Of::Ble(Box::new(ble))
    };
    let based_on = base.map(|base| base.name.clone());
    Ok(Personality { name: name.to_owned(), description, based_on, of, entries: found })
}

/// Whether the file is about a chain of host and Wi-Fi co-processor: `link = "wifi-hosted"`.
fn is_of_chain(name: &str, entries: &[Entry]) -> Result<bool, PlanError> {
    const LINKS: [&str; 2] = ["ble", "wifi-hosted"];
    let Some(entry) = entries.iter().find(|entry| entry.name == "link") else { return Ok(false) };
    match text_of(name, entry)?.as_str() {
        "ble" => Ok(false),
        "wifi-hosted" => Ok(true),
        other => {
            let fault = Fault::new(format!("no personality is of a link `{other}`")).one_of(other, LINKS);
            Err(fault.at(name, entry.node.place.clone()))
        }
    }
}

/// Who can turn a host's knobs.
fn whose(name: &str, entry: &Entry) -> Result<Stack, PlanError> {
    let text = text_of(name, entry)?;
    Stack::from_word(&text).ok_or_else(|| {
        let fault = Fault::new(format!("`{text}` is no stack")).one_of(&text, Stack::WORDS.iter().copied());
        fault.at(name, entry.node.place.clone())
    })
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
fn table(
    file: &str,
    path: &str,
    entry: &Entry,
    keys: &'static [PersonalityKey],
    found: &mut Vec<Trait>,
) -> Result<(), PlanError> {
    let below = entry.node.table(path).map_err(|fault| fault.at(file, entry.node.place.clone()))?;
    for entry in below {
        let path = format!("{path}.{}", entry.name);
        if let Some(key) = find(keys, &path) {
            let read = value(file, key, entry)?;
            found.retain(|old| old.key != key.name);
            found.push(read);
        } else if is_table(keys, &path) {
            table(file, &path, entry, keys, found)?;
        } else {
            let fault = Fault::new(format!("unknown key `{path}`"));
            let names = keys.iter().map(|key| key.name);
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
