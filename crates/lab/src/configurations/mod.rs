//! Build configurations of a board in a plan, each line of which sets something of the plan or of its device, is left aside for a reason
//! that is told, or contradicts what the plan says; and what is wrong with a file, by rule, with runs that show it. What a file of a device
//! means is the link's to say: [`Configurations`](airtime_link::config::Configurations).
//!
//! What is built into a board stands above what a plan says of it, and below options: the plan may be of another build, and whoever adds
//! `--set` wants to see what that would change.

mod build;
mod check;
mod paste;
mod planned;
mod slips;
#[cfg(test)]
mod tests;
mod trials;

use crate::links::{self, Link};
use crate::plan::{BoardSettings, Plan, PlanError};
use crate::toml::error::{At, Place};

pub use airtime_link::config::{
    Build, Configuration, End, Fate, File, Finding, Gone, Line, NOT_MODELLED, Refused, Setting, Weight, header, number,
    syscfg,
};
pub use build::{build_of, expect};
pub use check::{check, end, told};
pub use paste::{Block, Follows, block};
use planned::InPlan;
pub use trials::{Gain, figures, gains, prove};

/// Build configurations to run a plan with.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Files, each with its build: of ESP-IDF the host's, the co-processor's, or both.
    pub files: Vec<(Build, File)>,
    /// End of the link that the board is; the one that is built with its application, the peripheral first, if nobody says.
    pub end: Option<End>,
}

impl Files {
    /// Tells if there is none.
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// `plan` with what is built into its boards, and what became of each line.
///
/// # Errors
/// When a file is one of the other build, no device of the plan has such a configuration, or a point is impossible with it.
pub fn apply(plan: Plan, files: &Files) -> Result<(Plan, Vec<Line>), PlanError> {
    if files.is_empty() {
        return Ok((plan, Vec::new()));
    }
    let planned = InPlan::new(&plan);
    for (build, file) in &files.files {
        expect(*build, file)?;
        build::concerns(*build, planned.name(), file)?;
    }
    let link = links::find(planned.name()).expect("a plan is of a link that there is");
    let own = link.configurations().expect("a link whose keys are options of a build has its configurations");
    let built = own.board(&planned, &files.files, files.end)?;
    let mut lines = built.lines.clone();
    look_elsewhere(link, &files.files, &mut lines);
    let mut arguments: Vec<String> = Vec::new();
    for (build, file) in &files.files {
        arguments.extend([build.argument().to_owned(), file.name.clone()]);
    }
    let end = files.end.filter(|_| built.end.is_some());
    arguments.extend(end.map(|end| ["--board".to_owned(), end.name().to_owned()]).into_iter().flatten());
    let (board, library) = BoardSettings::built(own, built, arguments, plan.library())?;
    let plan = plan.with_board(board, library).map_err(|error| at_its_line(error, &lines))?;
    Ok((plan, lines))
}

/// Gives those of `lines` that mean nothing to their own link the words that another link has for them.
fn look_elsewhere(own: &dyn Link, files: &[(Build, File)], lines: &mut [Line]) {
    let others =
        || links::ALL.iter().filter(|other| other.names() != own.names()).filter_map(|link| link.configurations());
    for line in lines.iter_mut().filter(|line| line.fate == Fate::Ignored && line.why == NOT_MODELLED) {
        let Some((build, _)) = files.iter().find(|(_, file)| file.name == line.file) else { continue };
        if let Some(why) = others().find_map(|other| other.elsewhere(*build, &line.option)) {
            line.why = why;
        }
    }
}

/// The error at the line that broke a point, where one did.
fn at_its_line(error: PlanError, lines: &[Line]) -> PlanError {
    let Place::Flag(option) = &error.place else { return error };
    let is_it = |line: &&Line| line.read_as.as_ref() == Some(option) || line.text() == *option;
    let Some(line) = lines.iter().find(is_it) else { return error };
    let place = if line.line == 0 { Place::File } else { Place::Line { line: line.line, column: line.column } };
    PlanError { file: line.file.clone(), place, what: format!("{option}: {}", error.what), ..error }
}

impl From<Refused> for PlanError {
    fn from(refused: Refused) -> Self {
        let place = refused.place.map_or(Place::File, |(line, column)| Place::Line { line, column });
        refused.fault.at(&refused.file, place)
    }
}
