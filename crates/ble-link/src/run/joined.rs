//! Devices of a scenario, joined by the air between them.

use airtime_ble::air::Phy;
use airtime_ble::controller::Controller;
use airtime_ble::host::{Address, Role};
use airtime_ble::medium::Medium;
use airtime_ble::network::{Device, Network, Observer};
use airtime_ble::personality;
use airtime_core::Pool;
use airtime_core::level::{Level, fsk_bit_errors};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::{Stream, stream};

use crate::plan::{self, Scenario};
use crate::station::{EitherStation, StationOutput};

/// Network of these stations on the controllers of `scenario`.
pub(super) fn joined<O: Observer<StationOutput>>(
    scenario: &Scenario,
    seed: u64,
    observer: O,
    central: EitherStation,
    peripherals: Vec<EitherStation>,
    pool: &Pool,
) -> Network<EitherStation, O> {
    let device = |device, index, mut station: EitherStation| {
        station.draw_from(latency(seed, address(index)));
        Device { controller: controller(scenario, device, address(index), pool), station }
    };
    let mut devices = vec![device(&scenario.central, 0, central)];
    for (index, station) in (1..).zip(peripherals) {
        devices.push(device(&scenario.peripheral, index, station));
    }
    let peripherals = std::iter::repeat_n(scenario.peripheral.bus, devices.len() - 1);
    let buses = std::iter::once(scenario.central.bus).chain(peripherals);
    Network::new(medium(scenario, seed, devices.len()), devices, observer).over(buses)
}

/// Stream that the host at this address draws its latency from.
pub(super) fn latency(seed: u64, address: Address) -> Stream {
    let [a, b, c, d, e, f] = address;
    stream(seed, &format!("host/latency/[{a}, {b}, {c}, {d}, {e}, {f}]"))
}

/// The air between so many devices of `scenario`, the central first, with what is lost at each.
pub fn medium(scenario: &Scenario, seed: u64, devices: usize) -> Medium {
    let connection = &scenario.connection;
    let loss = LossProcess::new(connection.loss, stream(seed, "link/loss"));
    let mut medium = Medium::new(devices, loss, connection.co_channel());
    medium.set_sync_bits(connection.sync_bits.into());
    for device in 0..devices {
        let own = if device == 0 { connection.loss_at_central } else { connection.loss_at_peripheral };
        let end = if device == 0 { Role::Central } else { Role::Peripheral };
        tune(&mut medium, device, scenario, end, seed);
        if own != Loss::None {
            medium.set_loss_at(device, LossProcess::new(own, stream(seed, &format!("link/loss/{device}"))));
        }
    }
    medium
}

/// Sets where `device`, an end of `scenario`, loses anything, and what follows from the level of what it hears.
pub fn tune(medium: &mut Medium, device: usize, scenario: &Scenario, end: Role, seed: u64) {
    let connection = &scenario.connection;
    medium.set_loss_channels_at(device, connection.loss_channels.0);
    let receiver = match end {
        Role::Central => &scenario.central.controller,
        Role::Peripheral => &scenario.peripheral.controller,
    };
    if let Some(level) = connection.level_at(end) {
        medium.set_loss_by_phy_at(device, Phy::ALL.map(|phy| noise(level, receiver, phy, seed, device)));
    }
}

/// Wrong bits of a receiver on `phy` by the level of what it hears. Those of LE Coded are *assumed* to fall as steeply as the others and
/// to come alone: behind a decoder they fall more steeply, and in clusters.
fn noise(level: Level, receiver: &personality::Controller, phy: Phy, seed: u64, device: usize) -> LossProcess {
    let ber = fsk_bit_errors(level, receiver.sensitivity(phy));
    LossProcess::new(Loss::Bit { ber }, stream(seed, &format!("link/level/{device}/{}", phy.name())))
}

/// Addresses count from C0:00:5E:00:00:00.
const fn address(index: u8) -> Address {
    [index, 0, 0, 0x5e, 0x00, 0xc0]
}

/// The controller of a device of `scenario`.
pub fn controller(scenario: &Scenario, device: &plan::Device, address: Address, pool: &Pool) -> Controller {
    let octets = device.controller.data_octets.min(scenario.data_length());
    let personality = personality::Controller { data_octets: octets, ..device.controller };
    Controller::new(personality, address, pool.clone())
}
