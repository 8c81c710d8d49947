//! Answer that has no records: a comparison, a search, a fit.

use std::io::{self, Write};

use airtime_figures::Figure;
use airtime_report::{Export, Table};

use crate::exit::Failure;
use crate::output::{self, Form};

/// Answer in all its forms.
pub struct Answer<'a> {
    /// Title of its page.
    pub title: &'a str,
    /// Writer of its document.
    pub json: &'a dyn Fn(&mut dyn Write) -> io::Result<()>,
    /// Lines for a spreadsheet.
    pub lines: Table,
    /// Tables for people.
    pub tables: Vec<Table>,
    /// Pictures of it.
    pub figures: Vec<Figure>,
}

impl Answer<'_> {
    /// Prints it in this form.
    ///
    /// # Errors
    /// When nobody reads it any more, or it cannot be written.
    pub fn print(&self, form: Form) -> Result<(), Failure> {
        output::print(&output::rendered(|out| self.write(form, &*form.exporter(), out))?)
    }

    /// Writes it to `out` in this form, whose tables the exporter writes.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, form: Form, exporter: &dyn Export, out: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Json => (self.json)(out),
            Form::Csv => exporter.export_table(&self.lines, out),
            Form::Text | Form::Markdown => exporter.export_tables(&self.tables, out),
        }
    }
}
