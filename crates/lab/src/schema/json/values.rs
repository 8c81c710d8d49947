//! Values of a key as a rule of a schema.

use serde_json::{Map, Value, json};

use super::{described, table};
use crate::personality::Library;
use crate::schema::{Default, Key, Kind};

/// Units of times, as `airtime_core` reads them.
pub const TIMES: &[&str] = &["ns", "us", "µs", "ms", "s", "min", "h"];
/// Units of sizes.
pub const SIZES: &[&str] = &["B", "kB", "MB"];
/// Units of clocks.
pub const CLOCKS: &[&str] = &["Hz", "kHz", "MHz", "GHz"];
/// Units of rates.
pub const RATES: &[&str] = &["bps", "kbps", "Mbps", "Gbps", "bit/s", "kbit/s", "Mbit/s", "Gbit/s"];

/// The rule of a key with its text, its allowed values and its default.
pub fn rule(key: &Key) -> Value {
    let mut about = vec![key.doc.to_owned()];
    if let Kind::Span(..) | Kind::SpanOrNone(..) | Kind::Size(..) | Kind::Clock(..) | Kind::Parsed { .. } = key.kind {
        about.push(format!("Allowed: {}.", key.kind.allowed()));
    }
    if let Some(unit) = key.unit {
        about.push(format!("Unit: {unit}."));
    }
    if let Default::From(rule) = key.default {
        about.push(format!("Default: {rule}."));
    }
    let mut rule = described(about.join(" "), values(&key.kind));
    if let (Some(value), Value::Object(rule)) = (key.default.value(), &mut rule) {
        rule.insert("default".into(), value);
    }
    rule
}

/// Values of a kind.
pub fn values(kind: &Kind) -> Value {
    match kind {
        Kind::Text(octets) => json!({ "type": "string", "minLength": 1, "maxLength": octets }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count(min, max) => count(*min, *max),
        Kind::CountOrNone(min, max) => or_none(count(*min, *max)),
        Kind::Probability => {
            let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
            json!({ "anyOf": [share, { "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? *%$" }] })
        }
        Kind::Span(..) => quantity(TIMES),
        Kind::SpanOrNone(..) => or_none(quantity(TIMES)),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Personality => {
            let (library, file) = (Library::builtin(), json!({ "type": "string", "pattern": "\\.toml$" }));
            json!({ "anyOf": [{ "enum": library.names() }, file] })
        }
        Kind::Parsed { .. } => json!({ "type": "string" }),
        Kind::Threshold => pattern(&format!(" *[<>]=?{}", quantities(RATES))),
        Kind::Rate => quantity(RATES),
        Kind::Rates => pattern(&format!("{rate}( to {rate})?", rate = quantities(RATES))),
        Kind::Size(..) => quantity(SIZES),
        Kind::Clock(..) => quantity(CLOCKS),
        Kind::Forms { words, whole, .. } => match whole {
            None => json!({ "enum": words }),
            Some(whole) => {
                let part = |key: &Key| (key.last().to_owned(), described(key.doc.to_owned(), values(&key.kind)));
                json!({ "anyOf": [{ "enum": words }, table(whole.keys.iter().map(part).collect::<Map<_, _>>())] })
            }
        },
    }
}

fn count(min: u64, max: u64) -> Value {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}

fn or_none(rule: Value) -> Value {
    json!({ "anyOf": [rule, { "const": "none" }] })
}

/// A number with one of these units, as a text.
pub fn quantity(units: &[&str]) -> Value {
    pattern(&quantities(units))
}

fn pattern(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": format!("^{pattern}$") })
}

/// A number with one of these units, or a nought without.
fn quantities(units: &[&str]) -> String {
    format!(" *(0|[0-9_]+(\\.[0-9_]*)? *({})) *", units.join("|"))
}
