//! Views of records: text, Markdown, CSV, JSON, waterfalls and figures.
//!
//! A [`Sheet`] says what is shown; an [`Export`] writes it. Nothing is computed here but layout:
//! figures and sentences come from the records of `airtime-lab`.
//!
//! A table, and two of the forms in which it can leave a program:
//!
//! ```
//! use airtime_report::{Align, Csv, Export, Markdown, Table};
//!
//! let mut table = Table::new("Goodput");
//! table.column("link", Align::Left, ["ble-coc", "ieee802154"]);
//! table.column("kbps", Align::Right, ["524.2", "134.6"]);
//! table.remarks.push("payload of the application only".to_owned());
//!
//! let written = |form: &dyn Export| {
//!     let mut out = Vec::new();
//!     form.export_table(&table, &mut out).expect("memory takes everything");
//!     String::from_utf8(out).expect("tables are text")
//! };
//! assert_eq!(written(&Csv), "link,kbps\nble-coc,524.2\nieee802154,134.6\n");
//! assert_eq!(written(&Markdown).lines().nth(2), Some("| link | kbps |"));
//! ```
//!
//! The three types to begin with:
//!
//! - [`Sheet`]: documents with records, and the kind of view that is wanted of them
//! - [`Export`]: a form: [`Text`], [`Markdown`], [`Csv`] or [`Json`]
//! - [`Waterfall`]: the way from the rate of the PHY down to goodput, an account a step
#![warn(missing_docs)]

mod calls;
mod capture;
mod cells;
pub mod compare;
mod counted;
mod csv;
mod draft;
mod explanation;
pub mod figures;
pub mod fit;
mod glimpse;
mod heard;
mod json;
mod layout;
pub mod legend;
mod links;
mod list;
mod markdown;
pub mod perf;
mod prose;
mod quantity;
mod ram;
mod row;
mod rungs;
mod sheet;
mod table;
mod text;
mod tone;
pub mod tune;
mod waterfall;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::io;

pub use cells::failed;
pub use csv::Csv;
pub use explanation::Explanation;
pub use glimpse::{Glimpse, glimpses, questions, way_up};
pub use heard::{Against, Hearing, Told};
pub use json::{Json, json};
pub use list::List;
pub use markdown::Markdown;
pub use row::Row;
pub use sheet::{Sheet, SheetKind, Shown};
pub use table::{Align, Column, Table, Weight};
pub use text::Text;
pub use tone::{Spot, Tone};
pub use waterfall::{Step, Waterfall, waterfall};

/// A form in which a sheet leaves the program.
pub trait Export {
    /// Writes `sheet` to `out`: its tables with a blank line between two, unless the form says otherwise.
    ///
    /// # Errors
    /// When `out` cannot be written.
    fn export(&self, sheet: &Sheet, out: &mut dyn io::Write) -> io::Result<()> {
        self.export_tables(&sheet.tables(), out)
    }

    /// Writes one table, such as a list of names.
    ///
    /// # Errors
    /// When `out` cannot be written.
    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()>;

    /// Writes several tables of one answer: with a blank line between two, unless the form says otherwise.
    ///
    /// # Errors
    /// When `out` cannot be written.
    fn export_tables(&self, tables: &[Table], out: &mut dyn io::Write) -> io::Result<()> {
        for (position, table) in tables.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            self.export_table(table, out)?;
        }
        Ok(())
    }
}
