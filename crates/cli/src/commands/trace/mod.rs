//! `airtime trace`: one run of a plan, written down, and captures read.

mod content;
mod packets;
mod read;

use std::sync::atomic::Ordering;

use airtime_lab::links::{Capture, Captures, Origin, Scenario};
use airtime_report::{Align, Table};

use crate::arguments::{TraceArguments, TraceCommand};
use crate::capture::{self, CaptureFile, Written};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::measure::parse;
use crate::output;
use crate::request::{Changes, Manner};
use crate::select::single;

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
    let written = written(&*point.scenario.link, arguments, &stop)?;
    print(&written, manner)?;
    Ok(if stop() { Exit::Interrupted } else { Exit::Ok })
}

/// Runs `scenario` once, and writes the files that were asked for. All are opened before anything runs.
fn written(
    scenario: &dyn Scenario,
    arguments: &TraceArguments,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Written>, Failure> {
    let planned = capture::planned(&arguments.output, |form| scenario.captures(form))?;
    let mut files = Vec::new();
    for file in &planned {
        files.push(CaptureFile::create(file, arguments.force)?);
    }
    let wanted = planned.iter().zip(&mut files).map(|(file, sink)| Capture { form: file.form, view: file.view, sink });
    let captures = Captures { wanted: wanted.collect(), origin: Origin::VIRTUAL, apart: arguments.apart, stop };
    scenario.captured(scenario.run().seed, captures);
    files.into_iter().map(CaptureFile::finish).collect()
}

fn print(written: &[Written], manner: Manner) -> Result<(), Failure> {
    let mut table = Table::default();
    table.column("file", Align::Left, written.iter().map(|written| written.path.display().to_string()));
    table.column("octets", Align::Right, written.iter().map(|written| written.octets.to_string()));
    output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
}
