//! `airtime export`: results that were kept, as a table for data frames and databases.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_columns::{Columns, ParquetFile, Row};
use airtime_lab::Document;
use airtime_study::{FolderError, KeptFolder};

use crate::arguments::ExportArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::command;
use crate::output;
use crate::place::{NOTHING, Place, unwritten};
use crate::request::Manner;
use crate::results;
use crate::table::not_written;

/// Writes the table. Records are read twice, once for the names of the columns and once for the rows, so that few of them are held.
pub fn export(arguments: &ExportArguments, manner: Manner) -> Result<Exit, Failure> {
    let path = &arguments.output;
    let sources = arguments.results.iter().map(|path| Source::of(path)).collect::<Result<Vec<_>, _>>()?;
    let mut place = Place::claim(path, arguments.force, NOTHING)?;
    let cancel = interrupt::listen()?;
    let each = |sink: &mut Sink<'_>| sources.iter().try_for_each(|source| source.each(cancel, sink));
    let mut columns = Columns::new().made_by(command());
    let mut written = each(&mut |row| {
        columns.see(row);
        Ok(())
    });
    let count = columns.schema().fields().len();
    let mut rows = 0;
    if written.is_ok() {
        let mut file = ParquetFile::begin(&mut place, &columns).map_err(|source| unwritten(path, source))?;
        written = each(&mut |row| Ok(file.push(row).map_err(|error| not_written(path, error))?));
        if written.is_ok() {
            rows = file.finish().map_err(|source| unwritten(path, source))?;
        }
    }
    match written {
        Err(Ended::Stopped) => {
            output::say(&format!("stopped: `{}` was not written", path.display()));
            return Ok(Exit::Interrupted);
        }
        Err(Ended::Failed(failure)) => return Err(failure),
        Ok(()) => place.put()?,
    }
    if !manner.quiet {
        let (rows, count) = (output::counted(rows as u64, "record"), output::counted(count as u64, "column"));
        output::say(&format!("{}: {rows}, {count}", path.display()));
    }
    Ok(Exit::Ok)
}

/// Taker of one row after the other.
type Sink<'a> = dyn FnMut(&Row<'_>) -> Result<(), Ended> + 'a;

/// Reason that not all rows were taken.
enum Ended {
    /// Somebody asked to stop.
    Stopped,
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<FolderError> for Ended {
    fn from(error: FolderError) -> Self {
        Self::Failed(error.into())
    }
}

/// Results that can be read more than once.
enum Source {
    /// A run folder, and the plan that it is of: its records stay where they are.
    Folder(KeptFolder, String),
    /// Documents and reports.
    Documents(Vec<Document>),
}

impl Source {
    fn of(path: &Path) -> Result<Self, Failure> {
        if let Some(folder) = results::run_folder(path) {
            let kept = KeptFolder::read(folder)?;
            let plan = results::plan_of(&kept);
            return Ok(Self::Folder(kept, plan));
        }
        let found = results::find(&path.to_string_lossy())?;
        found.map(Self::Documents).ok_or_else(|| {
            Failure::BadInput(format!(
                "`{}` holds no records: run folders do, documents of --json (.json) and reports (.html)",
                path.display()
            ))
        })
    }

    fn each(&self, cancel: &AtomicBool, sink: &mut Sink<'_>) -> Result<(), Ended> {
        let mut taken = |row: &Row<'_>| match cancel.load(Ordering::Relaxed) {
            true => Err(Ended::Stopped),
            false => sink(row),
        };
        match self {
            Self::Folder(kept, plan) => kept.try_each(|kept| {
                let digest = kept.point.to_string();
                taken(&Row { plan, version: kept.version, digest: Some(&digest), record: &kept.record })
            }),
            Self::Documents(documents) => documents.iter().try_for_each(|document| {
                document.records.iter().try_for_each(|record| taken(&Row::of(document, &record)))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use airtime_lab::Record;

    use super::*;

    #[test]
    fn who_asked_to_stop_gets_no_further_row() {
        let records = vec![Record::default(); 3].into();
        let source = Source::Documents(vec![Document { records, ..Document::new("x") }]);
        let cancel = AtomicBool::new(false);
        let mut taken = 0;
        let ended = source.each(&cancel, &mut |_| {
            taken += 1;
            cancel.store(taken == 2, Ordering::Relaxed);
            Ok(())
        });
        assert!(matches!(ended, Err(Ended::Stopped)));
        assert_eq!(taken, 2);
    }
}
