//! Captures that are read, as tables and documents: connections of the air, streams of an HCI log, stations of 802.11, nodes of 802.15.4.

mod against;
mod content;
mod document;
mod hearing;
mod host;
mod ieee802154;
mod told;
mod wifi;

pub use against::Against;
pub use hearing::Hearing;
pub use told::Told;

use airtime_lab::record::tenth;

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

/// Rate in kbit/s of these octets within these nanoseconds; none where no time passes, as in a capture without stamps.
fn rate_kbps(octets: u64, span_ns: u64) -> Option<f64> {
    (span_ns > 0).then(|| octets as f64 * 8e6 / span_ns as f64)
}

/// The rate in a table for people: nothing where there is none.
fn shown_kbps(octets: u64, span_ns: u64) -> String {
    rate_kbps(octets, span_ns).map(|kbps| format!("{kbps:.1}")).unwrap_or_default()
}

/// The rate in a cell of figures.
fn written_kbps(octets: u64, span_ns: u64) -> String {
    rate_kbps(octets, span_ns).map(|kbps| tenth(kbps).to_string()).unwrap_or_default()
}

/// Remark on a capture of so many frames in which no time passes.
fn timeless(frames: u64, span_ns: u64) -> Option<String> {
    let says = "All stamps of the capture are the same: it has no times, and nothing is said of rates and shares.";
    (span_ns == 0 && frames > 1).then(|| says.to_owned())
}

fn percent(part: f64, of: f64) -> String {
    if of > 0.0 { format!("{:.1}", 100.0 * part / of) } else { String::new() }
}
