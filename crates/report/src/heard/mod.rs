//! Captures that are read, as tables and documents: connections of the air, streams of an HCI log, stations of 802.11, nodes of 802.15.4.

mod content;
mod document;
mod hearing;
mod host;
mod ieee802154;
mod told;
mod wifi;

pub use hearing::Hearing;
pub use told::Told;

use crate::{Align, Table};

/// Stations and nodes that a table has; a document has all of them.
const ROWS_MAX: usize = 64;

/// The table with these headings and rows, for a sheet of figures.
fn figures<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> Table {
    let mut table = Table::new("");
    for (index, heading) in headings.into_iter().enumerate() {
        table.column(heading, Align::Left, rows.iter().map(|row| row[index].clone()));
    }
    table
}

/// Rate in kbit/s of these octets within these nanoseconds.
fn rate_kbps(octets: u64, span_ns: u64) -> f64 {
    octets as f64 * 8e6 / (span_ns as f64).max(1.0)
}

fn percent(part: f64, of: f64) -> String {
    if of > 0.0 { format!("{:.1}", 100.0 * part / of) } else { String::new() }
}
