//! JSON schemas of plans and of personalities, from the same declarations as everything else: an editor completes keys and
//! marks what the reader would refuse.
//!
//! A schema knows types, words and the ranges of counts; ranges of quantities and what holds between keys are the reader's.

mod personality;
mod plan;
mod print;
mod row;
mod values;

use serde_json::{Map, Value, json};

pub use personality::personality;
pub use plan::plan;
pub use print::print;

/// Dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A table with these names and no other.
fn table(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Whatever the definition of this name allows.
fn defined(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A text that is not empty.
fn text(about: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": about })
}

/// `rule` with a sentence about it, which stands first.
fn described(about: String, rule: Value) -> Value {
    let mut found = Map::new();
    found.insert("description".into(), about.into());
    found.extend(rule.as_object().cloned().unwrap_or_default());
    found.into()
}

#[cfg(test)]
mod tests;
