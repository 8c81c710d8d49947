//! Owners of keys in a scenario.

use airtime_keys::{Key, Turns};

use super::scope;
use crate::plan::scenario::Scenario;

/// Who can turn `key` in `scenario`.
pub fn turns(key: &Key, scenario: &Scenario) -> Turns {
    if scope(key).concerns(scenario.link()) { scenario.turns(key) } else { Turns::Nobody }
}
