//! What is found.

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It costs throughput, or does not work.
    Hazard,
    /// It does not do what it seems to.
    Note,
}

impl Weight {
    /// As tables say it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hazard => "hazard",
            Self::Note => "note",
        }
    }
}

/// Something about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line, from 1; 0 when the line is missing.
    pub line: u32,
    /// Column, from 1; 0 when the line is missing.
    pub column: u32,
    /// The option, with `CONFIG_`.
    pub name: String,
    /// What it is set to; empty when the line is missing.
    pub value: String,
    /// How much it weighs.
    pub weight: Weight,
    /// What is wrong with it.
    pub says: String,
    /// The line to write instead, if there is one.
    pub advice: Option<String>,
    /// Where that comes from.
    pub source: &'static str,
    /// The plan's keys that a run can change to show it.
    pub change: Vec<(&'static str, &'static str)>,
}
