//! Every key with its value in effect, as records show it.

use airtime_link::Ordered;
use serde_json::Value;

use crate::links::Scenario;
use crate::schema::{Key, scope};

/// The params of a scenario.
pub fn params(scenario: &dyn Scenario) -> Ordered<Value> {
    let mut told: Vec<(&'static Key, Value)> = Vec::new();
    scenario.show(&mut |key, value| told.push((key, value)));
    // The head of a table whose parts are shown says nothing more.
    let shown = told.into_iter().filter(|(key, value)| scope(key).covers(scenario.link()) && !value.is_null());
    shown.map(|(key, value)| (key.name, value)).collect()
}
