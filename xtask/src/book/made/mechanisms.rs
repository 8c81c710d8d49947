//! Mechanisms: what the comments of their declaration say, and the keys that ease each.

use std::path::Path;

use serde_json::Value;

use super::{Page, cell, keys};
use crate::files;

/// Declaration of the mechanisms.
const DECLARATION: &str = "crates/keys/src/mechanism.rs";

/// The page on every mechanism.
pub fn page(keys: &[Value], root: &Path) -> Result<Page, String> {
    let declared = declared(&files::text(&root.join(DECLARATION))?);
    let mut made = "# Mechanisms\n\nA mechanism is a part of the way of the payload that can limit it. Every key that can cost throughput \
                    belongs to one. `airtime explain` relaxes a mechanism whole, sees what that gains, and takes back key by key what \
                    gains nothing; `airtime keys underway` prints the keys of one.\n"
        .to_owned();
    for (name, meaning) in &declared {
        let links: Result<Vec<String>, String> =
            keys.iter().filter(|key| key["mechanism"] == name.as_str()).map(keys::link).collect();
        made.push_str(&format!("\n## {name}\n\n{}\n\n{}\n", cell(meaning), links?.join(", ")));
    }
    let known = |name: &str| declared.iter().any(|(declared, _)| declared == name);
    let lost = keys.iter().filter_map(|key| key["mechanism"].as_str()).find(|name| !known(name));
    match lost {
        None if !declared.is_empty() => {
            Ok(Page { path: "made/mechanisms.md".to_owned(), title: "Mechanisms".to_owned(), text: made })
        }
        None => Err(format!("{DECLARATION} declares no mechanism")),
        Some(name) => Err(format!("{DECLARATION} does not declare `{name}`")),
    }
}

/// Names and comments of the enumeration `Mechanism`: its variants in lower case are the names in documents.
fn declared(source: &str) -> Vec<(String, String)> {
    let body = source.split_once("pub enum Mechanism {").map_or("", |(_, rest)| rest);
    let (mut found, mut comment) = (Vec::new(), String::new());
    for line in body.lines().map(str::trim).take_while(|line| *line != "}") {
        match line.strip_prefix("/// ") {
            Some(text) if comment.is_empty() => text.clone_into(&mut comment),
            Some(text) => comment.push_str(&format!(" {text}")),
            None if line.is_empty() => {}
            None => found.push((line.trim_end_matches(',').to_lowercase(), std::mem::take(&mut comment))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn declarations_are_read() {
        let source =
            "/// No.\npub enum Mechanism {\n    /// Payload\n    /// of it.\n    Packet,\n    /// Bus.\n    Bus,\n}\n";
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(super::declared(source), [pair("packet", "Payload of it."), pair("bus", "Bus.")]);
    }
}
