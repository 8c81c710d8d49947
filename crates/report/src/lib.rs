//! Views of records: text, Markdown, CSV and JSON.
//!
//! A [`Sheet`] says what is shown; an [`Export`] writes it. Nothing is computed here but layout:
//! figures and sentences come from the records.

mod calls;
mod capture;
mod cells;
mod counted;
mod csv;
mod json;
mod links;
mod markdown;
pub mod perf;
pub mod plot;
mod ram;
mod sheet;
mod table;
mod text;
mod waterfall;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::io;

pub use capture::connection;
pub use cells::failed;
pub use csv::Csv;
pub use json::{Json, json};
pub use markdown::Markdown;
pub use sheet::{Kind, Sheet, Shown};
pub use table::{Align, Column, Table};
pub use text::Text;
pub use waterfall::{Step, Waterfall, waterfall};

/// A form in which a sheet leaves the program.
pub trait Export {
    /// Writes `sheet` to `out`: its tables with a blank line between two, unless the form says otherwise.
    ///
    /// # Errors
    /// When `out` cannot be written.
    fn export(&self, sheet: &Sheet, out: &mut dyn io::Write) -> io::Result<()> {
        for (position, table) in sheet.tables().iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            self.export_table(table, out)?;
        }
        Ok(())
    }

    /// Writes one table, such as a list of names.
    ///
    /// # Errors
    /// When `out` cannot be written.
    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()>;
}
