//! Records as a table for data frames: the Arrow C stream interface, a batch at a time, and Parquet.

use std::sync::Arc;

use airtime_columns::{BATCH, Columns, Row, Rows, write};
use airtime_report::Sheet as Report;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::Failure;

/// Batches of records that are made when they are asked for.
struct Batches {
    sheet: Arc<Report>,
    rows: Rows,
    document: usize,
    position: usize,
}

impl Batches {
    /// Looks at all records for the names that they have.
    fn new(sheet: Arc<Report>) -> Self {
        let mut columns = Columns::new();
        for shown in &sheet.shown {
            shown.document.records.iter().for_each(|record| columns.see(&Row::of(&shown.document, &record)));
        }
        Self { rows: Rows::new(&columns), sheet, document: 0, position: 0 }
    }

    fn fill(&mut self) -> Result<(), ArrowError> {
        while let Some(shown) = self.sheet.shown.get(self.document).filter(|_| self.rows.len() < BATCH) {
            let (document, wanted) = (&shown.document, BATCH - self.rows.len());
            for record in document.records.iter_from(self.position).take(wanted) {
                let pushed = self.rows.push(&Row::of(document, &record));
                pushed.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
                self.position += 1;
            }
            if self.position == document.records.len() {
                (self.document, self.position) = (self.document + 1, 0);
            }
        }
        Ok(())
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.fill() {
            Ok(()) => (!self.rows.is_empty()).then(|| Ok(self.rows.take())),
            Err(error) => Some(Err(error)),
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }
}

/// The records as a Parquet file.
///
/// # Errors
/// When a record is no row of a table.
pub fn parquet(sheet: &Report) -> Result<Vec<u8>, Failure> {
    let documents = || sheet.shown.iter().map(|shown| &shown.document);
    let mut columns = Columns::new();
    for document in documents() {
        document.records.iter().for_each(|record| columns.see(&Row::of(document, &record)));
    }
    let mut written = Vec::new();
    write(documents(), &columns, &mut written).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(written)
}

/// Stream of the records' batches, behind the name that consumers look for.
///
/// # Errors
/// Those of the interpreter.
pub fn stream<'py>(py: Python<'py>, sheet: &Arc<Report>) -> PyResult<Bound<'py, PyCapsule>> {
    let sheet = sheet.clone();
    let batches = py.detach(|| Batches::new(sheet));
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}
