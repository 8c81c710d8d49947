//! Errors of a plan: the fault, its place, and the values that would have been right.

use std::fmt;

/// Place in a plan, or on the command line.
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

/// Fault whose place the caller knows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fault {
    /// Fault and its reason.
    pub what: String,
    /// Values that are allowed.
    pub allowed: Option<String>,
    /// The nearest thing that would have been right.
    pub nearest: Option<String>,
}

impl Fault {
    /// A fault that says only what is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), allowed: None, nearest: None }
    }

    /// The fault with what is allowed instead.
    #[must_use]
    pub fn allowing(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(allowed.into());
        self
    }

    /// The fault with the nearest of these, all of which are allowed.
    #[must_use]
    pub fn one_of<'a>(mut self, word: &str, all: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        self.nearest = crate::spelling::nearest(word, all.clone()).map(str::to_owned);
        self.allowed = Some(all.into_iter().collect::<Vec<_>>().join(", "));
        self
    }

    /// The error this fault is at `place` of `file`.
    pub fn at(self, file: &str, place: Place) -> PlanError {
        PlanError { file: file.to_owned(), place, what: self.what, allowed: self.allowed, nearest: self.nearest }
    }
}
