//! Records as a table of columns, in a file of Parquet.

use airtime_report::Sheet;

use crate::exit::Failure;
use crate::place::Place;

/// Writes the records of `sheet` to `place`.
///
/// # Errors
/// When it cannot be written, or a record is no row of a table.
#[cfg(feature = "parquet")]
pub fn write(sheet: &Sheet, mut place: Place) -> Result<(), Failure> {
    use airtime_columns::{Columns, ParquetFile, Row};

    let path = place.path().to_owned();
    let documents = || sheet.shown.iter().map(|shown| &shown.document);
    let mut columns = Columns::new().made_by(crate::keep::command());
    for document in documents() {
        document.records.iter().for_each(|record| columns.see(&Row::of(document, &record)));
    }
    let mut file = ParquetFile::begin(&mut place, &columns).map_err(|source| crate::place::unwritten(&path, source))?;
    for document in documents() {
        let mut rows = document.records.iter();
        rows.try_for_each(|record| file.push(&Row::of(document, &record)))
            .map_err(|error| not_written(&path, error))?;
    }
    file.finish().map_err(|source| crate::place::unwritten(&path, source))?;
    place.put()
}

/// Refuses: this program was built without it, and `-o` takes no such file.
///
/// # Errors
/// Always.
#[cfg(not(feature = "parquet"))]
pub fn write(_: &Sheet, place: Place) -> Result<(), Failure> {
    Err(Failure::BadInput(format!("-o {}: this program was built without Parquet", place.path().display())))
}

/// Failure to write a table to `path`.
#[cfg(feature = "parquet")]
pub fn not_written(path: &std::path::Path, error: airtime_columns::NotWritten) -> Failure {
    match error {
        airtime_columns::NotWritten::File(source) => crate::place::unwritten(path, source),
        other => Failure::BadInput(other.to_string()),
    }
}
