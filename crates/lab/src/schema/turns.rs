//! Owners of keys in a scenario.

use airtime_keys::{Key, Knob, Turns};

use super::scope;
use crate::plan::scenario::{AnyLink, Scenario};

/// Who can turn `key` in `scenario`.
pub fn turns(key: &Key, scenario: &Scenario) -> Turns {
    match &scenario.link {
        link if !scope(key).concerns(link.name()) => Turns::Nobody,
        AnyLink::Ble(scenario) => scenario.turns(key),
        AnyLink::Declared(scenario) => scenario.turns(key),
        AnyLink::Nrf24(_) | AnyLink::Wifi(_) => match key.knob {
            Knob::Of(turns) => turns,
            _ => Turns::Nobody,
        },
    }
}
