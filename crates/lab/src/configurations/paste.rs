//! The block to paste: lines after which no rule finds a hazard any more.

use serde::Serialize;

use super::check::{check, owner};
use super::{Build, Configuration, End, Finding, Gone, Weight};

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

impl Block {
    /// `config` with the block at its end.
    pub fn applied(&self, config: &Configuration) -> Configuration {
        self.lines.iter().fold(config.clone(), |config, line| config.with(line))
    }
}

/// The block to paste for `config` of the board at `end`: what ends its hazards, and the names of today for those that are gone.
pub fn block(build: Build, config: &Configuration, end: Option<End>) -> Block {
    let mut block = block_by(config, &|config| check(build, config, end));
    block.gone = owner(build, config).gone(build, config);
    for line in block.gone.iter().filter_map(|gone| gone.instead.as_deref()) {
        if !block.lines.iter().any(|known| option(known) == option(line)) {
            block.lines.push(line.to_owned());
        }
    }
    block
}

/// The block for a configuration that `findings` looks at: the advice on every hazard, and then that on the hazards which there are with it,
/// until there are none.
fn block_by(config: &Configuration, findings: &dyn Fn(&Configuration) -> Vec<Finding>) -> Block {
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
