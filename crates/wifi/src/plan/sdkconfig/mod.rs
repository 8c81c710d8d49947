//! An ESP-IDF `sdkconfig`, read for what it does to ESP-hosted Wi-Fi: what its lines set, findings by rule, and the runs that show them.
//!
//! - `options`: lines that are keys of a plan · `defaults`: what is built without a line · `lines`: what becomes of each
//! - `role`: the part that a chip plays · `rules`: hazards · `trials`: runs that show them · `reasons`: why a line sets nothing

mod defaults;
mod lines;
mod options;
mod reasons;
mod role;
mod rules;
mod silent;
mod trials;

use alloc::vec::Vec;

use airtime_keys::Key;
use airtime_keys::config::ConfigOption;
use airtime_link::config::{
    Alone, Board, Build, Claim, Configuration, Configurations, End, File, Finding, Planned, Refused, Sample, Spelling,
    Trial,
};

pub use options::is_built;
use role::{Role, role};

/// The configurations of a host of ESP-hosted and of its co-processor.
#[derive(Clone, Copy, Debug)]
pub struct Sdkconfigs;

impl Configurations for Sdkconfigs {
    fn claim(&self, build: Build, config: &Configuration) -> Option<Claim> {
        (build == Build::Esp && role(config) != Role::Radio).then_some(Claim::Told)
    }

    fn board(&self, plan: &dyn Planned, files: &[(Build, File)], _: Option<End>) -> Result<Board, Refused> {
        let files: Vec<File> = files.iter().map(|(_, file)| file.clone()).collect();
        lines::hosted(plan.link(), &files)?;
        Ok(lines::board(plan, &files))
    }

    fn alone(&self, _: Build, _: &Configuration, _: Option<End>) -> Alone {
        Alone { sample: Sample::Shipped(trials::UP), made: false }
    }

    fn board_alone(&self, plan: &dyn Planned, _: Build, file: File, _: Option<End>) -> Result<Board, Refused> {
        let role = role(&file.config);
        let mut board = lines::board(plan, &[file]);
        // What a file that is not known to be a host's lacks is no default of it.
        board.lines.retain(|line| line.line > 0 || role == Role::Host);
        Ok(board)
    }

    fn findings(&self, _: Build, config: &Configuration, _: Option<End>) -> Vec<Finding> {
        let mut findings = rules::apply(config);
        findings.sort_by_key(|finding| (finding.line, finding.column));
        findings
    }

    fn spelling(&self, _: Build, config: &Configuration) -> Option<Spelling> {
        matches!(role(config), Role::Host | Role::Coprocessor).then(|| options::spelling(config))
    }

    fn trials(&self, _: Build, config: &Configuration, finding: &Finding, _: Option<End>) -> Vec<Trial> {
        trials::of_finding(config, finding).into_iter().collect()
    }

    fn gains(&self, _: Build, config: &Configuration, after: &Configuration, _: Option<End>) -> Vec<Trial> {
        [trials::of_block(config, after)].into()
    }

    fn kept(&self) -> Vec<(&'static Key, &'static ConfigOption)> {
        options::options().collect()
    }
}
