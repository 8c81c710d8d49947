//! Findings of the rules in an sdkconfig.

/// Weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It costs throughput, or does not work.
    Hazard,
    /// It does not do what it seems to.
    Note,
}

impl Weight {
    /// Name of the weight, as tables say it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hazard => "hazard",
            Self::Note => "note",
        }
    }
}

/// Finding about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line, from 1; 0 when the line is missing.
    pub line: u32,
    /// Column, from 1; 0 when the line is missing.
    pub column: u32,
    /// The option, with `CONFIG_`.
    pub name: String,
    /// Value of the option; empty when the line is missing.
    pub value: String,
    /// Weight of the finding.
    pub weight: Weight,
    /// Explanation of the hazard, for people.
    pub says: String,
    /// The line to write instead, if there is one.
    pub advice: Option<String>,
    /// Source of the rule.
    pub source: &'static str,
    /// The plan's keys that a run can change to show it.
    pub change: Vec<(&'static str, String)>,
}
