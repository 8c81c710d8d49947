//! `airtime explain`: where the throughput went, and what would gain most.

use std::sync::atomic::Ordering;

use airtime_lab::run;
use airtime_report::{Waterfall, waterfall};

use crate::arguments::ExplainArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::measure::parse;
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::request::{Changes, Manner};
use crate::select::single;

/// Runs the plan's point and every change to it that somebody can make.
pub fn explain(arguments: &ExplainArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(&arguments.plan, "")?], &changes)?;
    let selected = single(&plans, arguments.changes.point.as_deref(), "explained")?;
    let cancel = interrupt::listen()?;
    let progress = Progress::new(manner.quiet);
    let counted = |done, total| progress.set(done, total);
    let (plan, point) = (&plans[selected.plan], selected.point(&plans));
    let explained = airtime_study::explain(plan, &point, &run::record, &counted, cancel);
    drop(progress);
    let (config, machine) = (explained.config, explained.machine);
    let waterfall_of = Waterfall { config, machine, ..Waterfall::of(&explained.record) };
    let explained = waterfall_of.with(explained.changes, explained.conclusion);
    let table = waterfall(&explained);
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&explained, out),
        form => form.exporter().export_table(&table, out),
    })?)?;
    Ok(if cancel.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Ok })
}
