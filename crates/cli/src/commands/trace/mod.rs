//! `airtime trace`: one run of a plan, written down, and captures read.

mod against;
mod packets;
mod read;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use airtime_lab::links::{Capture, Captures, Origin, Scenario};
use airtime_lab::time_line;
use airtime_report::{Align, Table, figures};

use crate::arguments::{TraceArguments, TraceCommand};
use crate::capture::{self, CaptureFile, Written};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::{Keep, is_picture};
use crate::measure::parse;
use crate::output;
use crate::request::{Changes, Manner};
use airtime_study::request::single;

pub use read::connections;

/// Writes a capture, or reads one.
pub fn trace(arguments: &TraceArguments, manner: Manner) -> Result<Exit, Failure> {
    match (&arguments.command, &arguments.plan) {
        (Some(TraceCommand::Read(arguments)), _) => read::read(arguments, manner),
        (None, Some(plan)) => write(plan, arguments, manner),
        (None, None) => Err(Failure::BadInput("what is to be traced? `airtime plans` lists the plans".to_owned())),
    }
}

/// Runs the plan's point once, with its own seed, and captures it.
fn write(plan: &str, arguments: &TraceArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(plan, "")?], &changes)?;
    let point = single(&plans, arguments.changes.point.as_deref(), "traced")?.point(&plans)?;
    let cancel = interrupt::listen()?;
    let stop = || cancel.load(Ordering::SeqCst);
    let scenario = &*point.scenario.link;
    let (pictures, files): (Vec<_>, Vec<_>) = arguments.output.iter().cloned().partition(|path| is_picture(path));
    let mut keep = Keep::pictures(&pictures, arguments.force)?;
    let written = written(scenario, &files, arguments, &stop)?;
    if !pictures.is_empty() {
        draw(&mut keep, &point.id, scenario)?;
    }
    if !written.is_empty() {
        print(&written, manner)?;
    }
    Ok(if stop() { Exit::Interrupted } else { Exit::Ok })
}

/// Runs `scenario` once, and writes the files that were asked for. All are opened before anything runs.
fn written(
    scenario: &dyn Scenario,
    paths: &[PathBuf],
    arguments: &TraceArguments,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Written>, Failure> {
    let planned = capture::planned(paths, |form| scenario.captures(form))?;
    if planned.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for file in &planned {
        files.push(CaptureFile::create(file, arguments.force)?);
    }
    let wanted = planned.iter().zip(&mut files).map(|(file, sink)| Capture { form: file.form, view: file.view, sink });
    let captures = Captures { wanted: wanted.collect(), origin: Origin::VIRTUAL, apart: arguments.apart, stop };
    scenario.captured(scenario.run().seed, captures);
    files.into_iter().map(CaptureFile::finish).collect()
}

/// Draws a cycle of the run of `scenario`, the point called `id`, to scale.
fn draw(keep: &mut Keep, id: &str, scenario: &dyn Scenario) -> Result<(), Failure> {
    let cycle = time_line::cycle(scenario).map_err(Failure::BadInput)?;
    let figure = figures::time_line(id, &cycle);
    let figure = figure.ok_or_else(|| Failure::BadInput(format!("{id}: nothing went on after the warm-up")))?;
    keep.finish_pictures(id, &[figure])
}

fn print(written: &[Written], manner: Manner) -> Result<(), Failure> {
    let mut table = Table::default();
    table.column("file", Align::Left, written.iter().map(|written| written.path.display().to_string()));
    table.column("octets", Align::Right, written.iter().map(|written| written.octets.to_string()));
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
}
