//! Personalities: each device with value, status and source of every key.

use std::path::Path;

use serde_json::Value;

use super::{Page, Program, cell, list, text};

/// Statuses of a value, the best known first.
const STATUSES: [&str; 4] = ["specified", "measured", "derived", "assumed"];

/// A page of all devices, and one of each.
pub fn pages(work: &Path, program: &mut Program) -> Result<Vec<Page>, String> {
    let devices = list(program.output(work, &["personality", "list", "--json"])?, "personalities")?;
    let mut all = "# Personalities\n\nA personality is a device as data. Every value says what it is known by: *specified* by a \
                   standard or a source text, *measured*, *derived* from either, or *assumed*. `airtime compare` runs what is assumed \
                   at both ends and says if a verdict depends on it.\n\n| personality | device |"
        .to_owned();
    all.push_str(&format!(
        "{}\n|---|---|{}\n",
        STATUSES.map(|status| format!(" {status} |")).concat(),
        "--:|".repeat(STATUSES.len())
    ));
    let mut pages = Vec::new();
    for device in &devices {
        let (name, about) = (text(device, "personality")?, text(device, "device")?);
        let values = list(program.output(work, &["personality", "show", name, "--json"])?, "personality show")?;
        let counts = STATUSES.map(|status| values.iter().filter(|value| value["status"] == status).count());
        if counts.iter().sum::<usize>() != values.len() {
            return Err(format!("{name} has a value whose status is none of {}", STATUSES.join(", ")));
        }
        let counts: String = counts.iter().map(|count| format!(" {count} |")).collect();
        all.push_str(&format!("| [{name}](personalities/{name}.md) | {} |{counts}\n", cell(about)));
        pages.push(page(name, about, &values)?);
    }
    pages.insert(0, Page { path: "made/personalities.md".to_owned(), title: "Personalities".to_owned(), text: all });
    Ok(pages)
}

fn page(name: &str, about: &str, values: &[Value]) -> Result<Page, String> {
    let mut made = format!(
        "# {name}\n\n{}.\n\nThe file is [personalities/{name}.toml](../../../personalities/{name}.toml), and `airtime personality show \
         {name}` prints this. *Checked against* names rows of published measurements, those of `airtime field`.\n\n\
         | key | value | status | source | checked against |\n|---|---|---|---|---|\n",
        cell(about)
    );
    for value in values {
        let of = |field| text(value, field).map(cell);
        let checked = value["checked against"].as_str().map(cell).unwrap_or_default();
        let value = format!("`{}` | {} | {}", text(value, "value")?, of("status")?, of("source")?);
        made.push_str(&format!("| {} | {value} | {checked} |\n", of("key")?));
    }
    Ok(Page { path: format!("made/personalities/{name}.md"), title: name.to_owned(), text: made })
}
