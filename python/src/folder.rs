//! Records that were kept: run folders, documents, parts of a grid put together.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use airtime_lab::{Document, Record};
use airtime_report::{SheetKind, Shown, figures};
use airtime_study::request::{Grid, select};
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

/// Digest of the grid or search that the run folder `folder` is for a part of; nothing where it is for the whole.
///
/// # Errors
/// When the folder cannot be read.
#[pyfunction]
pub fn part_of(folder: PathBuf) -> Result<Option<String>, Failure> {
    Ok(KeptFolder::read(&folder)?.parts.first().map(|part| part.grid.to_string()))
}

/// Records of the run folder `folder`, which holds every point of `plans` in their order, as a run of them would give them: `kind` is `runs`,
/// `grid` or `field`.
///
/// # Errors
/// When the folder cannot be read, or holds more or fewer points than the plans have, or those of others.
#[pyfunction]
pub fn kept_of(py: Python<'_>, plans: Vec<PyRef<'_, Plan>>, folder: PathBuf, kind: &str) -> PyResult<Sheet> {
    let kind = kind_of(kind)?;
    let plans: Vec<airtime_lab::Plan> = plans.iter().map(|plan| plan.plan.clone()).collect();
    let mut shown: Vec<Shown> = plans.iter().map(Shown::of).collect();
    let lengths: Vec<usize> = plans.iter().map(airtime_lab::Plan::len).collect();
    py.detach(|| {
        let kept = KeptFolder::read(&folder)?;
        let points = select(&plans, None)?;
        let grid = Grid { plans: &plans, points: &points };
        if kept.len() != points.len() {
            let (folder, has, points) = (folder.display(), kept.len(), points.len());
            return Err(Failure::Refused(format!("`{folder}` has {has} of {points} points")));
        }
        let mut position = 0;
        kept.try_each(|kept| {
            if !grid.is_of(position, &kept) {
                return Err(Failure::Refused("there are records of another plan: name another folder".to_owned()));
            }
            shown[points[position].plan].document.records.push(kept.record);
            position += 1;
            Ok(())
        })?;
        for (shown, length) in shown.iter_mut().zip(&lengths) {
            shown.points = Some(*length);
        }
        Ok(Sheet::new(kind, shown))
    })
    .map_err(PyErr::from)
}
