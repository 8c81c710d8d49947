//! Rows of a field plan, from records of real runs.

use airtime_lab::Record;
use airtime_lab::record::Environment;

/// The `[[row]]` of a plan for `record`, with this id: what its log tells of the keys, the figure and its source. It ends with a line
/// break; nothing if the record has no figure.
pub fn row(record: &Record, id: &str) -> Option<String> {
    let measured = record.measured.as_ref()?;
    let mut row = format!("\n[[row]]\nid = {}\n", text(id));
    let set: Vec<String> = record.params.iter().map(|(key, value)| format!("{} = {value}", text(key))).collect();
    if !set.is_empty() {
        row.push_str(&format!("set = {{ {} }}\n", set.join(", ")));
    }
    let of = if measured.accepted { ", of = \"accepted\"" } else { "" };
    let (unit, source) = (text(&measured.unit), text(&measured.source));
    row.push_str(&format!("measured = {{ value = {}, unit = {unit}{of}, source = {source} }}\n", measured.value));
    if let Some(verdict) = &record.verdict {
        row.push_str(&format!("verdict = {}\n", text(&verdict.to_string())));
    }
    let notes = record.note.iter().cloned().chain(record.environment.as_ref().and_then(surroundings));
    let note = notes.collect::<Vec<_>>().join(" ");
    if !note.is_empty() {
        row.push_str(&format!("note = {}\n", text(&note)));
    }
    Some(row)
}

/// Surroundings in a sentence.
fn surroundings(environment: &Environment) -> Option<String> {
    let known = [
        ("board", &environment.board),
        ("serial", &environment.serial),
        ("firmware", &environment.firmware),
        ("OS", &environment.os),
        ("controller", &environment.controller),
        ("date", &environment.date),
        ("distance", &environment.distance),
        ("conditions", &environment.conditions),
    ];
    let said: Vec<String> =
        known.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("{name} {value}"))).collect();
    (!said.is_empty()).then(|| format!("Real radio: {}.", said.join("; ")))
}

/// A text as TOML has it: the escapes of JSON are escapes there too, but for DEL, which JSON leaves bare.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
