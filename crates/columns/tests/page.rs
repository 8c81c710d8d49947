//! docs/columns.md: the columns that every table has are listed there as the code has them.

use std::fmt::Write;
use std::path::Path;

use airtime_columns::{FixedColumn, fixed_columns};

const BEGIN: &str = "<!-- columns: AIRTIME_BLESS=1 cargo test -p airtime-columns -->\n";
const END: &str = "<!-- end of columns -->\n";

#[test]
fn the_page_has_every_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/columns.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a place for the columns");
    let (_, behind) = rest.split_once(END).expect("an end of it");
    let mut table = String::from("\n| column | values | holds |\n|---|---|---|\n");
    for column @ FixedColumn { name, says, .. } in fixed_columns() {
        writeln!(table, "| `{name}` | {} | {says} |", column.values()).unwrap();
    }
    let made = format!("{before}{BEGIN}{table}\n{END}{behind}");
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let is_current = std::env::var_os("AIRTIME_BLESS").is_some() || made == page;
    assert!(is_current, "docs/columns.md is out of date: AIRTIME_BLESS=1 cargo test -p airtime-columns");
}
