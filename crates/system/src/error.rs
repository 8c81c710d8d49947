//! Errors of changing the machine.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Reason that the machine could not be changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SystemError {
    /// A program could not be started.
    #[error("cannot run `{program}`: {source} (it is in the package {package})")]
    Program {
        /// Name of the program.
        program: String,
        /// Debian package that has it.
        package: &'static str,
        /// Error of the system.
        source: io::Error,
    },
    /// A program has refused.
    #[error("`{command}` failed: {says}")]
    Refused {
        /// The command line.
        command: String,
        /// Message of the program.
        says: String,
    },
    /// A file, or a device, could not be used.
    #[error("cannot {what} `{}`: {source}", path.display())]
    File {
        /// Operation that was tried.
        what: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A name that is to be new is taken.
    #[error("{what} `{name}` exists already, and is not ours; choose another name")]
    Taken {
        /// Kind of thing that is named.
        what: &'static str,
        /// Name that is taken.
        name: String,
    },
    /// A name is no name of a device or a namespace.
    #[error("`{0}` is no name of a device: expected 1 to 15 letters, digits, `-`, `_` or `.`")]
    Name(String),
    /// A text is no address with the length of its network.
    #[error("`{0}` is no address with a network: expected one such as 10.0.0.1/24")]
    Address(String),
    /// An ordinary user asked.
    #[error("`{}` is not ours to write: devices and network namespaces are for root; run it with sudo", .0.display())]
    NotRoot(PathBuf),
    /// The folder of journals could be written by others, who could have us undo things that nobody did.
    #[error("`{}` belongs to somebody else, or others may write it: it has to be ours, with mode 0700", .0.display())]
    Folder(PathBuf),
}

impl SystemError {
    /// True if the request makes no sense, rather than the machine refusing it.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::Taken { .. } | Self::Name(_) | Self::Address(_))
    }

    /// Maker of an error of a file, from what the system says; `what` is the verb.
    pub fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { what, path: path.into(), source }
    }
}
