//! `airtime plans`: what is shipped.

use airtime_report::{Align, Table};

use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::request::Manner;

/// Lists the shipped plans with what their first line says about them.
pub fn plans(manner: Manner) -> Result<Exit, Failure> {
    let sources = catalog::all().map(|name| catalog::find(name, "")).collect::<Result<Vec<_>, _>>()?;
    let mut table = Table::default();
    table.column("plan", Align::Left, sources.iter().map(|source| source.name.as_str()));
    table.column_if_any("about", Align::Left, sources.iter().map(|source| about(&source.text)));
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)?;
    Ok(Exit::Ok)
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
