//! Lines of a commented plan.

use airtime_keys::Key;

use crate::plan::{Point, turns};

/// Columns of a comment.
const WIDTH: usize = 110;

/// Comment on `key`: what it is, who can turn it at `point`, and its values.
pub fn about(key: &Key, point: &Point) -> String {
    let unit = key.unit.map_or_else(String::new, |unit| format!(", {unit}"));
    let who = turns(key, &point.scenario).name();
    wrapped(&format!("{} [{who}: {}{unit}]", key.doc, key.kind.allowed()))
}

/// The line of a key: set, or with a `#` what it is anyway.
pub fn value(name: &str, in_effect: Option<&str>, is_set: bool) -> String {
    match in_effect {
        Some(value) if is_set => format!("{name} = {value}\n"),
        Some(value) => format!("#{name} = {value}\n"),
        None => format!("#{name} =   # not set\n"),
    }
}

/// `text` as comments that are no wider than a page.
pub fn wrapped(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.len() > 1 {
            lines.push(format!("# {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}
