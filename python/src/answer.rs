//! Answers that are no records: explanations, comparisons, searches, fits and captures that were read, in the forms of the command.

use std::io;

use airtime_figures::{Figure, Part, fragment};
use airtime_report::{Csv, Export, Table, Text};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;

/// Answer in the forms that the command prints it in.
#[pyclass(frozen, module = "airtime._airtime")]
#[derive(Debug)]
pub struct Answer {
    json: Vec<u8>,
    tables: Vec<Table>,
    lines: Table,
    figures: Vec<Figure>,
    /// Text that goes into a file: the personality that a fit has found.
    #[pyo3(get)]
    file: Option<String>,
}

impl Answer {
    /// Answer whose document `json` writes, with tables for people, lines for a spreadsheet, and figures.
    ///
    /// # Errors
    /// When `json` fails, which into memory it does not.
    pub fn new(
        json: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
        tables: Vec<Table>,
        lines: Table,
        figures: Vec<Figure>,
    ) -> Result<Self, Failure> {
        let mut written = Vec::new();
        json(&mut written).map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(Self { json: written, tables, lines, figures, file: None })
    }

    /// The same with the text of a file.
    pub fn with_file(self, file: Option<String>) -> Self {
        Self { file, ..self }
    }
}

#[pymethods]
impl Answer {
    /// The document that the command prints with `--json`, to the octet.
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.json)
    }

    /// The lines that the command prints with `--csv`.
    fn csv(&self) -> Result<String, Failure> {
        text(&Csv, std::slice::from_ref(&self.lines))
    }

    /// The tables that the command prints, at most `width` columns wide.
    #[pyo3(signature = (width=None))]
    fn text(&self, width: Option<u16>) -> Result<String, Failure> {
        text(&Text { width, colour: false }, &self.tables)
    }

    /// Figures and tables as an element of a page; tables below figures are folded up.
    fn html(&self) -> String {
        let table = |table: Table| match self.figures.is_empty() {
            true => Part::Grid(table.into()),
            false => Part::Folded("as a table".to_owned(), table.into()),
        };
        let drawn = self.figures.iter().cloned().map(Part::Figure);
        fragment(&drawn.chain(self.tables.iter().cloned().map(table)).collect::<Vec<_>>())
    }
}

fn text(form: &dyn Export, tables: &[Table]) -> Result<String, Failure> {
    let mut out = Vec::new();
    form.export_tables(tables, &mut out).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}
