//! Tables as Parquet files.

use std::io::{self, Write};

use airtime_lab::Document;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use thiserror::Error;

use crate::{BATCH, Columns, Row, Rows, Unfit};

/// Rows of a row group, all of which are held, encoded, until it is written. Readers share a file among their threads by row group:
/// DuckDB's documentation advises 100,000 to 1,000,000 rows.
const GROUP: usize = 1 << 17;

/// Reason that a table was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotWritten {
    /// A record is no row of it.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// A Parquet file that is written row by row.
pub struct ParquetFile<W: Write + Send> {
    rows: Rows,
    out: ArrowWriter<W>,
    written: usize,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with a table of these columns.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn begin(out: W, columns: &Columns) -> io::Result<Self> {
        let rows = Rows::new(columns);
        // Beside the schema of Arrow, which not every reader looks into.
        let told = columns.metadata().into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_created_by(concat!("airtime ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP))
            .set_key_value_metadata(Some(told))
            .build();
        let options = ArrowWriterOptions::new().with_properties(properties);
        let out = ArrowWriter::try_new_with_options(out, rows.schema(), options).map_err(unwritten)?;
        Ok(Self { rows, out, written: 0 })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the record does not fit the columns, or the file cannot be written.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), NotWritten> {
        self.rows.push(row)?;
        self.written += 1;
        if self.rows.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the rest and the file's end; returns the number of rows.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> io::Result<usize> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.out.close().map_err(unwritten)?;
        Ok(self.written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write(&self.rows.take()).map_err(unwritten)
    }
}

/// Writes all records of `documents` as a Parquet file; returns the number of rows.
///
/// # Errors
/// When a record is no row of a table, or `out` cannot be written.
pub fn write<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    columns: &Columns,
    out: impl Write + Send,
) -> Result<usize, NotWritten> {
    let mut file = ParquetFile::begin(out, columns)?;
    for document in documents {
        document.records.iter().try_for_each(|record| file.push(&Row::of(document, &record)))?;
    }
    Ok(file.finish()?)
}

/// The error of the system behind one of Parquet's, where there is one.
fn unwritten(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}
