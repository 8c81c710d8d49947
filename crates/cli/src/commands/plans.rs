//! `airtime plans`: what is shipped.

use airtime_report::{Align, List, Table, json};
use serde::Serialize;

use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/plans/1";

/// Shipped plan. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Entry {
    plan: String,
    about: String,
}

/// Lists the shipped plans with what their first line says about them.
pub fn plans(manner: Manner) -> Result<Exit, Failure> {
    let sources = catalog::all().map(|name| catalog::find(name, "")).collect::<Result<Vec<_>, _>>()?;
    let entries = sources.into_iter().map(|source| Entry { about: about(&source.text), plan: source.name });
    let entries: Vec<Entry> = entries.collect();
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => json(&List { schema: SCHEMA, name: "plans", entries: &entries }, out),
        form => form.exporter().export_table(&table(&entries), out),
    })?)?;
    Ok(Exit::Ok)
}

fn table(entries: &[Entry]) -> Table {
    let mut table = Table::default();
    table.column("plan", Align::Left, entries.iter().map(|entry| entry.plan.as_str()));
    table.column_if_any("about", Align::Left, entries.iter().map(|entry| entry.about.clone()));
    table
}

/// The comment a plan begins with, up to the end of its first sentence.
fn about(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect::<Vec<_>>().join(" ");
    let end = comment.find(". ").unwrap_or(comment.len());
    comment[..end].trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_about_its_first_sentence() {
        assert_eq!(about("# The best SDU,\n# per event. And more.\nname = \"x\"\n"), "The best SDU, per event");
        assert_eq!(about("name = \"x\"\n# later\n"), "");
    }
}
