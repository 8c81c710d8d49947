//! Reasons that a server does not begin.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Reason that an endpoint cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BindError {
    /// The text is no address.
    #[error("`tcp:{0}` is no address: expected HOST:PORT, such as tcp:127.0.0.1:9000")]
    Address(String),
    /// Others could reach it.
    #[error(
        "`tcp:{0}` can be reached from other machines, and whoever reaches it has the controller to himself, without a \
         password; if that is meant, add --allow-remote"
    )]
    Remote(String),
    /// A file is where the socket or the link should be.
    #[error("`{}` is there already and is no {expected}", path.display())]
    Occupied {
        /// Path that is taken.
        path: PathBuf,
        /// Kind of file that would have been replaced.
        expected: &'static str,
    },
    /// Another server listens there.
    #[error("another server listens at `{}`", .0.display())]
    InUse(PathBuf),
    /// A link is there that leads to something else.
    #[error(
        "`{}` is a link to `{}`, which no server of airtime has made: name another, or remove it if nobody needs it",
        path.display(), to.display()
    )]
    Foreign {
        /// Path of the link.
        path: PathBuf,
        /// Path it leads to.
        to: PathBuf,
    },
    /// Something that is to be called cannot be made.
    #[error("cannot serve: {0}")]
    Radios(io::Error),
    /// The system refuses.
    #[error("cannot open {what}: {source}")]
    System {
        /// Thing that cannot be opened.
        what: String,
        /// Error of the system.
        source: io::Error,
    },
}
