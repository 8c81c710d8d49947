//! A schema as text: a line for whatever fits one.

use serde_json::Value;

/// Longest line that holds a whole list or table.
const WIDTH: usize = 140;

/// The text of a document.
pub fn print(document: &Value) -> String {
    let mut text = String::new();
    write(&mut text, document, 0, 0);
    text.push('\n');
    text
}

/// Writes `value`; the first line of it is `indent` deep and has `before` more characters already.
fn write(text: &mut String, value: &Value, indent: usize, before: usize) {
    let line = on_one_line(value);
    if indent + before + line.chars().count() < WIDTH || !(value.is_object() || value.is_array()) {
        text.push_str(&line);
        return;
    }
    let (open, close) = if value.is_object() { ("{\n", "}") } else { ("[\n", "]") };
    text.push_str(open);
    let named = value.as_object().into_iter().flatten().map(|(name, item)| (format!("{}: ", quoted(name)), item));
    let listed = value.as_array().into_iter().flatten().map(|item| (String::new(), item));
    let mut first = true;
    for (name, item) in named.chain(listed) {
        if !std::mem::take(&mut first) {
            text.push_str(",\n");
        }
        text.push_str(&" ".repeat(indent + 2));
        text.push_str(&name);
        write(text, item, indent + 2, name.chars().count());
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push_str(close);
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(table) if !table.is_empty() => {
            let parts = table.iter().map(|(name, item)| format!("{}: {}", quoted(name), on_one_line(item)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(on_one_line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}
