//! Chapters that are made: of the keys, words and devices that the program knows, and of nothing else.

mod accounts;
mod keys;
mod mechanisms;
mod personalities;

use std::path::Path;

use serde_json::Value;

use super::program::Program;

/// Page that is made, with its title in the table of contents.
pub struct Page {
    /// Path in the folder of the chapters.
    pub path: String,
    /// Title in the table of contents.
    pub title: String,
    /// Its Markdown.
    pub text: String,
}

/// Groups of pages by the name that the table of contents has for their place.
pub fn groups(root: &Path, work: &Path, program: &mut Program) -> Result<Vec<(&'static str, Vec<Page>)>, String> {
    let keys = list(program.output(work, &["keys", "--json"])?, "keys")?;
    Ok(vec![
        ("keys", keys::pages(&keys)?),
        ("options", vec![keys::options(&keys)?]),
        ("mechanisms", vec![mechanisms::page(&keys, root)?]),
        ("accounts", vec![accounts::page(&list(program.output(work, &["accounts", "--json"])?, "accounts")?)?]),
        ("personalities", personalities::pages(work, program)?),
    ])
}

/// Entries of a document.
fn list(document: String, name: &str) -> Result<Vec<Value>, String> {
    let mut document: Value = serde_json::from_str(&document).map_err(|error| format!("airtime {name}: {error}"))?;
    let entries = if document.is_array() { document.take() } else { document[name].take() };
    match entries {
        Value::Array(entries) if !entries.is_empty() => Ok(entries),
        _ => Err(format!("airtime {name} --json has no entries")),
    }
}

/// Text of a field, which has to be there.
fn text<'a>(entry: &'a Value, field: &str) -> Result<&'a str, String> {
    entry[field].as_str().ok_or_else(|| format!("an entry has no text `{field}`: {entry}"))
}

/// Texts of a list.
fn texts<'a>(entry: &'a Value, field: &str) -> Vec<&'a str> {
    entry[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Words as they are, in a cell of a table.
fn cell(words: &str) -> String {
    // Markup outside of backquotes is text.
    let spans = words.split('`').enumerate().map(|(at, span)| match at % 2 {
        0 => span.replace('<', "&lt;").replace('*', "\\*").replace('_', "\\_").replace('[', "\\["),
        _ => span.to_owned(),
    });
    spans.collect::<Vec<_>>().join("`").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_hold_markup_as_text() {
        assert_eq!(super::cell("a | `b_<c>` <d_e>"), "a \\| `b_<c>` &lt;d\\_e>");
    }
}
