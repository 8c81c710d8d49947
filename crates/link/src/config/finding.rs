//! Findings about a build configuration, by rule.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::Setting;

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

impl Finding {
    /// A finding about `setting`, which sets `name`; about its absence when there is none.
    pub fn about(setting: Option<&Setting>, name: &str, weight: Weight, says: String, source: &'static str) -> Self {
        Self {
            line: setting.map_or(0, |setting| setting.line),
            column: setting.map_or(0, |setting| setting.column),
            name: name.to_owned(),
            value: setting.map_or_else(String::new, |setting| setting.value.clone()),
            weight,
            says,
            advice: None,
            source,
            change: Vec::new(),
        }
    }

    /// Adds the line to write instead.
    #[must_use]
    pub fn advise(mut self, line: impl Into<String>) -> Self {
        self.advice = Some(line.into());
        self
    }

    /// Adds the keys of a plan that show it.
    #[must_use]
    pub fn shown_by(mut self, change: &[(&'static str, &str)]) -> Self {
        self.change = change.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        self
    }
}
