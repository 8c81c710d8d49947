//! Trials of a configuration: plans in which it is looked at alone, and runs that show what a line is worth.

use alloc::string::String;
use alloc::vec::Vec;

use airtime_keys::Key;
use airtime_keys::config::ConfigOption;

use super::Configuration;

/// Claim of a link to a file of which nobody says what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Its devices have files of this build; those of another link may, too.
    OfItsBuild,
    /// The file is about a device of this link.
    Told,
}

/// Plan of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// The one of this name that ships with the program.
    Shipped(&'static str),
    /// This text.
    Text(String),
}

/// Plan in which a file is told alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    /// The plan.
    pub sample: Sample,
    /// Set if its points are made with the file: a board that is impossible is then told as that.
    pub made: bool,
}

/// Run of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRun {
    /// Plan that ships with the program.
    pub plan: &'static str,
    /// Keys and values above it, as `--set` takes them.
    pub set: Vec<(String, String)>,
    /// Configuration that is built into the board; none where the keys say all of it.
    pub config: Option<Configuration>,
}

/// Two runs that differ in what a configuration sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Traffic of the runs.
    pub of: String,
    /// Arguments of `airtime explain` that start from the run as configured, up to the name of the file; empty where there are none.
    pub explain: String,
    /// Run as configured.
    pub before: TrialRun,
    /// Run with the change.
    pub after: TrialRun,
    /// Counter that is shown beside the goodput.
    pub counter: Option<&'static str>,
}

/// Names and values of a configuration that may be misspelt.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// The configuration, in the names of today.
    pub config: Configuration,
    /// Names that are known.
    pub known: Vec<&'static str>,
    /// Parts of names that tell real siblings apart which are one or two letters from one another.
    pub siblings: &'static [&'static str],
    /// Clause on what a build does with a name that it does not know.
    pub then: &'static str,
    /// Source of that.
    pub source: &'static str,
    /// Options whose values are looked at, each with the key that it is.
    pub options: Vec<(&'static Key, &'static ConfigOption)>,
}
