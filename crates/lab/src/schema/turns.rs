//! Owners of keys in a scenario.

use airtime_keys::{Key, Knob, Turns};

use super::{means_something_to_calls, scope};
use crate::plan::ble::{self, Direction, Stack};
use crate::plan::scenario::{AnyLink, Scenario};

/// Who can turn `key` in `scenario`.
pub fn turns(key: &Key, scenario: &Scenario) -> Turns {
    match &scenario.link {
        link if !scope(key).concerns(link.name()) => Turns::Nobody,
        AnyLink::Ble(scenario) => turns_ble(key, scenario),
        AnyLink::Declared(scenario) => scenario.turns(key),
        AnyLink::Nrf24(_) | AnyLink::Wifi(_) => match key.knob {
            Knob::Of(turns) => turns,
            _ => Turns::Nobody,
        },
    }
}

fn turns_ble(key: &Key, scenario: &ble::Scenario) -> Turns {
    let of = |central: bool| {
        let device = if central { &scenario.central } else { &scenario.peripheral };
        match (device.stack, central) {
            (Stack::Os, _) => Turns::Os,
            (Stack::Firmware, true) => Turns::CentralApplication,
            (Stack::Firmware, false) => Turns::Firmware,
        }
    };
    let central_sends = scenario.direction == Direction::CentralToPeripheral;
    if scenario.rpc.is_some() && matches!(key.knob, Knob::Sender | Knob::Receiver) {
        return if means_something_to_calls(key) { of(key.table() == "peer_host") } else { Turns::Nobody };
    }
    match key.knob {
        Knob::Of(turns) => turns,
        Knob::Interval if scenario.central.host.intervals.application_chooses => Turns::CentralApplication,
        Knob::Interval => Turns::Firmware,
        Knob::Sender => of(central_sends),
        Knob::Receiver => of(!central_sends),
    }
}
