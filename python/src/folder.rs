//! Records that were kept: run folders, documents, parts of a grid put together.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use airtime_lab::{Document, Record};
use airtime_report::{SheetKind, Shown, figures};
use airtime_study::{KeptFolder, Merged, NotMerged, RECORDS_FILE};
use pyo3::prelude::*;

use crate::error::Failure;
use crate::plan::Plan;
use crate::sheet::{Sheet, kind_of};

/// Records of a run folder, in the order of the grid where that is said or known; those of a document that `--json` printed, or of a
/// report.
///
/// # Errors
/// When it cannot be read, or holds no records.
#[pyfunction]
pub fn kept(py: Python<'_>, path: &str) -> PyResult<Sheet> {
    py.detach(|| {
        let path = Path::new(path);
        let documents = if path.is_dir() { vec![of_folder(path)?] } else { of_file(path)? };
        Ok::<_, Failure>(Sheet::new(SheetKind::Runs, documents))
    })
    .map_err(PyErr::from)
}

fn of_file(path: &Path) -> Result<Vec<Document>, Failure> {
    let bad = |why: String| Failure::Refused(format!("{}: {why}", path.display()));
    let octets = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
    if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
        let documents = figures::documents(&String::from_utf8_lossy(&octets));
        let documents =
            documents.ok_or_else(|| bad("it is no report: no page but that of a report has records".into()))?;
        return documents.map_err(|error| bad(format!("its records are damaged: {error}")));
    }
    let document: Document = serde_json::from_slice(&octets).map_err(|error| bad(error.to_string()))?;
    match document.schema == airtime_lab::record::SCHEMA {
        true => Ok(vec![document]),
        false => Err(bad(format!("it is of the schema `{}`, and has no records", document.schema))),
    }
}

fn of_folder(path: &Path) -> Result<Document, Failure> {
    let kept = KeptFolder::read(path)?;
    let of = kept.of.clone().unwrap_or_default();
    let plan = of.split_once(" (").filter(|(_, rest)| rest.matches('(').count() == 0).map_or(&*of, |(plan, _)| plan);
    let mut document = Document::new(plan);
    kept.each(|record: Record| document.records.push(record))?;
    Ok(document)
}

/// Puts the parts of a grid in `folders` together into the run folder `into`, which is made; nothing may be missing, there twice, or of
/// something else.
///
/// # Errors
/// When they are not the parts of one grid, or `into` is there already.
#[pyfunction]
pub fn merge(py: Python<'_>, folders: Vec<PathBuf>, into: PathBuf) -> PyResult<usize> {
    py.detach(|| merged(&folders, &into)).map_err(PyErr::from)
}

fn merged(folders: &[PathBuf], into: &Path) -> Result<usize, Failure> {
    let kept = folders.iter().map(|folder| KeptFolder::read(folder)).collect::<Result<Vec<_>, _>>()?;
    let merged = Merged::of(kept).map_err(|error| match error {
        NotMerged::Folder(error) => Failure::Folder(error),
        other => Failure::Refused(other.to_string()),
    })?;
    let path = into.join(RECORDS_FILE);
    let failed = |error: std::io::Error| Failure::Failed(format!("cannot write `{}`: {error}", path.display()));
    std::fs::create_dir_all(into).map_err(failed)?;
    let mut out = BufWriter::new(File::create_new(&path).map_err(failed)?);
    merged.write(&path, &mut out)?;
    out.flush().map_err(failed)?;
    Ok(merged.len())
}

/// Records of the run folder `folder`, which holds every point of `plans` in their order, as a run of them would give them: `kind` is `runs`,
/// `grid` or `field`.
///
/// # Errors
/// When the folder cannot be read, or holds more or fewer points than the plans have.
#[pyfunction]
pub fn kept_of(py: Python<'_>, plans: Vec<PyRef<'_, Plan>>, folder: PathBuf, kind: &str) -> PyResult<Sheet> {
    let kind = kind_of(kind)?;
    let mut shown: Vec<Shown> = plans.iter().map(|plan| Shown::of(&plan.plan)).collect();
    let lengths: Vec<usize> = plans.iter().map(|plan| plan.plan.len()).collect();
    py.detach(|| {
        let kept = KeptFolder::read(&folder)?;
        let (has, points) = (kept.len(), lengths.iter().sum::<usize>());
        if has != points {
            return Err(Failure::Refused(format!("`{}` has {has} of {points} points", folder.display())));
        }
        let (mut plan, mut left) = (0, lengths[0]);
        kept.each(|record: Record| {
            while left == 0 {
                plan += 1;
                left = lengths[plan];
            }
            shown[plan].document.records.push(record);
            left -= 1;
        })?;
        for (shown, length) in shown.iter_mut().zip(&lengths) {
            shown.points = Some(*length);
        }
        Ok(Sheet::new(kind, shown))
    })
    .map_err(PyErr::from)
}
