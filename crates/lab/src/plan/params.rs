//! Every key with its value in effect, as records show it.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use serde_json::Value;

use super::scenario::AnyLink;
use super::settings::Settings;
use super::wifi;
use crate::ordered::Ordered;
use crate::schema::{KEYS, Key, Scope, scope};

/// The params of a scenario of `link`, which came from `set`.
pub fn params(link: &AnyLink, set: &Settings) -> Ordered<Value> {
    let mut told: Vec<(&'static Key, Value)> = Vec::new();
    let mut tell = |key: &'static Key, value: Value| told.push((key, value));
    match link {
        AnyLink::Ble(scenario) => scenario.show(&mut tell),
        AnyLink::Nrf24(scenario) => scenario.show(&mut tell),
        AnyLink::Wifi(scenario) => each(&mut tell, |key| wifi::params::value(scenario, set, key)),
    }
    // The head of a table whose parts are shown says nothing more.
    let shown = told.into_iter().filter(|(key, value)| scope(key).covers(link.name()) && !value.is_null());
    shown.map(|(key, value)| (key.name, value)).collect()
}

fn each(told: &mut dyn FnMut(&'static Key, Value), value: impl Fn(&Key) -> Option<Value>) {
    for key in KEYS.iter().filter(|key| *scope(key) != Scope::Plan && key.name != "link") {
        if let Some(value) = value(key) {
            told(key, value);
        }
    }
}

/// A key that is what was set, or its fixed default.
pub fn plain(set: &Settings, key: &Key) -> Option<Value> {
    set.set(key.name).cloned().or_else(|| key.default.value())
}

/// A time with its unit.
pub fn span(span: Duration) -> Value {
    span.to_string().into()
}

/// The part `name` of a table of loss.
pub fn loss(loss: Loss, name: &str) -> Option<Value> {
    match (loss, name) {
        (Loss::Packet { per }, "per") => Some(per.into()),
        (Loss::Bit { ber }, "ber") => Some(ber.into()),
        (Loss::Burst { good, .. }, "good") => Some(good.into()),
        (Loss::Burst { bad, .. }, "bad") => Some(bad.into()),
        (Loss::Burst { every, .. }, "every") => Some(span(every)),
        (Loss::Burst { burst, .. }, "burst") => Some(span(burst)),
        _ => None,
    }
}
