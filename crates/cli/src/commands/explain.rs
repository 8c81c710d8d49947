//! `airtime explain`: where the throughput went, and what would gain most.

use std::sync::atomic::{AtomicBool, Ordering};

use airtime_lab::explain::Guard;
use airtime_lab::{Plan, Point, run};
use airtime_report::Explanation;
use airtime_study::{Depth, Explained, Seen};

use crate::arguments::{ExplainArguments, Good};
use crate::catalog;
use crate::config;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::keep::Keep;
use crate::measure::parse;
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::request::{Changes, Manner, opening, wishes};
use airtime_study::request::single;

/// Runs the plan's point, and searches every change to it that somebody can make.
pub fn explain(arguments: &ExplainArguments, manner: Manner) -> Result<Exit, Failure> {
    let changes = Changes::of(&arguments.changes)?;
    let plans = parse(&[catalog::find(&arguments.plan, "")?], &changes)?;
    let plans = config::apply(plans, &config::files(&arguments.config)?)?;
    let (plans, lines): (Vec<_>, Vec<_>) = plans.into_iter().unzip();
    for (plan, lines) in plans.iter().zip(&lines).filter(|_| !manner.quiet) {
        config::say(&plan.name, lines)?;
    }
    let selected = single(&plans, arguments.changes.point.as_deref(), "explained")?;
    let mut keep = Keep::explanation(&wishes(&arguments.output, opening(false, arguments.force)))?;
    let cancel = interrupt::listen()?;
    let (plan, point) = (&plans[selected.plan], selected.point(&plans)?);
    let depth = Depth {
        rungs: arguments.depth.map(usize::from),
        also: arguments.also.iter().map(|good| guard(*good)).collect(),
    };
    let explained = explained(plan, &point, &depth, manner, cancel);
    let stopped = explained.stopped.is_some();
    let failed = airtime_report::failed(&explained.record).then(|| explained.record.outcome.clone());
    let explained = Explanation::from(explained);
    // What was found is kept and printed, whichever of the two fails.
    let kept = keep.finish_explained(&explained, manner.quiet);
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => airtime_report::json(&explained, out),
        Form::Csv => Form::Csv.exporter().export_table(&explained.figures(), out),
        form => form.exporter().export_table(&explained.table(manner.quiet), out),
    })?)?;
    kept?;
    if stopped {
        return Ok(Exit::Interrupted);
    }
    // As of a run: whoever looks at the code alone learns that there is nothing to gain from.
    failed.iter().for_each(|outcome| output::say(&format!("{}: {outcome}", point.id)));
    Ok(if failed.is_some() { Exit::Failed } else { Exit::Ok })
}

/// Explanation of `point`, with the runs that it takes shown as they are made; of those that were made when `cancel` was set.
pub fn explained(plan: &Plan, point: &Point, depth: &Depth, manner: Manner, cancel: &AtomicBool) -> Explained {
    let progress = Progress::of(manner.quiet, "{spinner} {pos} runs{msg}");
    let watch = |seen: &Seen<'_>| {
        progress.set(seen.runs, seen.runs);
        progress.say(seen.state.to_owned());
    };
    let stop = || cancel.load(Ordering::Relaxed);
    let runner = |plan: &Plan, point: &Point| run::record_unless(plan, point, &stop);
    airtime_study::explain(plan, point, depth, &runner, &watch, cancel)
}

const fn guard(good: Good) -> Guard {
    match good {
        Good::Security => Guard::Security,
        Good::Protocol => Guard::Protocol,
    }
}
