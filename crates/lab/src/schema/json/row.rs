//! Rows of a plan.

use serde_json::{Value, json};

use super::{defined, table, text};
use crate::record::UNITS;

/// The rule of a `[[row]]`.
pub fn row() -> Value {
    let verdict = "^(predicted|candidate|contradicts .*|not predicted:.*|not modelled:.*)$";
    let rules = json!({
        "id": text("Identifier of the row; no two rows share one."),
        "set": defined("set"),
        "measured": measured(),
        "verdict": { "type": "string", "pattern": verdict, "description": "Worth of the comparison." },
        "candidates": {
            "type": "array", "items": defined("set"),
            "description": "Keys that differ, for each possible value of what was not logged.",
        },
        "unlogged": {
            "type": "array", "items": { "type": "string" },
            "description": "Keys of which only the range in [unlogged] is known.",
        },
        "iteration": text("Number of the experiment in its log."),
        "changed": text("Change that the experiment was about."),
        "against": text("Row above whose configuration the experiment changed; without it, the row before."),
        "ratios": {
            "type": "array", "items": ratio(),
            "description": "Ratios of its figure to those of rows above, as its source printed them.",
        },
        "note": text("Anything else."),
    });
    required(rules, "id")
}

/// A published ratio.
fn ratio() -> Value {
    let rules = json!({ "to": text("Row above."), "value": { "type": "number", "exclusiveMinimum": 0 } });
    let mut rule = table(rules.as_object().cloned().unwrap_or_default());
    rule["required"] = json!(["to", "value"]);
    rule
}

/// The published figure.
fn measured() -> Value {
    let rules = json!({
        "value": { "type": "number", "exclusiveMinimum": 0 },
        "unit": { "enum": UNITS, "default": "kbps" },
        "approx": { "type": "boolean", "default": false, "description": "Set if it was published as about that much." },
        "of": { "enum": ["delivered", "accepted"], "default": "delivered" },
        "link": { "type": "string", "minLength": 1, "description": "Link whose figure it is, of several; without it, all of them." },
        "source": text("Place of its publication; without it, the plan's."),
    });
    required(rules, "value")
}

fn required(rules: Value, name: &str) -> Value {
    let mut rule = table(rules.as_object().cloned().unwrap_or_default());
    rule["required"] = json!([name]);
    rule
}
