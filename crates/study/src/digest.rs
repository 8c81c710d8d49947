//! A short name for what makes a point what it is.

use std::fmt;

use airtime_lab::{Plan, PlanError, Point, run};
use serde::{Deserialize, Serialize};

/// FNV-1a, 64 bit, of everything a result depends on: the program's version, its plan's name, and what
/// [the record depends on](run::depends_on). The same point has the same digest on every machine and in every process.
///
/// A collision needs some 10⁹ points in one folder; the hash is for telling points apart, not for
/// keeping anybody out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(u64);

impl Digest {
    /// The digest that names `point` of `plan` in a run folder.
    pub fn of_point(plan: &Plan, point: &Point) -> Self {
        Self::of([env!("CARGO_PKG_VERSION"), &plan.name, &run::depends_on(plan, point)])
    }

    /// The digest that names the point of `plan` with this number, which cannot be run because of `error`: its record says that.
    pub fn of_impossible(plan: &Plan, index: usize, error: &PlanError) -> Self {
        Self::of([env!("CARGO_PKG_VERSION"), &plan.name, &plan.id(index), &error.to_string()])
    }

    /// The digest of `parts`; where one part ends and the next begins makes a difference.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for part in parts {
            let length = (part.len() as u64).to_le_bytes();
            for byte in length.iter().chain(part.as_bytes()) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Self(hash)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(Digest::of(["ab", "c"]), Digest::of(["a", "bc"]));
        assert_ne!(Digest::of(["a"]), Digest::of(["a", ""]));
        assert_eq!(Digest::of(["a", "b"]), Digest::of(["a", "b"]));
    }

    #[test]
    fn a_digest_survives_being_written() {
        let digest = Digest::of(["coc.sdu=492"]);
        assert_eq!(Digest::try_from(digest.to_string()), Ok(digest));
    }
}
