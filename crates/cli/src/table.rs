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
    let path = place.path().to_owned();
    let documents = || sheet.shown.iter().map(|shown| &shown.document);
    let columns = airtime_columns::Columns::of(documents()).made_by(crate::keep::command());
    airtime_columns::write(documents(), &columns, &mut place).map_err(|error| not_written(&path, error))?;
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
