//! Verdict on a published row: the worth of its comparison with the lab.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Verdict on a row's comparison with the lab; only [`Verdict::Predicted`] counts in totals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum Verdict {
    /// Every condition was logged, and the lab's figure stands against the measured one.
    Predicted,
    /// A condition was not logged: the lab gives a figure for each candidate, and none counts.
    Candidate,
    /// The row and the named row of the same conditions cannot both be right.
    Contradicts(String),
    /// Not predicted, for this reason: facts that were not logged leave the lab's figure too wide an interval.
    NotPredicted(String),
    /// The lab does not model what the row measured, for this reason.
    NotModelled(String),
}

impl Verdict {
    /// True if the row's error counts in totals.
    pub fn counts(&self) -> bool {
        *self == Self::Predicted
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Predicted => f.write_str("predicted"),
            Self::Candidate => f.write_str("candidate"),
            Self::Contradicts(row) => write!(f, "contradicts {row}"),
            Self::NotPredicted(why) => write!(f, "not predicted: {why}"),
            Self::NotModelled(why) => write!(f, "not modelled: {why}"),
        }
    }
}

/// The text is none of the verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected \"predicted\", \"candidate\", \"contradicts <row id>\", \"not predicted: <why>\" or \"not modelled: <why>\""
)]
pub struct UnknownVerdict;

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(text: &str) -> Result<Self, UnknownVerdict> {
        let said = |rest: &str| Some(rest.trim().to_owned()).filter(|t| !t.is_empty()).ok_or(UnknownVerdict);
        match text {
            "predicted" => Ok(Self::Predicted),
            "candidate" => Ok(Self::Candidate),
            _ => {
                let behind = |head: &str| text.strip_prefix(head).map(said);
                let found = behind("contradicts ")
                    .map(|row| row.map(Self::Contradicts))
                    .or_else(|| behind("not predicted:").map(|why| why.map(Self::NotPredicted)))
                    .or_else(|| behind("not modelled:").map(|why| why.map(Self::NotModelled)));
                found.unwrap_or(Err(UnknownVerdict))
            }
        }
    }
}

impl From<Verdict> for String {
    fn from(verdict: Verdict) -> Self {
        verdict.to_string()
    }
}

impl TryFrom<String> for Verdict {
    type Error = UnknownVerdict;

    fn try_from(text: String) -> Result<Self, UnknownVerdict> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_read_and_write_the_same_text() {
        for text in [
            "predicted",
            "candidate",
            "contradicts coc-macos-492",
            "not predicted: a range",
            "not modelled: no figure logged",
        ] {
            assert_eq!(text.parse::<Verdict>().unwrap().to_string(), text);
        }
        for text in ["", "Predicted", "contradicts ", "not modelled:", "not predicted:", "maybe"] {
            assert_eq!(text.parse::<Verdict>(), Err(UnknownVerdict), "{text}");
        }
    }
}
