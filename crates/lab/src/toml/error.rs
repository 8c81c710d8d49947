//! Errors of a plan: the fault, its place, and the values that would have been right.

use std::fmt;

pub use airtime_keys::Fault;
use airtime_keys::Misspelt;

/// Place in a plan, or on the command line, at which something was said.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Place {
    /// Nowhere in particular: it is missing, or a default.
    #[default]
    File,
    /// Line and column of the file, counted from 1 in characters.
    Line {
        /// Line.
        line: u32,
        /// Column.
        column: u32,
    },
    /// A `--set` option, as given: `coc.sdu=495`.
    Flag(String),
    /// A change somebody other than the user made: `explain` or `tune` trying a value.
    Change,
}

/// The first thing that is wrong with a plan or a personality.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PlanError {
    /// The file, as it was named.
    pub file: String,
    /// Place of the error.
    pub place: Place,
    /// Fault and its reason.
    pub what: String,
    /// Values that are allowed there.
    pub allowed: Option<String>,
    /// The nearest thing that would have been right.
    pub nearest: Option<String>,
}

impl PlanError {
    /// Line of the file, if the error has one.
    pub fn line(&self) -> Option<u32> {
        match self.place {
            Place::Line { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Column of the file, if the error has one.
    pub fn column(&self) -> Option<u32> {
        match self.place {
            Place::Line { column, .. } => Some(column),
            _ => None,
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line { line, column } => write!(f, "{}:{line}:{column}: ", self.file)?,
            Place::Flag(set) => write!(f, "--set {set}: ")?,
            Place::File | Place::Change => write!(f, "{}: ", self.file)?,
        }
        f.write_str(&self.what)?;
        match (&self.nearest, &self.allowed) {
            (Some(nearest), Some(allowed)) => write!(f, "; did you mean `{nearest}`? allowed here: {allowed}"),
            (Some(nearest), None) => write!(f, "; did you mean `{nearest}`?"),
            (None, Some(allowed)) => write!(f, "; allowed here: {allowed}"),
            (None, None) => Ok(()),
        }
    }
}

/// The error that a fault is at a place.
pub trait At {
    /// The error this fault is at `place` of `file`.
    fn at(self, file: &str, place: Place) -> PlanError;
}

impl At for Fault {
    fn at(self, file: &str, place: Place) -> PlanError {
        let meant = |misspelt: Box<Misspelt>| {
            crate::spelling::nearest(&misspelt.word, misspelt.of.iter().map(String::as_str)).map(str::to_owned)
        };
        let nearest = self.nearest.or_else(|| self.misspelt.and_then(meant));
        PlanError { file: file.to_owned(), place, what: self.what, allowed: self.allowed, nearest }
    }
}
