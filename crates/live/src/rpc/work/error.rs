//! Errors of a job that was not done.

use std::io;

use airtime_core::Duration;
use airtime_rpc::client::SetupError;
use airtime_rpc::{CallError, Refused};
use thiserror::Error;

use crate::rpc::hex::written;

/// Stage that a job had reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No server was found, or it could not be connected to.
    Looking,
    /// A server was there; both ends were agreeing on terms.
    SettingUp,
    /// Calls were under way.
    Calling,
}

/// Reason that a job was not done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// The set-up failed.
    #[error("the server and this client do not come to terms: {}", said(*.0))]
    Setup(SetupError),
    /// The server has another key than the one that is known.
    #[error(
        "the server at {server} has the key {}, and the one that is known is {}; somebody is in between, or the server has a new identity: \
         then remove its line from `{file}`",
        written(shown),
        written(known)
    )]
    Changed {
        /// Address of the server.
        server: String,
        /// Key that was shown.
        shown: [u8; 32],
        /// Key that is known.
        known: [u8; 32],
        /// The file that knows it.
        file: String,
    },
    /// The server's key could not be remembered; nothing was called.
    #[error("cannot remember the server's key in `{file}`: {source}")]
    Forgetful {
        /// Path of the file.
        file: String,
        /// Error of the system.
        source: io::Error,
    },
    /// A call did not end well.
    #[error("{name}: {error}")]
    Call {
        /// Name of the method.
        name: String,
        /// Error with which the call ended.
        error: CallError,
    },
    /// A call could not begin.
    #[error("{name}: {error}")]
    NotBegun {
        /// Name of the method.
        name: String,
        /// Reason of the refusal.
        error: Refused,
    },
    /// The server's answer is not one to this call.
    #[error("{name}: {what}")]
    Answer {
        /// Name of the method.
        name: String,
        /// Sentence on its fault.
        what: String,
    },
    /// The server's mode has no such thing.
    #[error("{0}")]
    Unsupported(&'static str),
    /// Output failed: the octets that were read could not be kept.
    #[error("cannot write what was read: {0}")]
    Output(io::Error),
    /// Silence: nothing happened for too long.
    #[error("nothing has happened for {patience}: {}", where_it_stood(*.stage))]
    Silent {
        /// Stage that it had reached.
        stage: Stage,
        /// Time that was waited.
        patience: Duration,
    },
}

impl JobError {
    /// True if the server simply did not answer.
    pub fn is_silence(&self) -> bool {
        matches!(self, Self::Silent { .. } | Self::Call { error: CallError::Timeout, .. })
    }
}

fn said(error: SetupError) -> &'static str {
    match error {
        SetupError::Timeout => "a step of the set-up was not answered in time",
        SetupError::NotOffered => "it does not encrypt; --open calls it without encryption",
        SetupError::WrongIdentity => "it is not the one whose key was pinned",
        SetupError::NotGenuine => "its signature, or its confirmation, is not genuine",
        SetupError::Malformed => "it answers with what makes no sense",
        SetupError::FrameTooShort => "its frames are too short for the key exchange, which needs 133 octets",
        _ => "it refuses",
    }
}

fn where_it_stood(stage: Stage) -> &'static str {
    match stage {
        Stage::Looking => "no server of this name was found, or none could be connected to",
        Stage::SettingUp => "a server was there, but the set-up did not go on",
        Stage::Calling => "calls were under way, and the server said no more",
    }
}
