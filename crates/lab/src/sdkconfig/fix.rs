//! The block to paste: lines after which no rule finds a hazard any more.

use serde::Serialize;

use super::finding::{Finding, Weight};
use super::parse::Sdkconfig;
use super::{check, proof};

/// Rounds of advice and of another look. One line uncovers another, a window its mailbox, but no chain of rules is nearly as long.
const ROUNDS_MAX: usize = 16;

/// Lines to paste at the end of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// The lines, one for each option.
    pub lines: Vec<String>,
    /// Hazards that no line ends.
    pub left: Vec<String>,
    /// Lines of the file to take out, whose names are gone.
    pub gone: Vec<Gone>,
    /// Lines that are needed only with others of the block.
    pub follows: Vec<Follows>,
}

/// Line of a block that no finding about the file is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Follows {
    /// The line.
    pub line: String,
    /// Explanation of the hazard there is without it.
    pub says: String,
    /// Source of the rule.
    pub source: String,
}

/// Line whose name is gone: a build of today stops at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gone {
    /// Line, from 1.
    pub line: u32,
    /// The option, with `CONFIG_`.
    pub option: String,
    /// Line that took its place; none where another one of the file says it.
    pub instead: Option<String>,
}

/// Figures of a run as configured, and of one with the block.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Traffic of the run.
    pub of: String,
    /// Arguments of `airtime explain` that start from the run as configured, up to the name of the file.
    pub explain: String,
    /// Goodput as configured, 10³ bit/s.
    pub before_kbps: f64,
    /// Goodput with the block.
    pub after_kbps: f64,
}

impl Block {
    /// `config` with the block at its end.
    pub fn applied(&self, config: &Sdkconfig) -> Sdkconfig {
        self.lines.iter().fold(config.clone(), |config, line| config.with(line))
    }
}

/// The block for a configuration of ESP-IDF.
pub fn block(config: &Sdkconfig) -> Block {
    block_by(config, &check)
}

/// The block for a configuration that `findings` looks at: the advice on every hazard, and then that on the hazards which there are with it,
/// until there are none.
pub fn block_by(config: &Sdkconfig, findings: &dyn Fn(&Sdkconfig) -> Vec<Finding>) -> Block {
    let mut block = Block::default();
    let first: Vec<String> = findings(config).into_iter().filter_map(|finding| finding.advice).collect();
    for _ in 0..ROUNDS_MAX {
        let found = findings(&block.applied(config));
        let hazards = || found.iter().filter(|finding| finding.weight == Weight::Hazard);
        block.left = hazards().map(|finding| finding.name.clone()).collect();
        let before = block.lines.clone();
        for (finding, line) in hazards().filter_map(|finding| Some((finding, finding.advice.as_deref()?))) {
            block.lines.retain(|known| option(known) != option(line));
            block.follows.retain(|known| option(&known.line) != option(line));
            block.lines.push(line.to_owned());
            if !first.iter().any(|known| known == line) {
                let (says, source) = (finding.says.clone(), finding.source.to_owned());
                block.follows.push(Follows { line: line.to_owned(), says, source });
            }
        }
        if block.left.is_empty() || block.lines == before {
            break;
        }
    }
    block
}

/// Name of the option that a line sets.
fn option(line: &str) -> &str {
    line.split_once('=').map_or(line, |(name, _)| name)
}

/// Gain of `block` for a configuration of ESP-IDF, from a run of all of it; none where there is nothing to paste, or the plan's keys do not
/// take what the file says.
pub fn gain(config: &Sdkconfig, block: &Block) -> Option<Gain> {
    if block.lines.is_empty() {
        return None;
    }
    proof::prove_block(config, &block.applied(config))
}
