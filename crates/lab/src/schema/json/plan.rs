//! The schema of a plan.

use serde_json::{Map, Value, json};

use super::row::row;
use super::values::{TIMES, quantity, rule};
use super::{DIALECT, defined, described, table};
use crate::schema::{KEYS, Key, Kind, Scope, below, find, is_table, scope};

/// The schema of a plan.
pub fn plan() -> Value {
    let keys = || KEYS.iter().copied();
    let points = || keys().filter(|key| varies(key));
    let mut definitions = Map::new();
    definitions.extend(keys().map(|key| (key.name.to_owned(), set(key))));
    definitions.extend(points().map(|key| (swept(key), axis(key))));
    definitions.insert("counts".into(), bounds(json!({ "type": "integer", "minimum": 0 })));
    definitions.insert("times".into(), bounds(quantity(TIMES)));
    definitions.insert("row".into(), row());
    definitions.insert("set".into(), named("", &varies, &|key| defined(key.name)));
    let mut properties = names("", &|_| true, &|key| defined(key.name));
    definitions.insert("sweep".into(), named("", &varies, &|key| defined(&swept(key))));
    let lists = "Keys with a list of values, or a range of counts or times.";
    properties.insert("sweep".into(), described(lists.into(), defined("sweep")));
    // That there are three of each is the reader's business.
    let ranges = "Keys with the lowest, the middle and the highest value that they can have had.";
    properties.insert("unlogged".into(), described(ranges.into(), defined("sweep")));
    properties.insert("row".into(), json!({ "type": "array", "items": defined("row") }));
    json!({
        "$schema": DIALECT,
        "$id": "airtime/plan/1",
        "title": "A plan of airtime",
        "description": "Keys of a plan, as docs/plan.md has them; what holds between them is the reader's. Keys are added, never renamed.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions,
    })
}

/// Tells if points of a plan can differ in `key`.
fn varies(key: &Key) -> bool {
    *scope(key) != Scope::Plan
}

fn swept(key: &Key) -> String {
    format!("sweep.{}", key.name)
}

/// A table of the keys below `path` that `keep` keeps, each with what `leaf` makes of it.
fn named(path: &str, keep: &dyn Fn(&Key) -> bool, leaf: &dyn Fn(&Key) -> Value) -> Value {
    table(names(path, keep, leaf))
}

/// The names of such a table: those directly below, and as dotted names those below them.
fn names(path: &str, keep: &dyn Fn(&Key) -> bool, leaf: &dyn Fn(&Key) -> Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut further = Vec::new();
    for name in below(path) {
        let own = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if !KEYS.iter().any(|key| keep(key) && (key.name == own || is_below(key.name, &own))) {
            continue;
        }
        let inner = if is_table(&own) { names(&own, keep, leaf) } else { Map::new() };
        further.extend(inner.iter().map(|(rest, rule)| (format!("{name}.{rest}"), rule.clone())));
        // The rule of a key that heads a table has its parts already.
        let rule = find(&own).map_or_else(|| table(inner), leaf);
        found.insert(name.to_owned(), rule);
    }
    found.extend(further);
    found
}

fn is_below(name: &str, table: &str) -> bool {
    name.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'))
}

/// Rule of a key that is set; the head of a table is one of its words, or its parts.
fn set(key: &Key) -> Value {
    match key.kind {
        Kind::Forms { words, .. } => {
            let parts = named(key.name, &|_| true, &|part| defined(part.name));
            described(key.doc.to_owned(), json!({ "anyOf": [{ "enum": words }, parts] }))
        }
        _ => rule(key),
    }
}

/// Rule of a key in `[sweep]`: a list of values, or a range; the head of a table goes on to its parts.
fn axis(key: &Key) -> Value {
    let list = json!({ "type": "array", "minItems": 1, "items": defined(key.name) });
    let other = match key.kind {
        Kind::Forms { .. } => named(key.name, &|_| true, &|part| defined(&swept(part))),
        Kind::Count(..) => defined("counts"),
        Kind::Span(..) => defined("times"),
        _ => return list,
    };
    json!({ "anyOf": [list, other] })
}

/// `{ from, to, step }`.
fn bounds(bound: Value) -> Value {
    let names = ["from", "to", "step"];
    let mut rule = table(names.iter().map(|name| ((*name).to_owned(), bound.clone())).collect());
    rule["required"] = json!(names);
    rule
}
