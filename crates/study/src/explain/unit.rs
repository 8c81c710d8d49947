//! Units of relaxation: the levers of one mechanism, apart by whether anybody can turn them.

use airtime_lab::explain::{Lever, Mechanism, Way};
use serde_json::Value;

use super::stage::Changes;

/// Levers that are relaxed together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Mechanism that they ease.
    pub mechanism: Mechanism,
    /// Set if nobody can turn them.
    pub is_environment: bool,
    /// Levers that are pulled together.
    pub levers: Vec<Lever>,
}

impl Unit {
    /// `levers` by unit, in the order of mechanisms.
    pub fn all(levers: &[Lever]) -> Vec<Self> {
        let kinds = Mechanism::ALL.into_iter().flat_map(|mechanism| [(mechanism, false), (mechanism, true)]);
        let of = |(mechanism, is_environment)| {
            let own = |lever: &&Lever| lever.eases.mechanism == mechanism && lever.is_environment() == is_environment;
            let levers: Vec<Lever> = levers.iter().filter(own).cloned().collect();
            Self { mechanism, is_environment, levers }
        };
        kinds.map(of).filter(|unit| !unit.levers.is_empty()).collect()
    }

    /// Those of `changes` to its levers that more or less of a key is, or the way back to what it has by itself.
    pub fn sided(&self, changes: &Changes) -> Changes {
        let is_sided = |(name, value): &&(String, Value)| {
            let lever = self.levers.iter().find(|lever| lever.key.name == *name);
            lever.is_none_or(|lever| lever.eases.way != Way::Either || lever.back() == Some(value))
        };
        changes.iter().filter(is_sided).cloned().collect()
    }

    /// [`sided`](Self::sided), and the way back for every other one that somebody set.
    pub fn back(&self, changes: &Changes) -> Changes {
        let mut found = self.sided(changes);
        for lever in &self.levers {
            if let Some(back) = lever.back()
                && found.iter().all(|(name, _)| name != lever.key.name)
            {
                found.push((lever.key.name.to_owned(), back.clone()));
            }
        }
        found
    }

    /// Tells if somebody set one of them to another value than it has by itself.
    pub fn is_touched(&self) -> bool {
        self.levers.iter().any(Lever::is_touched)
    }
}
