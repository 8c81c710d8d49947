//! Lines of a build configuration, and what became of each.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_keys::{Key, Value};
use serde::{Deserialize, Serialize};

use super::{Assigned, Planned, Setting, set_argument};

/// Reason of lines that are about something else.
pub const NOT_MODELLED: &str = "nothing that the lab models";

/// Fate of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It sets something.
    Used,
    /// The line is missing, and the default of its build sets something.
    Default,
    /// It sets nothing here, for a reason.
    Ignored,
    /// It says something else than the plan, or what cannot be.
    Contradicts,
}

impl Fate {
    /// Word in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Default => "default",
            Self::Ignored => "ignored",
            Self::Contradicts => "contradicts",
        }
    }
}

/// A line of a build configuration, or one that is missing, with what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The file, as it was named.
    pub file: String,
    /// Line, from 1; 0 when it is missing.
    pub line: u32,
    /// Column, from 1; 0 when it is missing.
    pub column: u32,
    /// The option, with `CONFIG_`.
    pub option: String,
    /// Value of the option.
    pub value: String,
    /// Its fate.
    pub fate: Fate,
    /// Settings that it makes: keys of the plan, or values of the device.
    pub sets: Vec<String>,
    /// Reason, where there is one to tell.
    pub why: String,
    /// Line that it was read as, where its own name is gone.
    #[serde(skip)]
    pub read_as: Option<String>,
}

impl Line {
    /// The line that is `setting` of `file`; nothing has become of it yet.
    pub fn of(file: &str, setting: &Setting) -> Self {
        Self {
            file: file.to_owned(),
            line: setting.line,
            column: setting.column,
            option: setting.name.clone(),
            value: setting.value.clone(),
            fate: Fate::Ignored,
            sets: Vec::new(),
            why: String::new(),
            read_as: None,
        }
    }

    /// A line that is missing, as the build has it.
    pub fn missing(file: &str, option: &str, value: &str, source: &str) -> Self {
        Self {
            file: file.to_owned(),
            line: 0,
            column: 0,
            option: option.to_owned(),
            value: value.to_owned(),
            fate: Fate::Default,
            sets: Vec::new(),
            why: format!("the file does not say: {source}"),
            read_as: None,
        }
    }

    /// As the file writes it.
    pub fn text(&self) -> String {
        format!("{}={}", self.option, self.value)
    }

    /// Leaves the line aside, unless something was made of it before.
    pub fn ignore(&mut self, why: impl Into<String>) {
        if self.sets.is_empty() && self.fate != Fate::Contradicts && (self.why.is_empty() || self.fate == Fate::Default)
        {
            (self.fate, self.why) = (Fate::Ignored, why.into());
        }
    }

    /// Refuses the line.
    pub fn refuse(&mut self, why: impl Into<String>) {
        (self.fate, self.why) = (Fate::Contradicts, why.into());
    }

    /// Notes that the line sets `what`.
    pub fn sets(&mut self, what: String) {
        if self.fate == Fate::Ignored {
            self.fate = Fate::Used;
        }
        if !self.sets.contains(&what) {
            self.sets.push(what);
        }
    }

    /// Sets `key` of `plan` to `value`, or says what stands above it. Nothing when no such value is possible.
    pub fn set(&mut self, plan: &dyn Planned, key: &'static Key, value: &Value) -> Option<Assigned> {
        let value = match key.kind.check(key.name, value) {
            Ok(value) => value,
            Err(fault) => {
                self.refuse(format!("{}; {}", fault.what, fault.allowed.unwrap_or_default()));
                return None;
            }
        };
        let option = set_argument(key.name, &value);
        if let Some(above) = plan.above(key) {
            self.refuse(format!("{above} stands above it"));
            return None;
        }
        self.sets(option);
        let other: Vec<String> =
            plan.said(key).iter().filter(|said| **said != value).map(|said| set_argument(key.name, said)).collect();
        if let Some(first) = other.first() {
            self.fate = Fate::Contradicts;
            self.why =
                format!("the plan says {first}; the file wins, for it is what is built, and --set would win over both");
        }
        Some(Assigned { key, value, line: self.text() })
    }
}
