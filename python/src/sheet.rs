//! Records of plans that were run, in the forms of the command.

use std::borrow::Cow;
use std::sync::Arc;

use airtime_figures::{Part, fragment};
use airtime_lab::Record;
use airtime_report::{Csv, Export, Json, Sheet as Report, SheetKind, Shown, Text, figures};
use airtime_study::field::has_figure;
use airtime_study::request::grid::{named, remark};
use airtime_study::request::{Grid, Selected, select};
use airtime_study::{Memo, Opening, RunFolder, Shard, Sweep};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::error::Failure;
use crate::plan::Plan;
use crate::table::{parquet, stream};
use crate::watch::watched;

/// Records of one or several plans.
#[pyclass(frozen, module = "airtime._airtime")]
#[derive(Debug)]
pub struct Sheet {
    /// Records as a report has them.
    pub sheet: Arc<Report>,
}

impl Sheet {
    /// Documents as a sheet of this kind.
    pub fn new(kind: SheetKind, shown: impl IntoIterator<Item = impl Into<Shown>>) -> Self {
        Self { sheet: Arc::new(Report::new(kind, shown)) }
    }

    /// Every record, in order.
    pub fn records(&self) -> impl Iterator<Item = Cow<'_, Record>> {
        self.sheet.records()
    }

    fn written(&self, form: &dyn Export) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        form.export(&self.sheet, &mut out).map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(out)
    }
}

#[pymethods]
impl Sheet {
    /// Number of records.
    fn __len__(&self) -> usize {
        self.sheet.shown.iter().map(|shown| shown.document.records.len()).sum()
    }

    /// At most `count` records from `start` on, each as JSON.
    fn records_json<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        count: usize,
    ) -> Result<Vec<Bound<'py, PyBytes>>, Failure> {
        let (mut start, mut found) = (start, Vec::new());
        for shown in &self.sheet.shown {
            let records = &shown.document.records;
            let here = start.min(records.len());
            for record in records.iter_from(here).take(count - found.len()) {
                let json = serde_json::to_vec(&*record).map_err(|error| Failure::Failed(error.to_string()))?;
                found.push(PyBytes::new(py, &json));
            }
            start -= here;
        }
        Ok(found)
    }

    /// The document that the command prints with `--json`, to the octet.
    fn json<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let written = py.detach(|| self.written(&Json))?;
        Ok(PyBytes::new(py, &written))
    }

    /// The lines that the command prints with `--csv`.
    fn csv(&self, py: Python<'_>) -> Result<String, Failure> {
        let written = py.detach(|| self.written(&Csv))?;
        Ok(String::from_utf8_lossy(&written).into_owned())
    }

    /// The Parquet file that the command writes with `-o FILE.parquet`, but for the line that names the command.
    fn parquet<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let written = py.detach(|| parquet(&self.sheet))?;
        Ok(PyBytes::new(py, &written))
    }

    /// Stream of Arrow batches; whoever asks for another schema gets this one, and casts it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream(py, &self.sheet)
    }

    /// The tables that the command prints, at most `width` columns wide.
    #[pyo3(signature = (width=None))]
    fn text(&self, width: Option<u16>) -> Result<String, Failure> {
        let written = self.written(&Text { width, colour: false })?;
        Ok(String::from_utf8_lossy(&written).into_owned())
    }

    /// Figures, with the tables folded up below them, as an element of a page.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let drawn = figures::figures(&self.sheet).into_iter().map(Part::Figure);
            let tables =
                self.sheet.tables().into_iter().map(|table| Part::Folded("as a table".to_owned(), table.into()));
            fragment(&drawn.chain(tables).collect::<Vec<_>>())
        })
    }
}

/// Manner of measuring.
struct How {
    kind: SheetKind,
    point: Option<String>,
    threads: usize,
    shard: Shard,
    folder: Option<(String, Opening)>,
}

/// Runs every point of `plans` and gives the records in their order. `kind` is `runs`, `grid` or `field`; `opening` of a folder is
/// `fresh`, `resume` or `replace`.
///
/// # Errors
/// Whatever makes the command end with 2 or 1; an exception of `progress`; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (plans, kind, *, point=None, threads=0, shard=None, folder=None, opening="fresh", progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn measure(
    py: Python<'_>,
    plans: Vec<PyRef<'_, Plan>>,
    kind: &str,
    point: Option<String>,
    threads: usize,
    shard: Option<&str>,
    folder: Option<String>,
    opening: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Sheet> {
    let plans: Vec<airtime_lab::Plan> = plans.iter().map(|plan| plan.plan.clone()).collect();
    if plans.is_empty() {
        return Err(Failure::Refused("there is no plan to run".to_owned()).into());
    }
    let shard = shard.map_or(Ok(Shard::WHOLE), str::parse);
    let how = How {
        kind: kind_of(kind)?,
        point,
        threads,
        shard: shard.map_err(|error| Failure::Refused(format!("shard {error}")))?,
        folder: folder.map(|folder| Ok::<_, Failure>((folder, opening_of(opening)?))).transpose()?,
    };
    check(&plans, how.kind)?;
    watched(py, progress.as_ref(), |cancel, seen| {
        let points = select(&plans, how.point.as_deref())?;
        let grid = Grid { plans: &plans, points: &points };
        let folder = how.folder.as_ref().map(|(folder, opening)| {
            RunFolder::open_part(folder.as_ref(), &named(&plans), grid.part(how.shard), *opening)
        });
        let folder = folder.transpose()?;
        let memo = (how.kind == SheetKind::Field).then(Memo::default);
        let runner = |selected: &Selected| grid.record(*selected, memo.as_ref(), cancel);
        let name = |selected: &Selected| grid.digest(*selected);
        let sweep = Sweep {
            threads: how.threads,
            shard: how.shard,
            folder: folder.as_ref().map(|folder| (folder, &name as _)),
            progress: &|finished| seen.say(finished.done, Some(finished.total)),
            cancel,
            ..Sweep::new(&points, &runner)
        };
        let mut shown: Vec<Shown> = plans.iter().map(Shown::of).collect();
        for (position, selected) in points.iter().enumerate() {
            *shown[selected.plan].points.get_or_insert(0) += usize::from(how.shard.holds(position));
        }
        let mut origins: Vec<Vec<Selected>> = plans.iter().map(|_| Vec::new()).collect();
        let ended = sweep.run_into(|position, record| {
            let selected = points[position];
            shown[selected.plan].document.records.push(record);
            origins[selected.plan].push(selected);
        });
        if let Some(error) = ended.unwritten {
            return Err(error.into());
        }
        if how.kind == SheetKind::Runs {
            for (plan, (origins, Shown { document, .. })) in origins.iter().zip(&mut shown).enumerate() {
                let found = remark(&plans, plan, origins, &document.records, cancel);
                document.remarks.extend(found);
            }
        }
        Ok(Sheet::new(how.kind, shown))
    })
}

fn check(plans: &[airtime_lab::Plan], kind: SheetKind) -> Result<(), Failure> {
    let bad = |plan: &airtime_lab::Plan, why: &str| Err(Failure::Refused(format!("{}: {why}", plan.file)));
    match kind {
        SheetKind::Grid => plans
            .iter()
            .find(|plan| plan.len() < 2)
            .map_or(Ok(()), |plan| bad(plan, "there is no grid to sweep: the plan has no [sweep] and no rows")),
        SheetKind::Field => plans
            .iter()
            .find(|plan| !has_figure(plan))
            .map_or(Ok(()), |plan| bad(plan, "no row has a measured figure to compare with; `airtime run` runs it")),
        SheetKind::Runs => Ok(()),
    }
}

/// Kind of a sheet by its word.
pub fn kind_of(word: &str) -> Result<SheetKind, Failure> {
    match word {
        "runs" => Ok(SheetKind::Runs),
        "grid" => Ok(SheetKind::Grid),
        "field" => Ok(SheetKind::Field),
        other => Err(Failure::Refused(format!("kind {other}: expected runs, grid or field"))),
    }
}

/// Opening of a folder by its word.
pub fn opening_of(word: &str) -> Result<Opening, Failure> {
    match word {
        "fresh" => Ok(Opening::Fresh),
        "resume" => Ok(Opening::Resume),
        "replace" => Ok(Opening::Replace),
        other => Err(Failure::Refused(format!("opening {other}: expected fresh, resume or replace"))),
    }
}
