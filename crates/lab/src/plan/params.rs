//! Every key with its value in effect, as records show it.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use serde_json::Value;

use super::scenario::AnyLink;
use super::settings::Settings;
use super::{ble, nrf24, wifi};
use crate::ordered::Ordered;
use crate::schema::{Default, KEYS, Key, Scope};

/// The params of a scenario of `link`, which came from `set`.
pub fn params(link: &AnyLink, set: &Settings) -> Ordered<Value> {
    let value = |key: &Key| match link {
        AnyLink::Ble(scenario) => ble::params::value(scenario, set, key),
        AnyLink::Nrf24(scenario) => nrf24::params::value(scenario, set, key),
        AnyLink::Wifi(scenario) => wifi::params::value(scenario, set, key),
    };
    KEYS.iter()
        .filter(|key| key.scope != Scope::Plan && key.name != "link" && key.scope.covers(link.name()))
        .filter_map(|key| Some((key.name, value(key)?)))
        // The head of a table whose parts are shown says nothing more.
        .filter(|(_, value)| !value.is_null())
        .collect()
}

/// A key that is what was set, or its fixed default.
pub fn plain(set: &Settings, key: &Key) -> Option<Value> {
    match (set.set(key.name), key.default) {
        (Some(value), _) => Some(value.clone()),
        (None, Default::Count(n)) => Some(n.into()),
        (None, Default::Text(text)) => Some(text.into()),
        (None, Default::Flag(flag)) => Some(flag.into()),
        (None, Default::From(_) | Default::Absent) => None,
    }
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
