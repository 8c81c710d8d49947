//! `airtime explain`: where the throughput went, and what would gain most.

use airtime_lab::run;
use airtime_report::{Waterfall, waterfall};

use crate::arguments::ExplainArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure::parse;
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::request::{Changes, Manner};
use crate::select::select;

/// Runs the plan's point and says where its air went.
pub fn explain(arguments: &ExplainArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(&arguments.plan, "")?], &changes)?;
    let points = select(&plans, arguments.changes.point.as_deref())?;
    let [selected] = points.as_slice() else {
        let example = points.first().map(|selected| selected.point(&plans).id).unwrap_or_default();
        return Err(Failure::BadInput(format!(
            "{}: one point is explained at a time, and the plan has {}: add --point '{example}', or another",
            plans[0].file,
            points.len(),
        )));
    };
    let progress = Progress::over(1, manner.quiet);
    let explained = Waterfall::of(&run::record(&plans[selected.plan], &selected.point(&plans)));
    drop(progress);
    let table = waterfall(&explained);
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&explained, out),
        form => form.exporter().export_table(&table, out),
    })?)?;
    Ok(Exit::Ok)
}
