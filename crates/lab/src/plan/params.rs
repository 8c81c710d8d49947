//! Every key with its value in effect, as records show it.

use serde_json::Value;

use super::scenario::AnyLink;
use crate::ordered::Ordered;
use crate::schema::{Key, scope};

/// The params of a scenario of `link`.
pub fn params(link: &AnyLink) -> Ordered<Value> {
    let mut told: Vec<(&'static Key, Value)> = Vec::new();
    let mut tell = |key: &'static Key, value: Value| told.push((key, value));
    match link {
        AnyLink::Ble(scenario) => scenario.show(&mut tell),
        AnyLink::Nrf24(scenario) => scenario.show(&mut tell),
        AnyLink::Wifi(scenario) => scenario.show(&mut tell),
        AnyLink::Declared(scenario) => scenario.show(&mut tell),
    }
    // The head of a table whose parts are shown says nothing more.
    let shown = told.into_iter().filter(|(key, value)| scope(key).covers(link.name()) && !value.is_null());
    shown.map(|(key, value)| (key.name, value)).collect()
}
