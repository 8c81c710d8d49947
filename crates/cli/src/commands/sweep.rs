//! `airtime sweep`: a plan's whole grid.

use airtime_report::SheetKind;

use crate::arguments::SweepArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure::{measure, parse};
use crate::request::{Manner, Measuring};

/// Runs every point of the plan's grid.
pub fn sweep(arguments: &SweepArguments, manner: Manner) -> Result<Exit, Failure> {
    let measuring = Measuring::of(&arguments.measuring)?;
    let plans = parse(&[catalog::find(&arguments.plan, "")?], &measuring.changes)?;
    if let Some(plan) = plans.iter().find(|plan| plan.len() < 2) {
        return Err(Failure::BadInput(format!(
            "{}: there is no grid to sweep: the plan has no [sweep] and no rows",
            plan.file
        )));
    }
    measure(&plans, &measuring, manner, SheetKind::Grid)
}
