//! A scenario's devices on one medium.

use airtime_app::{Central, CentralConfig, Peripheral, PeripheralConfig};
use airtime_ble::host::{Address, Role};
use airtime_ble::network::{Device, Network, Observer};
use airtime_core::Pool;
#[cfg(not(target_family = "wasm"))]
use airtime_core::units::Frequency;
#[cfg(not(target_family = "wasm"))]
use airtime_guest::trouble::{TroubleConfig, TroubleStation};

use super::calling;
#[cfg(not(target_family = "wasm"))]
use super::ends::psm;
use super::ends::{central_config, peripheral_config, streaming};
use super::joined::{controller, joined, latency};
#[cfg(not(target_family = "wasm"))]
use crate::plan;
use crate::plan::{Program, Scenario};
#[cfg(not(target_family = "wasm"))]
use crate::station::Executed;
use crate::station::{Activities, Application, EitherStation, Station, StationOutput};

/// The devices of `scenario` on a medium with `seed`, with `observer` as the sink of what happens.
/// Device 0 is the central, the others are its peripherals.
pub fn build<O: Observer<StationOutput>>(scenario: &Scenario, seed: u64, observer: O) -> Network<EitherStation, O> {
    let pool = Pool::new();
    let central = match &scenario.rpc {
        Some(calls) => calling::central(scenario, calls, calling::script(calls), seed, &pool),
        None => upper_central(scenario, &pool),
    };
    let upper = |index| match &scenario.rpc {
        Some(calls) => calling::peripheral(scenario, calls, index, seed, &pool),
        None => upper_peripheral(scenario, index, &pool),
    };
    let peripherals = (0..scenario.connection.peripherals).map(upper).collect();
    joined(scenario, seed, observer, central, peripherals, &pool)
}

/// One end of `scenario` alone, its first peripheral or its central, with this address: for a network
/// that others take part in as well. A peripheral takes its channels on `psm`, and a central opens them there undiscovered, where
/// it is given.
pub fn end(scenario: &Scenario, role: Role, address: Address, psm: Option<u16>, pool: &Pool) -> Device<Station> {
    let (device, mut station) = match role {
        Role::Central => {
            let config = central_config(scenario);
            // Whoever names a PSM may have no GATT to ask.
            let exchange_mtu = config.exchange_mtu && psm.is_none();
            let config = CentralConfig { psm: psm.or(config.psm), exchange_mtu, ..config };
            let machine: Application = Central::new(config).into();
            (&scenario.central, streaming(scenario, role, machine, pool))
        }
        Role::Peripheral => {
            let config = peripheral_config(scenario, 0);
            let machine: Application =
                Peripheral::new(PeripheralConfig { psm: psm.unwrap_or(config.psm), ..config }).into();
            (&scenario.peripheral, streaming(scenario, role, machine, pool))
        }
    };
    station.draw_from(latency(scenario.run.seed, address));
    Device { controller: controller(scenario, device, address, pool), station }
}

fn upper_central(scenario: &Scenario, pool: &Pool) -> EitherStation {
    let (device, config) = (&scenario.central, central_config(scenario));
    match &device.program {
        Program::Model => {
            let machine = Application::from(Central::new(config));
            streaming(scenario, Role::Central, machine, pool).with(beside(scenario)).into()
        }
        #[cfg(not(target_family = "wasm"))]
        Program::Trouble => TroubleStation::central(config, trouble(scenario, device), pool.clone()).into(),
        #[cfg(not(target_family = "wasm"))]
        Program::Firmware(firmware) => executed(firmware, scenario.initiator.host_clock, pool),
        #[cfg(target_family = "wasm")]
        Program::Trouble | Program::Firmware(_) => {
            unreachable!("a plan with another host is refused where that does not run")
        }
    }
}

/// Activities of the central beside its links.
fn beside(scenario: &Scenario) -> Activities {
    let initiator = &scenario.initiator;
    let window = |interval| initiator.scan_window.unwrap_or(interval);
    Activities {
        scan: initiator.scan_interval.map(|interval| (interval, window(interval))),
        advertising: initiator.advertising_interval,
    }
}

fn upper_peripheral(scenario: &Scenario, index: u8, pool: &Pool) -> EitherStation {
    let (device, config) = (&scenario.peripheral, peripheral_config(scenario, index));
    match &device.program {
        Program::Model => {
            streaming(scenario, Role::Peripheral, Application::from(Peripheral::new(config)), pool).into()
        }
        #[cfg(not(target_family = "wasm"))]
        Program::Trouble => TroubleStation::peripheral(config, trouble(scenario, device), pool.clone()).into(),
        #[cfg(not(target_family = "wasm"))]
        Program::Firmware(firmware) => executed(firmware, scenario.advertiser.host_clock, pool),
        #[cfg(target_family = "wasm")]
        Program::Trouble | Program::Firmware(_) => {
            unreachable!("a plan with another host is refused where that does not run")
        }
    }
}

/// The image, whose plan would have been refused if it were none.
#[cfg(not(target_family = "wasm"))]
fn executed(firmware: &plan::Firmware, clock: Option<Frequency>, pool: &Pool) -> EitherStation {
    let hertz = u32::try_from(clock.unwrap_or(plan::CLOCK).0).expect("clocks are up to 1 GHz");
    Executed::new(&firmware.elf, hertz, pool.clone()).expect("it was looked at when its plan was read").into()
}

#[cfg(not(target_family = "wasm"))]
fn trouble(scenario: &Scenario, device: &plan::Device) -> TroubleConfig {
    let config = TroubleConfig::of(&device.host, psm(scenario));
    match scenario.transport() {
        plan::Transport::Coc => config,
        plan::Transport::Gatt => config.in_values(),
    }
}
