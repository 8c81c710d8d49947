//! Questions about plans and figures: explanation, comparison, search, fit.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use airtime_lab::compare::Comparison;
use airtime_lab::explain::Guard;
use airtime_lab::schema::Turns;
use airtime_lab::tune::{Aim, Goal, Space};
use airtime_lab::{Condition, Point, run};
use airtime_report::compare::{Comparisons, comparison, comparisons_csv};
use airtime_report::fit::{FitDocument, fitted, fitted_csv};
use airtime_report::tune::{TuneDocument, tuned, tuned_csv};
use airtime_report::{Explanation, figures, json};
use airtime_study::compare::{Named, Question, compare as compared, matched};
use airtime_study::fit::{Free, Measurements, Request, end, fit as fit_to, free_values};
use airtime_study::request::{named_link, single};
use airtime_study::tune::{Search, free_space, tune as search};
use airtime_study::{Depth, RunFolder, Seen as State, Shard, ShardError};
use pyo3::prelude::*;

use crate::answer::Answer;
use crate::error::Failure;
use crate::plan::Plan;
use crate::sheet::{Sheet, opening_of};
use crate::watch::watched;

/// Keys with the values that they may have.
type FreeKeys = Vec<(String, Vec<String>)>;

/// Searches every change to a point that somebody can make. `also` names goods that may be given up: `security`, `protocol`.
///
/// # Errors
/// When there is not one point; an exception of `progress`; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (plan, *, point=None, depth=None, also=Vec::new(), progress=None))]
pub fn explain(
    py: Python<'_>,
    plan: PyRef<'_, Plan>,
    point: Option<&str>,
    depth: Option<usize>,
    also: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let also = also.iter().map(|word| guard(word)).collect::<Result<Vec<_>, _>>()?;
    let (plan, point) = one(&plan, point, "explained")?;
    let depth = Depth { rungs: depth, also };
    watched(py, progress.as_ref(), |cancel, seen| {
        let stop = || cancel.load(Ordering::Relaxed);
        let runner = |plan: &airtime_lab::Plan, point: &Point| run::record_unless(plan, point, &stop);
        let watch = |state: &State<'_>| seen.say(state.runs, None);
        let explained = airtime_study::explain(&plan, &point, &depth, &runner, &watch, cancel);
        let found = Explanation::from(explained);
        let drawn = figures::explained(&found);
        Answer::new(|out| json(&found, out), vec![found.table(false)], found.figures(), drawn)
    })
}

fn guard(word: &str) -> Result<Guard, Failure> {
    match word {
        "security" => Ok(Guard::Security),
        "protocol" => Ok(Guard::Protocol),
        other => Err(Failure::Refused(format!("also {other}: expected security or protocol"))),
    }
}

/// The one point of a plan, or the one of this id.
fn one(plan: &Plan, id: Option<&str>, done: &str) -> Result<(airtime_lab::Plan, Point), Failure> {
    let plans = std::slice::from_ref(&plan.plan);
    let point = single(plans, id, done)?.point(plans)?;
    Ok((plan.plan.clone(), point))
}

/// Operand of a comparison: a plan that is run, or records.
#[derive(FromPyObject)]
pub enum Operand<'py> {
    /// A plan.
    Plan(PyRef<'py, Plan>),
    /// Records.
    Sheet(PyRef<'py, Sheet>),
}

/// Compares each operand with the first, point by point.
///
/// # Errors
/// When their points do not match, or there is nothing to compare; an exception of `progress`; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (operands, *, point=None, threshold_pct=None, fail_if=Vec::new(), repeats=None, ends=true, threads=0, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn compare(
    py: Python<'_>,
    operands: Vec<(String, Operand<'_>)>,
    point: Option<&str>,
    threshold_pct: Option<f64>,
    fail_if: Vec<String>,
    repeats: Option<usize>,
    ends: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let named = operands.iter().map(|(name, operand)| match operand {
        Operand::Plan(plan) => Named::of_plan::<Failure>(name, &plan.plan, point),
        Operand::Sheet(sheet) => Ok(Named::of_records(name, sheet.records().map(Cow::into_owned), point)?),
    });
    let named = named.collect::<Result<Vec<Named>, Failure>>()?;
    let [first, others @ ..] = named.as_slice() else {
        return Err(Failure::Refused("there is nothing to compare".to_owned()).into());
    };
    let pairs = others.iter().map(|other| matched(first, other)).collect::<Result<Vec<_>, _>>();
    let pairs = pairs.map_err(Failure::from)?.concat();
    let conditions = conditions("fail_if", &fail_if)?;
    let default = Question::default();
    let threshold = threshold_pct.unwrap_or(default.threshold);
    watched(py, progress.as_ref(), |cancel, seen| {
        let stop = || cancel.load(Ordering::Relaxed);
        let runner = |plan: &airtime_lab::Plan, point: &Point| run::record_unless(plan, point, &stop);
        let mut found: Vec<Comparison> = Vec::new();
        for pair in &pairs {
            let question = Question {
                threshold,
                conditions: conditions.iter().chain(&pair.thresholds).cloned().collect(),
                repeats_max: repeats.unwrap_or(default.repeats_max),
                ends,
                threads,
            };
            let watch = |runs: usize| seen.say(runs, None);
            let one = compared([&pair.a, &pair.b], &question, &runner, &watch, cancel);
            let one = one.map_err(|error| Failure::Failed(error.to_string()))?;
            found.push(Comparison { point: pair.point.clone(), ..one });
        }
        let tables = found.iter().flat_map(|one| comparison(one, false)).collect();
        Answer::new(
            |out| json(&Comparisons::of(&found), out),
            tables,
            comparisons_csv(&found),
            figures::compared(&found, threshold),
        )
    })
}

fn conditions(what: &str, texts: &[String]) -> Result<Vec<Condition>, Failure> {
    let refused = |text: &str, error| Failure::Refused(format!("{what} '{text}': {error}"));
    let read = |text: &String| text.parse::<Condition>().map_err(|error| refused(text, error));
    texts.iter().map(read).collect()
}

/// Searches the space of the free keys, each with its values or with those that it may have, and of all that somebody of `who` can turn.
///
/// # Errors
/// When the space or the goal makes no sense, or the folder cannot be used; an exception of `progress`; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (plan, free, *, who=Vec::new(), goal="goodput", limits=Vec::new(), point=None, exhaustive=None, restarts=None, threads=0, shard=None, folder=None, opening="fresh", progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn tune(
    py: Python<'_>,
    plan: PyRef<'_, Plan>,
    free: FreeKeys,
    who: Vec<String>,
    goal: &str,
    limits: Vec<String>,
    point: Option<&str>,
    exhaustive: Option<u64>,
    restarts: Option<usize>,
    threads: usize,
    shard: Option<&str>,
    folder: Option<String>,
    opening: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let (plan, point, space) = searched(&plan, &free, &who, point)?;
    let goal = goal_of(goal, &limits)?;
    let opening = opening_of(opening)?;
    let shard = shard.map_or(Ok(Shard::WHOLE), str::parse);
    let shard = shard.map_err(|error: ShardError| Failure::Refused(format!("shard {error}")))?;
    watched(py, progress.as_ref(), |cancel, seen| {
        let stop = || cancel.load(Ordering::Relaxed);
        let runner = |plan: &airtime_lab::Plan, point: &Point| run::record_unless(plan, point, &stop);
        let how = Search { threads, shard, ..bounded(Search::new(&space, &goal), exhaustive, restarts) };
        let (of, part) = (named_link(&plan, &point), how.part(&plan, &point));
        let folder = folder.map(|folder| RunFolder::open_part(folder.as_ref(), &of, part, opening)).transpose()?;
        let how = Search { folder: folder.as_ref(), ..how };
        let watch = |done: usize, total: Option<u64>| seen.say(done, total.map(|total| total as usize));
        let found = search(&plan, &point, &how, &runner, &watch, cancel);
        let found = found.map_err(|error| Failure::Failed(error.to_string()))?;
        let drawn = figures::tuned(&found);
        Answer::new(|out| json(&TuneDocument::of(&found), out), tuned(&found, false), tuned_csv(&found), drawn)
    })
}

/// Number of parts that a search can have at most, points or starts, true if they are points, and the digest that a folder for a part of
/// it says.
///
/// # Errors
/// When the space or the goal makes no sense.
#[pyfunction]
#[pyo3(signature = (plan, free, *, who=Vec::new(), goal="goodput", limits=Vec::new(), point=None, exhaustive=None, restarts=None))]
#[allow(clippy::too_many_arguments)]
pub fn tune_parts(
    plan: PyRef<'_, Plan>,
    free: FreeKeys,
    who: Vec<String>,
    goal: &str,
    limits: Vec<String>,
    point: Option<&str>,
    exhaustive: Option<u64>,
    restarts: Option<usize>,
) -> PyResult<(u64, bool, String)> {
    let (plan, point, space) = searched(&plan, &free, &who, point)?;
    let goal = goal_of(goal, &limits)?;
    let how = bounded(Search::new(&space, &goal), exhaustive, restarts);
    Ok((how.parts_max(), how.is_exhaustive(), how.digest(&plan, &point).to_string()))
}

fn goal_of(goal: &str, limits: &[String]) -> Result<Goal, Failure> {
    let aim = goal.parse::<Aim>().map_err(|error| Failure::Refused(format!("goal {goal}: {error}")))?;
    Ok(Goal::new(aim, conditions("limit", limits)?))
}

/// The same search with as many points and starts as are asked for, where that is said.
fn bounded(search: Search<'_>, exhaustive: Option<u64>, restarts: Option<usize>) -> Search<'_> {
    Search {
        exhaustive_max: exhaustive.unwrap_or(search.exhaustive_max),
        restarts: restarts.unwrap_or(search.restarts),
        ..search
    }
}

/// The point that is searched around, and the space of the keys that are free.
fn searched(
    plan: &Plan,
    free: &FreeKeys,
    who: &[String],
    point: Option<&str>,
) -> Result<(airtime_lab::Plan, Point, Space), Failure> {
    let (plan, point) = one(plan, point, "tuned")?;
    let who = who.iter().map(|word| turns(word)).collect::<Result<Vec<_>, _>>()?;
    let space = free_space(&plan, &point, free, &who)?;
    Ok((plan, point, space))
}

fn turns(word: &str) -> Result<Turns, Failure> {
    Turns::asked_by(word).ok_or_else(|| {
        let roles = Turns::ROLES.map(|(role, _)| role).join(", ");
        Failure::Refused(format!("who {word}: expected one of {roles}"))
    })
}

/// Ranks the known devices by their errors beside measured figures, and looks for the values of one. The figures are `csv`, with its name,
/// records of real runs, or without either the rows of a field plan; `free` is nothing where all that matter are looked for.
///
/// # Errors
/// When there is no figure, or no end to fit; an exception of `progress`; Ctrl-C.
#[pyfunction]
#[pyo3(signature = (plan, *, csv=None, records=None, end_of=None, point=None, noise_pct=None, rank=false, free=None, runs=None, threads=0, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn fit(
    py: Python<'_>,
    plan: PyRef<'_, Plan>,
    csv: Option<(String, String)>,
    records: Option<PyRef<'_, Sheet>>,
    end_of: Option<&str>,
    point: Option<&str>,
    noise_pct: Option<f64>,
    rank: bool,
    free: Option<FreeKeys>,
    runs: Option<usize>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    let measured = measurements(&plan, csv, records.as_deref(), point)?;
    let key = end(&measured, end_of).map_err(Failure::from)?;
    let axes = free_values(&measured, key, &free.unwrap_or_default()).map_err(Failure::from)?;
    let request = Request {
        measured: &measured,
        end: key,
        noise_pct,
        free: match axes.as_slice() {
            _ if rank => Free::Nothing,
            [] => Free::Sensitive,
            axes => Free::These(axes),
        },
        runs_max: runs.unwrap_or(airtime_study::fit::RUNS_MAX),
        threads,
    };
    watched(py, progress.as_ref(), |cancel, seen| {
        let found = fit_to(&request, &|runs| seen.say(runs, None), cancel);
        let found = found.map_err(|error| Failure::Refused(error.to_string()))?;
        let file = found.device.as_ref().map(|device| device.toml.clone());
        let answer = Answer::new(
            |out| json(&FitDocument::of(&found), out),
            fitted(&found, false),
            fitted_csv(&found),
            figures::fitted(&found),
        )?;
        Ok(answer.with_file(file))
    })
}

fn measurements(
    plan: &Plan,
    csv: Option<(String, String)>,
    records: Option<&Sheet>,
    point: Option<&str>,
) -> Result<Measurements, Failure> {
    let bad = |error: airtime_study::fit::NotMeasured| Failure::Refused(error.to_string());
    if csv.is_none() && records.is_none() {
        return Ok(Measurements::of_field(plan.plan.clone()));
    }
    let (plan, base) = one(plan, point, "varied")?;
    let mut measured = Measurements::of(plan);
    if let Some((name, text)) = csv {
        let none = |file: &str| Err(format!("`{file}`: a capture beside a table is read by the command alone"));
        measured.add_csv(&name, &text, &base, &none).map_err(bad)?;
    }
    for record in records.into_iter().flat_map(Sheet::records) {
        measured.add_record(&record, &base).map_err(bad)?;
    }
    if measured.points.is_empty() {
        return Err(Failure::Refused("there is no measured figure".to_owned()));
    }
    Ok(measured)
}
