//! A build configuration that no plan goes with: its findings, and what its lines would set.

use airtime_link::config::{Claim, Configurations, Sample};

use super::planned::InPlan;
use super::{Build, Configuration, End, File, Finding, Line, at_its_line, look_elsewhere, slips};
use crate::links::{self, Link};
use crate::personality::Library;
use crate::plan::{BoardSettings, Plan, PlanError, with_devices};

/// The link that `config` is of a device of, as far as it tells, and its configurations.
fn owner_of(build: Build, config: &Configuration) -> (&'static dyn Link, &'static dyn Configurations) {
    let mut best: Option<(Claim, &'static dyn Link, &'static dyn Configurations)> = None;
    for link in links::ALL.iter().copied() {
        let Some(own) = link.configurations() else { continue };
        let Some(claim) = own.claim(build, config) else { continue };
        // Of several with the same claim the first: order of the registry.
        if best.is_none_or(|(best, ..)| claim > best) {
            best = Some((claim, link, own));
        }
    }
    let (_, link, own) = best.expect("a link has the files of each build");
    (link, own)
}

/// Configurations of that link.
pub(super) fn owner(build: Build, config: &Configuration) -> &'static dyn Configurations {
    owner_of(build, config).1
}

/// End of a link that a board with `config` is: the one that was `asked` for, or the one that the file tells.
pub fn end(build: Build, config: &Configuration, asked: Option<End>) -> Option<End> {
    owner(build, config).end(build, config, asked)
}

/// Findings about `config` of the board at `end`, in the order of its lines.
pub fn check(build: Build, config: &Configuration, end: Option<End>) -> Vec<Finding> {
    let own = owner(build, config);
    let mut findings = own.findings(build, config, end);
    findings.extend(own.spelling(build, config).iter().flat_map(|spelling| slips::all(own, build, spelling)));
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

/// Lines of `file` with what they set in the plan that its link has for such a file; where no board is possible with them, each with the
/// reason.
pub fn told(build: Build, file: File, end: Option<End>) -> Vec<Line> {
    let (link, own) = owner_of(build, &file.config);
    let alone = own.alone(build, &file.config, end);
    let plan = sample(&alone.sample, &[]).expect("the plan of checks is right");
    let mut lines: Vec<Line> = file.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect();
    let files = [(build, file.clone())];
    let made = || -> Result<Vec<Line>, PlanError> {
        let mut built = own.board_alone(&InPlan::new(&plan), build, file, end)?;
        look_elsewhere(link, &files, &mut built.lines);
        let lines = built.lines.clone();
        if !alone.made {
            return Ok(with_devices(plan.library(), &built.devices).map(|_| lines).unwrap_or_default());
        }
        let (board, library) = BoardSettings::built(own, built, Vec::new(), plan.library())?;
        plan.clone().with_board(board, library).map_err(|error| at_its_line(error, &lines))?;
        Ok(lines)
    };
    made().unwrap_or_else(|error| {
        lines.iter_mut().for_each(|line| line.ignore(format!("no board is possible with the file: {}", error.what)));
        lines
    })
}

/// The plan of a trial, with `set` above it.
pub(super) fn sample(sample: &Sample, set: &[(String, String)]) -> Result<Plan, PlanError> {
    let text = match sample {
        Sample::Shipped(name) => shipped(name),
        Sample::Text(text) => text,
    };
    Plan::parse("check", text, &Library::builtin(), set)
}

/// Text of a plan that findings are shown by, which ship with the program so that `airtime explain` starts from the same run.
fn shipped(name: &str) -> &'static str {
    airtime_plans::ALL.iter().find(|(known, _)| *known == name).expect("the plans of checks ship").1
}
