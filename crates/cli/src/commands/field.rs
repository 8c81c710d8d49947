//! `airtime field`: published measurements beside the lab's figures.

use airtime_report::Kind;

use crate::arguments::FieldArguments;
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::measure::{measure, parse};
use crate::request::{Manner, Measuring};

/// Folder of the shipped field plans.
const FOLDER: &str = "field";

/// Replays the sources that are asked for; without any, all that are shipped.
pub fn field(arguments: &FieldArguments, manner: Manner) -> Result<Exit, Failure> {
    let measuring = Measuring::of(&arguments.measuring)?;
    let sources = match arguments.sources.as_slice() {
        [] => catalog::shipped(FOLDER).map(|name| catalog::find(name, FOLDER)).collect::<Result<_, _>>()?,
        asked => asked.iter().map(|name| catalog::find(name, FOLDER)).collect::<Result<Vec<_>, _>>()?,
    };
    let plans = parse(&sources, &measuring.changes)?;
    measure(&plans, &measuring, manner, Kind::Field)
}
