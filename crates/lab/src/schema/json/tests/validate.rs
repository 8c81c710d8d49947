//! A validator of JSON schemas, as far as ours go: what it does not know it refuses.

use serde_json::Value;

use super::pattern::matches;

/// Everything that is wrong with `document`, each with its place.
pub fn faults(document: &Value, schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check("", document, schema, schema, &mut found);
    found
}

fn check(place: &str, value: &Value, rule: &Value, whole: &Value, found: &mut Vec<String>) {
    for (word, by) in rule.as_object().expect("a rule is a table") {
        let holds = match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "default" => true,
            "$ref" => {
                let name = by.as_str().and_then(|path| path.strip_prefix("#/$defs/")).unwrap();
                check(place, value, &whole["$defs"][name], whole, found);
                true
            }
            "anyOf" => by.as_array().unwrap().iter().any(|rule| {
                let mut faults = Vec::new();
                check(place, value, rule, whole, &mut faults);
                faults.is_empty()
            }),
            "type" => is(value, by.as_str().unwrap()),
            "const" => value == by,
            "enum" => by.as_array().unwrap().contains(value),
            "pattern" => value.as_str().is_none_or(|text| matches(by.as_str().unwrap(), text)),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= by.as_u64().unwrap()),
            "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= by.as_u64().unwrap()),
            "minimum" => value.as_f64().is_none_or(|number| number >= by.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= by.as_f64().unwrap()),
            "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > by.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= by.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= by.as_u64().unwrap()),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(&format!("{place}/{index}"), item, by, whole, found);
                }
                true
            }
            "properties" => {
                for (name, item) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = by.get(name) {
                        check(&format!("{place}/{name}"), item, rule, whole, found);
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(by, &Value::Bool(false));
                let known = &rule["properties"];
                value.as_object().is_none_or(|table| table.keys().all(|name| known.get(name).is_some()))
            }
            "required" => {
                let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                !value.is_object() || by.as_array().unwrap().iter().all(has)
            }
            other => panic!("`{other}` is no word that the schemas need"),
        };
        if !holds {
            found.push(format!("{place}: {word} {by} against {value}"));
        }
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("`{other}` is no type that the schemas need"),
    }
}
