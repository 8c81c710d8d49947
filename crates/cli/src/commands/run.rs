//! `airtime run`: plans, or the long tour of those that are shipped.

use airtime_report::SheetKind;

use crate::arguments::RunArguments;
use crate::catalog::{self, Source};
use crate::config;
use crate::exit::{Exit, Failure};
use crate::measure::{measure_with, parse};
use crate::request::{Manner, Measuring};

/// Runs the plans that are asked for; without any, those of the tour.
pub fn run(arguments: &RunArguments, manner: Manner) -> Result<Exit, Failure> {
    let measuring = Measuring::of(&arguments.measuring)?;
    let sources = match arguments.plans.as_slice() {
        [] => tour_plans()?,
        asked => asked.iter().map(|name| catalog::find(name, "")).collect::<Result<_, _>>()?,
    };
    let plans = config::apply(parse(&sources, &measuring.changes)?, &config::files(&arguments.config)?)?;
    let (plans, lines): (Vec<_>, Vec<_>) = plans.into_iter().unzip();
    for (plan, lines) in plans.iter().zip(&lines).filter(|_| !manner.quiet) {
        config::say(&plan.name, lines)?;
    }
    measure_with(&plans, lines, &measuring, manner, SheetKind::Runs)
}

/// The shipped plans that stand by themselves; field plans and logs of experiments have commands of
/// their own.
fn tour_plans() -> Result<Vec<Source>, Failure> {
    catalog::shipped("").map(|name| catalog::find(name, "")).collect()
}
