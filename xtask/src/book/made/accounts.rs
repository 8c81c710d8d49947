//! Words of tables: the accounts of each link, columns, verdicts.

use serde_json::Value;

use super::{Page, cell, text};

/// The page on every word.
pub fn page(words: &[Value]) -> Result<Page, String> {
    let mut made = "# Accounts, and other words of tables\n\nEvery nanosecond of a link's air is booked to exactly one account, and \
                    the accounts add up to the time that passed. `airtime accounts cap` prints one, and `airtime accounts idle` all \
                    that begin so.\n"
        .to_owned();
    let mut of = "";
    for word in words {
        let whose = text(word, "of")?;
        if whose != of {
            of = whose;
            made.push_str(&format!("\n## {}\n\n| word | what it says |\n|---|---|\n", heading(of)));
        }
        made.push_str(&format!("| `{}` | {} |\n", text(word, "word")?, cell(text(word, "meaning")?)));
    }
    Ok(Page {
        path: "made/accounts.md".to_owned(),
        title: "Accounts, and other words of tables".to_owned(),
        text: made,
    })
}

/// Heading of the words of one kind.
fn heading(of: &str) -> String {
    match of.strip_prefix("a ") {
        Some("column") => "Columns".to_owned(),
        Some("verdict") => "Verdicts".to_owned(),
        Some(kind) => format!("Each {kind}"),
        None => format!("Accounts of {of}"),
    }
}
