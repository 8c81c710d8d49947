//! `airtime field`: published measurements beside the lab's figures.

use airtime_report::SheetKind;
use airtime_study::field::has_figure;

use super::add::add;
use crate::arguments::FieldArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure::{measure, parse};
use crate::request::{Manner, Measuring};

/// Folder of the shipped field plans.
pub(super) const FOLDER: &str = "field";

/// Replays the sources that are asked for; without any, all that are shipped.
pub fn field(arguments: &FieldArguments, manner: Manner) -> Result<Exit, Failure> {
    if let Some(records) = &arguments.add {
        return match arguments.sources.as_slice() {
            [plan] => add(records, plan),
            _ => Err(Failure::BadInput("--add RECORDS needs one field plan, a file, to put them into".to_owned())),
        };
    }
    let measuring = Measuring::of(&arguments.measuring)?;
    let sources = match arguments.sources.as_slice() {
        [] => catalog::shipped(FOLDER).map(|name| catalog::find(name, FOLDER)).collect::<Result<_, _>>()?,
        asked => asked.iter().map(|name| catalog::find(name, FOLDER)).collect::<Result<Vec<_>, _>>()?,
    };
    let plans = parse(&sources, &measuring.changes)?;
    if let Some(plan) = plans.iter().find(|plan| !has_figure(plan)) {
        return Err(Failure::BadInput(format!(
            "{}: no row has a measured figure to compare with; `airtime run` runs it",
            plan.file
        )));
    }
    measure(&plans, &measuring, manner, SheetKind::Field)
}
