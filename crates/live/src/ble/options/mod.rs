//! Endpoints and peers as people write them: `tcp:127.0.0.1:9000,personality=bluez,loss.per=0.01`.

mod endpoint;
mod peer;
mod words;

use airtime_lab::toml::PlanError;
use thiserror::Error;

pub use endpoint::{controller, default_address, endpoint, place};
pub use peer::{PeerKind, check_roles, host, peer};
pub use words::personality_files;

/// Error in an option, with the values that would have been right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{option} {text}: {what}")]
pub struct OptionError {
    /// `--hci` or `--peer`.
    pub option: &'static str,
    /// Text as it was given.
    pub text: String,
    /// Sentence on the fault, the allowed values, and the nearest spelling.
    pub what: String,
}

impl OptionError {
    fn new(option: &'static str, text: &str, what: impl Into<String>) -> Self {
        Self { option, text: text.to_owned(), what: what.into() }
    }

    /// Error that the plan behind an option finds in it.
    fn of(option: &'static str, text: &str, error: &PlanError) -> Self {
        let mut what = error.what.clone();
        match (&error.nearest, &error.allowed) {
            (Some(nearest), Some(allowed)) => what += &format!("; did you mean `{nearest}`? allowed here: {allowed}"),
            (Some(nearest), None) => what += &format!("; did you mean `{nearest}`?"),
            (None, Some(allowed)) => what += &format!("; allowed here: {allowed}"),
            (None, None) => {}
        }
        Self::new(option, text, what)
    }
}

#[cfg(test)]
mod tests;
