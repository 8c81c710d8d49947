//! Exit codes of the program.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use airtime_lab::PlanError;
use airtime_study::FolderError;
use airtime_study::request::Refused;
use airtime_system::replacement::NotReplaced;
use thiserror::Error;

/// Exit codes, as scripts see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done as asked.
    Ok = 0,
    /// Could not be done.
    Failed = 1,
    /// Bad input: the request makes no sense.
    BadInput = 2,
    /// Done, and a plan's threshold was not met.
    BelowThreshold = 3,
    /// Stopped from outside; what was measured was kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Failure: the reason that something was not done, in words for whoever asked for it.
#[derive(Debug, Error)]
pub enum Failure {
    /// Bad input: the request makes no sense.
    #[error("{0}")]
    BadInput(String),
    /// A plan or personality makes no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A run folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file, or standard output, cannot be opened.
    #[error("cannot open `{}`: {source}", path.display())]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file, or standard output, cannot be written.
    #[error("cannot write {what}: {source}")]
    Write {
        /// Name of the output.
        what: String,
        /// Error of the system.
        source: io::Error,
    },
    /// Files were not replaced, or not all of those that belong together.
    #[error("{error}; {left}")]
    Unfinished {
        /// File that failed, and why.
        error: NotReplaced,
        /// State of the files now, and what to do.
        left: String,
    },
    /// Whoever reads standard output has gone.
    #[error("nobody reads the output")]
    PipeClosed,
    /// The machine refuses something a run needs.
    #[error("{0}")]
    Machine(String),
}

impl From<Refused> for Failure {
    fn from(Refused(says): Refused) -> Self {
        Self::BadInput(says)
    }
}

impl Failure {
    /// The exit code this failure ends the program with.
    pub fn exit(&self) -> Exit {
        match self {
            Self::BadInput(_)
            | Self::Plan(_)
            | Self::Folder(FolderError::Occupied { .. } | FolderError::Foreign { .. } | FolderError::Other { .. }) => {
                Exit::BadInput
            }
            Self::PipeClosed => Exit::Ok,
            _ => Exit::Failed,
        }
    }
}
