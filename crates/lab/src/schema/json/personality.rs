//! The schema of a personality.

use serde_json::{Map, Value, json};

use super::values::rule;
use super::{DIALECT, defined, described, table, text};
use crate::links;
use crate::personality::{BASED_ON, DESCRIPTION, DeviceKind, LINK, Library, Status};
use crate::schema::Key;

/// The schema of a personality.
pub fn personality() -> Value {
    let mut definitions = Map::new();
    for kind in links::device_kinds() {
        definitions.insert(kind.link.into(), of(kind));
    }
    for kind in links::device_kinds() {
        let traits = kind.keys.iter().filter(|key| !key.table().is_empty());
        definitions.extend(traits.map(|key| (name(kind, key), known(key))));
    }
    let kinds: Vec<Value> = links::device_kinds().iter().map(|kind| defined(kind.link)).collect();
    json!({
        "$schema": DIALECT,
        "$id": "airtime/personality/1",
        "title": "A personality of airtime",
        "description": "A device with value, status and source of everything in which devices differ. Without `based_on` every key \
            is needed. Keys are added, never renamed.",
        "type": "object",
        "anyOf": kinds,
        "$defs": definitions,
    })
}

/// Name of the rule of a key: two kinds may have a key of the same name.
fn name(kind: &DeviceKind, key: &Key) -> String {
    format!("{}.{}", kind.link, key.name)
}

/// A file of this kind; one that names no link is of the first.
fn of(kind: &DeviceKind) -> Value {
    let mut properties = Map::new();
    properties.insert(DESCRIPTION.into(), text("Line about the device."));
    let base = described("Personality that this one differs from.".into(), base());
    properties.insert(BASED_ON.into(), base);
    properties.insert(LINK.into(), json!({ "const": kind.link, "description": kind.about }));
    properties.extend(names(kind, ""));
    let mut rule = table(properties);
    if kind.link != links::device_kinds()[0].link {
        rule["required"] = json!([LINK]);
    }
    rule
}

/// A personality that ships, or one that was added before.
fn base() -> Value {
    json!({ "anyOf": [{ "enum": Library::builtin().names() }, { "type": "string", "minLength": 1 }] })
}

/// Names below `path`: keys, and tables of them.
fn names(kind: &DeviceKind, path: &str) -> Map<String, Value> {
    let mut found = Map::new();
    for key in kind.keys {
        let rest = match path {
            "" => Some(key.name),
            _ => key.name.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')),
        };
        let Some(rest) = rest else { continue };
        match rest.split_once('.') {
            None if path.is_empty() => found.insert(rest.to_owned(), rule(key)),
            None => found.insert(rest.to_owned(), defined(&name(kind, key))),
            Some((first, _)) if found.contains_key(first) => None,
            Some((first, _)) => {
                let below = if path.is_empty() { first.to_owned() } else { format!("{path}.{first}") };
                found.insert(first.to_owned(), table(names(kind, &below)))
            }
        };
    }
    found
}

/// A key in a table: its value, and how it is known.
fn known(key: &Key) -> Value {
    let mut value = rule(key);
    let about = value.as_object_mut().and_then(|rule| rule.shift_remove("description"));
    let about = about.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let parts = json!({
        "value": value,
        "status": { "enum": Status::ALL.map(Status::name) },
        "source": text("Place where the value comes from."),
        "checked": { "type": "array", "items": { "type": "string" }, "description": "Published rows it was checked against." },
    });
    let mut rule = table(parts.as_object().cloned().unwrap_or_default());
    rule["required"] = json!(["value", "status", "source"]);
    described(about, rule)
}
