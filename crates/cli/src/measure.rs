//! From plans to documents: every point of every plan in one grid, kept as it is measured.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use airtime_lab::configurations::Line;
use airtime_lab::links::Link;
use airtime_lab::{Plan, run};
use airtime_report::{Sheet, SheetKind, Shown};
use airtime_study::request::catalog::{library, read as read_plan};
use airtime_study::request::grid::{named, remark as remark_on};
use airtime_study::request::{Grid, Selected, select, single};
use airtime_study::{Memo, Part, RunFolder, Shard, Sweep};

use crate::arguments::ChangeArguments;
use crate::catalog::{self, Source};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::judge::Judge;
use crate::keep::Keep;
use crate::output::{self, Form};
use crate::progress::Points;
use crate::request::{Changes, Manner, Measuring};
use crate::shelf;

/// Reads `sources` as plans with `changes` made to them.
///
/// A personality that a plan or a change names by its file is read from there.
///
/// # Errors
/// The first thing that is wrong with any of them.
pub fn parse(sources: &[Source], changes: &Changes) -> Result<Vec<Plan>, Failure> {
    let shipped = library();
    let file = |path: &str| -> Result<String, Failure> { Ok(catalog::read(path)?.text) };
    let read = |source: &Source| read_plan((source.name.as_str(), source.text.as_str()), &changes.0, &shipped, file);
    sources.iter().map(read).collect()
}

/// Scenario of the one point of a plan of `link`, of which `example` is one.
///
/// # Errors
/// When it is no such plan, or has more points.
pub fn planned<S: Clone + 'static>(
    plan: &str,
    changes: &ChangeArguments,
    link: &dyn Link,
    example: &str,
) -> Result<S, Failure> {
    let plans = parse(&[catalog::find(plan, "")?], &Changes::of(changes)?)?;
    let selected = single(&plans, changes.point.as_deref(), "brought to life")?;
    let scenario = selected.point(&plans)?.scenario;
    scenario.of().cloned().ok_or_else(|| {
        let name = scenario.link();
        let expected = link.names().join(", ");
        Failure::BadInput(format!("{plan}: it is a plan of {name}; expected one of {expected}, such as {example}"))
    })
}

/// Measures `plans`, prints them as `kind` and keeps them where that was asked for.
///
/// # Errors
/// When the place to keep records, or standard output, cannot be written.
pub fn measure(plans: &[Plan], how: &Measuring, manner: Manner, kind: SheetKind) -> Result<Exit, Failure> {
    measure_with(plans, Vec::new(), how, manner, kind)
}

/// The same of plans with what became of the lines of their build configurations, for the documents.
///
/// # Errors
/// The same.
pub fn measure_with(
    plans: &[Plan],
    lines: Vec<Vec<Line>>,
    how: &Measuring,
    manner: Manner,
    kind: SheetKind,
) -> Result<Exit, Failure> {
    let mut keep = Keep::open(&how.keep, &named(plans), part(plans, how)?)?;
    let cancel = interrupt::listen()?;
    let Ran { sheet, points, judge, full } = ran(plans, lines, how, manner, kind, keep.folder(), cancel)?;
    // What was measured is kept and printed, whichever of the two fails.
    let kept = keep.finish(&sheet);
    output::stream(|out| manner.form.exporter().export(&sheet, out))?;
    kept?;
    if let Some(failure) = full {
        return Err(failure);
    }
    if cancel.load(Ordering::SeqCst) {
        let ran = sheet.records().count();
        output::say(&format!("stopped: {ran} of {points} points are in what was printed"));
        return Ok(Exit::Interrupted);
    }
    if kind != SheetKind::Runs && !manner.quiet && manner.form == Form::Text && io::stderr().is_terminal() {
        output::say(&suggestion(plans, keep.folder()));
    }
    Ok(judge.exit())
}

/// Plans that a suggestion names, *assumed*: a line of more is not read.
const NAMED_MAX: usize = 3;

/// Line on how the same comes on a page: of what is kept, or by another run.
fn suggestion(plans: &[Plan], folder: Option<&RunFolder>) -> String {
    let kept = folder.and_then(|folder| folder.path().parent()).map(|folder| vec![folder.display().to_string()]);
    let names = kept.unwrap_or_else(|| plans.iter().take(NAMED_MAX).map(|plan| plan.file.clone()).collect());
    let names: Vec<String> = names.iter().map(|name| run::quoted(name)).collect();
    format!("as a page to hand on: airtime report {}", names.join(" "))
}

/// Records of plans that were run.
pub struct Ran {
    /// Records of all of them.
    pub sheet: Sheet,
    /// Points that were to be run.
    pub points: usize,
    judge: Judge,
    /// Reason that they could not be kept.
    full: Option<Failure>,
}

/// Runs `plans` as `kind`, each with what became of the `lines` of its build configuration, if there are any; finished points are kept in
/// `folder`. Of what was run when `cancel` was set.
///
/// # Errors
/// When there is no such point.
pub fn ran(
    plans: &[Plan],
    lines: Vec<Vec<Line>>,
    how: &Measuring,
    manner: Manner,
    kind: SheetKind,
    folder: Option<&RunFolder>,
    cancel: &AtomicBool,
) -> Result<Ran, Failure> {
    let points = select(plans, how.point.as_deref())?;
    let memo = (kind == SheetKind::Field).then(Memo::default);
    let Measured { mut shown, origins, judge, full } = grid(plans, &points, how, manner, folder, memo.as_ref(), cancel);
    for (shown, lines) in shown.iter_mut().zip(lines) {
        shown.document.config = lines;
    }
    if kind == SheetKind::Runs {
        remark(plans, &origins, &mut shown, cancel);
    }
    Ok(Ran { sheet: Sheet::new(kind, shown), points: points.len(), judge, full })
}

/// Part of the grid that a run folder is for, unless it is for the whole.
fn part(plans: &[Plan], how: &Measuring) -> Result<Option<Part>, Failure> {
    if how.shard == Shard::WHOLE || how.keep.is_empty() {
        return Ok(None);
    }
    let points = select(plans, how.point.as_deref())?;
    Ok(Grid { plans, points: &points }.part(how.shard))
}

/// Measurements of a grid.
struct Measured {
    /// Records of each plan.
    shown: Vec<Shown>,
    /// The points that they are of.
    origins: Vec<Vec<Selected>>,
    judge: Judge,
    /// Reason that they could not be kept.
    full: Option<Failure>,
}

/// Runs `points` of `plans`. Of the records only the newest are as they were made: the others are packed, and those of a large grid put aside.
fn grid(
    plans: &[Plan],
    points: &[Selected],
    how: &Measuring,
    manner: Manner,
    folder: Option<&RunFolder>,
    memo: Option<&Memo>,
    cancel: &AtomicBool,
) -> Measured {
    let mine = points.iter().enumerate().filter(|(position, _)| how.shard.holds(*position)).map(|(_, point)| point);
    let progress = Points::new(manner.quiet, plans, mine, how.threads);
    let grid = Grid { plans, points };
    let runner = |selected: &Selected| {
        let began = Instant::now();
        let record = grid.record(*selected, memo, cancel);
        progress.ran(*selected, began.elapsed());
        record
    };
    let name = |selected: &Selected| grid.digest(*selected);
    let sweep = Sweep {
        threads: how.threads,
        shard: how.shard,
        folder: folder.map(|folder| (folder, &name as _)),
        progress: &|finished| progress.finished(points[finished.position], finished),
        cancel,
        ..Sweep::new(points, &runner)
    };
    let mut judge = Judge::default();
    let mut shown: Vec<Shown> = plans.iter().map(Shown::of).collect();
    shown.iter_mut().for_each(|shown| shown.document.records = shelf::records());
    for (position, selected) in points.iter().enumerate() {
        *shown[selected.plan].points.get_or_insert(0) += usize::from(how.shard.holds(position));
    }
    let mut origins: Vec<Vec<Selected>> = plans.iter().map(|_| Vec::new()).collect();
    let ended = sweep.run_into(|position, record| {
        let selected = points[position];
        judge.see(&plans[selected.plan], &record);
        shown[selected.plan].document.records.push(record);
        origins[selected.plan].push(selected);
    });
    Measured { shown, origins, judge, full: ended.unwritten.map(Failure::from) }
}

/// Adds to each plan what its first run that a default limits comes to without it.
fn remark(plans: &[Plan], origins: &[Vec<Selected>], shown: &mut [Shown], cancel: &AtomicBool) {
    for (plan, (origins, Shown { document, .. })) in origins.iter().zip(shown).enumerate() {
        let found = remark_on(plans, plan, origins, &document.records, cancel);
        document.remarks.extend(found);
    }
}
