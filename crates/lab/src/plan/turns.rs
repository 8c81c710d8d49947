//! Owners of keys in a scenario.

use airtime_keys::{Key, Turns};

use super::scenario::Scenario;
use crate::schema::scope;

/// Owner of `key` in `scenario`: who can turn it.
pub fn turns(key: &Key, scenario: &Scenario) -> Turns {
    if scope(key).concerns(scenario.link()) { scenario.turns(key) } else { Turns::Nobody }
}
