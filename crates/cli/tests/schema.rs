//! A document against its published schema.

use serde_json::Value;

/// Asserts that `document` has every field that `schema` has and no other, each of a kind that the schema allows; and the
/// same of the objects within it that the schema describes.
pub fn conforms(document: &Value, schema: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    assert_eq!(document["schema"], schema["$id"], "the document names its schema");
    object("", document, &schema, &schema);
}

/// Asserts that `value` has no field that what the schema of runs calls `kind` does not have.
#[cfg(target_os = "linux")]
pub fn fields(value: &Value, kind: &str) {
    let schema: Value = serde_json::from_str(include_str!("../../../schemas/run.schema.json")).unwrap();
    let known = &schema["$defs"][kind]["properties"];
    let unknown: Vec<_> = value.as_object().unwrap().keys().filter(|name| known[*name].is_null()).collect();
    assert!(unknown.is_empty(), "{kind}: unknown {unknown:?}");
}

fn object(place: &str, value: &Value, rule: &Value, whole: &Value) {
    let rules = rule["properties"].as_object().unwrap();
    let fields = value.as_object().unwrap();
    let missing: Vec<_> = rules.keys().filter(|name| !fields.contains_key(*name)).collect();
    let unknown: Vec<_> = fields.keys().filter(|name| !rules.contains_key(*name)).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "{place}: missing {missing:?}, unknown {unknown:?}");
    assert_eq!(rule["required"].as_array().unwrap().len(), rules.len(), "{place}: every field is always there");
    for (name, value) in fields {
        field(&format!("{place}/{name}"), value, &rules[name], whole);
    }
}

fn field(place: &str, value: &Value, rule: &Value, whole: &Value) {
    if let Some(reference) = rule["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return object(place, value, &whole["$defs"][name], whole);
    }
    if let Some(forms) = rule["anyOf"].as_array() {
        let form = forms.iter().find(|form| (form["type"] == "null") == value.is_null());
        return field(place, value, form.unwrap(), whole);
    }
    if let Some(constant) = rule.get("const") {
        return assert_eq!(value, constant, "{place}");
    }
    if let Some(words) = rule["enum"].as_array() {
        return assert!(words.contains(value), "{place}: {value} is none of {words:?}");
    }
    let allowed: Vec<&str> = match &rule["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    assert!(allowed.iter().any(|kind| is(value, kind)), "{place}: {value} is none of {allowed:?}");
    for item in value.as_array().into_iter().flatten() {
        field(place, item, &rule["items"], whole);
    }
    // An object that another schema describes has neither fields nor a rule for them.
    if let Some(rule) = rule.get("additionalProperties") {
        value
            .as_object()
            .into_iter()
            .flat_map(|object| object.values())
            .for_each(|item| field(place, item, rule, whole));
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
