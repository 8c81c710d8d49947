//! A scenario's devices on one medium.

use crate::plan::{self, Direction, Pacing, Program, Scenario};
use airtime_app::{self as app, Central, CentralConfig, DataLengthStep, IntervalConfig, Name, Peripheral};
use airtime_app::{PeripheralConfig, StreamConfig, ValueRoom};
use airtime_ble::air::{DATA_OCTETS_MIN, Phy};
use airtime_ble::controller::Controller;
use airtime_ble::host::{Address, Host, HostConfig, Profile, Role, ValueMethod};
use airtime_ble::medium::Medium;
use airtime_ble::network::{Device, Network, Observer};
use airtime_ble::personality;
use airtime_core::level::{Level, fsk_bit_errors};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Pool};
#[cfg(not(target_family = "wasm"))]
use airtime_guest::trouble::{TroubleConfig, TroubleStation};

use super::calling;
use crate::station::{Application, Beside, EitherStation, HostUser, Station, StationOutput};

/// Key of every bond in the laboratory.
const LONG_TERM_KEY: [u8; 16] = *b"airtime bond key";

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
    Network::new(medium(scenario, seed, devices.len()), devices, observer)
}

/// Stream that the host at this address draws its latency from.
fn latency(seed: u64, address: Address) -> Stream {
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
            (&scenario.central, streaming(scenario, &scenario.central, machine, pool))
        }
        Role::Peripheral => {
            let config = peripheral_config(scenario, 0);
            let machine: Application =
                Peripheral::new(PeripheralConfig { psm: psm.unwrap_or(config.psm), ..config }).into();
            (&scenario.peripheral, streaming(scenario, &scenario.peripheral, machine, pool))
        }
    };
    station.draw_from(latency(scenario.run.seed, address));
    Device { controller: controller(scenario, device, address, pool), station }
}

fn upper_central(scenario: &Scenario, pool: &Pool) -> EitherStation {
    let (device, config) = (&scenario.central, central_config(scenario));
    match device.program {
        Program::Model => {
            streaming(scenario, device, Application::from(Central::new(config)), pool).with(beside(scenario)).into()
        }
        #[cfg(not(target_family = "wasm"))]
        Program::Trouble => TroubleStation::central(config, trouble(device), pool.clone()).into(),
        #[cfg(target_family = "wasm")]
        Program::Trouble => unreachable!("a plan with TrouBLE is refused where it does not run"),
    }
}

/// Activities of the central beside its links.
fn beside(scenario: &Scenario) -> Beside {
    let initiator = &scenario.initiator;
    let window = |interval| initiator.scan_window.unwrap_or(interval);
    Beside {
        scan: initiator.scan_interval.map(|interval| (interval, window(interval))),
        advertising: initiator.advertising_interval,
    }
}

fn upper_peripheral(scenario: &Scenario, index: u8, pool: &Pool) -> EitherStation {
    let (device, config) = (&scenario.peripheral, peripheral_config(scenario, index));
    match device.program {
        Program::Model => streaming(scenario, device, Application::from(Peripheral::new(config)), pool).into(),
        #[cfg(not(target_family = "wasm"))]
        Program::Trouble => TroubleStation::peripheral(config, trouble(device), pool.clone()).into(),
        #[cfg(target_family = "wasm")]
        Program::Trouble => unreachable!("a plan with TrouBLE is refused where it does not run"),
    }
}

/// The lab's own host of a device.
pub fn host_config(device: &plan::Device, profile: Profile) -> HostConfig {
    HostConfig { personality: device.host, long_term_key: LONG_TERM_KEY, profile, values: ValueMethod::default() }
}

/// The lab's own host of a device of the throughput test, whose values travel as the scenario says.
fn streaming<A: HostUser>(scenario: &Scenario, device: &plan::Device, application: A, pool: &Pool) -> Station<A> {
    let config = HostConfig { values: scenario.method(), ..host_config(device, Profile::Test) };
    Station::new(Host::new(config, pool.clone()), application)
}

/// The lab's own host of a device, with `application` on it.
pub(super) fn model<A: HostUser>(device: &plan::Device, profile: Profile, application: A, pool: &Pool) -> Station<A> {
    Station::new(Host::new(host_config(device, profile), pool.clone()), application)
}

#[cfg(not(target_family = "wasm"))]
fn trouble(device: &plan::Device) -> TroubleConfig {
    TroubleConfig::of(&device.host, PeripheralConfig::default().psm)
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

fn stream_config(scenario: &Scenario) -> StreamConfig {
    StreamConfig {
        transport: match scenario.transport() {
            plan::Transport::Coc => app::Transport::Coc,
            plan::Transport::Gatt => app::Transport::Gatt,
        },
        direction: match scenario.connection.direction {
            Direction::PeripheralToCentral => app::Direction::P2c,
            Direction::CentralToPeripheral => app::Direction::C2p,
            Direction::Both => app::Direction::Both,
        },
        value_room: match scenario.method() {
            ValueMethod::Unanswered | ValueMethod::WriteRequest | ValueMethod::Indication => ValueRoom::Behind(3),
            ValueMethod::Read => ValueRoom::Behind(1),
            ValueMethod::LongWrite => ValueRoom::Long,
        },
        sdu: scenario.payload(),
        in_flight: scenario.in_flight(),
        channels: scenario.channels(),
        pacing: match (scenario.every(), scenario.pacing()) {
            (Some(every), _) => app::Pacing::Every(every),
            (None, Pacing::Semaphore) => app::Pacing::Semaphore,
            (None, Pacing::Sleep(span)) => app::Pacing::Sleep(span),
        },
        warmup: scenario.run.warmup,
    }
}

fn interval(scenario: &Scenario) -> IntervalConfig {
    IntervalConfig {
        request: None,
        request_from: None,
        request_after: Duration::ZERO,
        change_at: None,
        latency: scenario.connection.latency,
        supervision_timeout: scenario.supervision_timeout(),
    }
}

/// Data length that the end with this role asks for; the initial one where it leaves that to others.
fn asked_octets(scenario: &Scenario, role: Role) -> u16 {
    if scenario.asks_for_length(role) { scenario.data_length() } else { DATA_OCTETS_MIN }
}

/// `config` with the request that the peripheral's host makes by itself, where nobody has another.
fn own_request(scenario: &Scenario, config: IntervalConfig) -> IntervalConfig {
    let preferred = scenario.peripheral.host.intervals;
    match preferred.asks_after.filter(|_| scenario.intervals.auto_interval && config.request.is_none()) {
        Some(request_after) => IntervalConfig {
            request: Some(preferred.preferred_max),
            request_from: Some(preferred.preferred_min),
            request_after,
            ..config
        },
        None => config,
    }
}

/// Interval that the end with this role asks for during the stream, and when.
fn change_at(scenario: &Scenario, role: Role) -> Option<(Duration, Duration)> {
    scenario.change_interval.change().filter(|change| change.by == role).map(|change| (change.at, change.to))
}

/// PHY that the end with this role asks for during the stream, and when.
fn change_phy(scenario: &Scenario, role: Role) -> Option<(Duration, app::Phy)> {
    scenario.change_phy.change().filter(|change| change.by == role).map(|change| (change.at, phy(change.to)))
}

/// The application's word for a PHY.
fn phy(phy: Phy) -> app::Phy {
    match phy {
        Phy::Le1M => app::Phy::Le1M,
        Phy::Le2M => app::Phy::Le2M,
        Phy::LeCodedS2 => app::Phy::LeCodedS2,
        Phy::LeCodedS8 => app::Phy::LeCodedS8,
    }
}

fn name(scenario: &Scenario) -> Name {
    Name::new(&scenario.connection.name).unwrap_or_default()
}

/// The application of the central end, as firmware would be built with it.
pub fn central_config(scenario: &Scenario) -> CentralConfig {
    // TrouBLE has no GATT here: the channel is opened on the PSM that the peripheral takes, undiscovered.
    let discovers = [&scenario.central, &scenario.peripheral].iter().all(|device| device.program == Program::Model);
    CentralConfig {
        stream: stream_config(scenario),
        name: name(scenario),
        peripherals: scenario.connection.peripherals,
        scan_timeout: scenario.connection.scan_timeout,
        conn_interval: scenario.conn_interval(),
        further_interval: scenario.intervals.further_interval,
        interval: IntervalConfig { change_at: change_at(scenario, Role::Central), ..interval(scenario) },
        data_octets: asked_octets(scenario, Role::Central),
        // Without the gate the stream does not wait for the data length: this shows what that costs.
        data_length: if scenario.connection.data_length_gate {
            DataLengthStep::First
        } else {
            DataLengthStep::AfterChannels
        },
        phy: phy(scenario.phy()),
        change_phy: change_phy(scenario, Role::Central),
        frame_space: scenario.connection.negotiated_frame_space(),
        encrypted: scenario.connection.encrypted,
        psm: (!discovers).then_some(PeripheralConfig::default().psm),
        exchange_mtu: discovers,
    }
}

/// The application of peripheral number `index`.
pub fn peripheral_config(scenario: &Scenario, index: u8) -> PeripheralConfig {
    // A central whose application cannot choose starts where it likes; firmware asks for more.
    let chooses = scenario.central.host.intervals.application_chooses;
    let request = scenario.intervals.request_interval.or((!chooses).then_some(scenario.conn_interval()));
    let change_at = change_at(scenario, Role::Peripheral);
    PeripheralConfig {
        stream: stream_config(scenario),
        name: name(scenario).numbered(index),
        data_length_gate: scenario.connection.data_length_gate && scenario.data_length() > DATA_OCTETS_MIN,
        data_octets: asked_octets(scenario, Role::Peripheral),
        stop_advertising: scenario.connection.stop_advertising,
        interval: own_request(scenario, IntervalConfig { request, change_at, ..interval(scenario) }),
        change_phy: change_phy(scenario, Role::Peripheral),
        ..PeripheralConfig::default()
    }
}
