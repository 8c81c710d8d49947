//! Units of relaxation: the levers of one mechanism, apart by whether anybody can turn them.

use airtime_lab::explain::Lever;
use airtime_lab::explain::Mechanism;

/// Levers that are relaxed together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Mechanism that they ease.
    pub mechanism: Mechanism,
    /// Set if nobody can turn them.
    pub is_environment: bool,
    /// The levers.
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

    /// Tells if somebody set one of them to another value than it has by itself.
    pub fn is_touched(&self) -> bool {
        self.levers.iter().any(Lever::is_touched)
    }
}
