//! A scenario's devices on one medium.

use airtime_app::{self as app, Central, CentralConfig, DataLengthStep, IntervalConfig, Name, Peripheral};
use airtime_app::{PeripheralConfig, StreamConfig};
use airtime_ble::air::Phy;
use airtime_ble::controller::Controller;
use airtime_ble::host::{Address, ConnHandle, Host, HostConfig, HostInput, Role, Starved};
use airtime_ble::medium::Medium;
use airtime_ble::network::{self, Device, Network, Observer};
use airtime_ble::personality;
use airtime_core::loss::LossProcess;
use airtime_core::random::stream;
use airtime_core::{Instant, Node as _, Pool};

use crate::plan::scenario::{Direction, Link, Pacing, Scenario};
use crate::station::{Station, StationOutput};

/// Key of every bond in the laboratory.
const LONG_TERM_KEY: [u8; 16] = *b"airtime bond key";

impl network::Station for Station {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.handle(now, HostInput::Wake);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.handle(now, HostInput::Hci(packet));
    }

    fn poll(&mut self, now: Instant) -> Option<network::StationOutput<StationOutput>> {
        Some(match airtime_core::Node::poll(self, now)? {
            StationOutput::Hci(packet) => network::StationOutput::Hci(packet),
            event => network::StationOutput::Event(event),
        })
    }

    fn deadline(&self) -> Option<Instant> {
        airtime_core::Node::deadline(self)
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.starved(handle)
    }
}

/// The devices of `scenario` on a medium with `seed`, with `observer` as the sink of what happens.
/// Device 0 is the central, the others are its peripherals.
pub fn build<O: Observer<StationOutput>>(scenario: &Scenario, seed: u64, observer: O) -> Network<Station, O> {
    let pool = Pool::new();
    let mut devices = vec![device(scenario, &scenario.central, address(0), central(scenario).into(), &pool)];
    for index in 0..scenario.peripherals {
        let machine = peripheral(scenario, index);
        devices.push(device(scenario, &scenario.peripheral, address(index + 1), machine.into(), &pool));
    }
    let loss = LossProcess::new(scenario.loss, stream(seed, "link/loss"));
    Network::new(Medium::new(devices.len(), loss, scenario.co_channel), devices, observer)
}

/// One end of `scenario` alone, its first peripheral or its central, with this address: for a network
/// that others take part in as well.
pub fn end(scenario: &Scenario, role: Role, address: Address, pool: &Pool) -> Device<Station> {
    let (personality, application) = match role {
        Role::Central => (&scenario.central, central(scenario).into()),
        Role::Peripheral => (&scenario.peripheral, peripheral(scenario, 0).into()),
    };
    device(scenario, personality, address, application, pool)
}

/// Addresses count from C0:00:5E:00:00:00.
const fn address(index: u8) -> Address {
    [index, 0, 0, 0x5e, 0x00, 0xc0]
}

fn device(
    scenario: &Scenario,
    device: &crate::plan::scenario::Device,
    address: Address,
    application: crate::station::Application,
    pool: &Pool,
) -> Device<Station> {
    let octets = device.controller.data_octets.min(scenario.data_length);
    let controller = personality::Controller { data_octets: octets, ..device.controller };
    let host = Host::new(HostConfig { personality: device.host, long_term_key: LONG_TERM_KEY }, pool.clone());
    Device { controller: Controller::new(controller, address, pool.clone()), station: Station::new(host, application) }
}

fn stream_config(scenario: &Scenario) -> StreamConfig {
    StreamConfig {
        transport: match scenario.link {
            Link::BleCoc => app::Transport::Coc,
            Link::BleGatt => app::Transport::Gatt,
        },
        direction: match scenario.direction {
            Direction::PeripheralToCentral => app::Direction::P2c,
            Direction::CentralToPeripheral => app::Direction::C2p,
            Direction::Both => app::Direction::Both,
        },
        sdu: scenario.payload(),
        in_flight: scenario.in_flight(),
        channels: scenario.channels(),
        pacing: match scenario.pacing() {
            Pacing::Semaphore => app::Pacing::Semaphore,
            Pacing::Sleep(span) => app::Pacing::Sleep(span),
        },
        warmup: scenario.run.warmup,
    }
}

fn interval(scenario: &Scenario) -> IntervalConfig {
    IntervalConfig {
        request: None,
        change_at: None,
        latency: scenario.latency,
        supervision_timeout: scenario.supervision_timeout,
    }
}

fn name(scenario: &Scenario) -> Name {
    Name::new(&scenario.name).unwrap_or_default()
}

fn central(scenario: &Scenario) -> Central {
    Central::new(CentralConfig {
        stream: stream_config(scenario),
        name: name(scenario),
        peripherals: scenario.peripherals,
        scan_timeout: scenario.scan_timeout,
        conn_interval: scenario.conn_interval,
        interval: interval(scenario),
        data_octets: scenario.data_length,
        // Without the gate the stream does not wait for the data length: this shows what that costs.
        data_length: if scenario.data_length_gate { DataLengthStep::First } else { DataLengthStep::AfterChannels },
        phy: match scenario.phy {
            Phy::Le1M => app::Phy::Le1M,
            Phy::Le2M => app::Phy::Le2M,
            Phy::LeCodedS2 => app::Phy::LeCodedS2,
            Phy::LeCodedS8 => app::Phy::LeCodedS8,
        },
        frame_space: scenario.frame_space,
        encrypted: scenario.encrypted,
        ..CentralConfig::default()
    })
}

fn peripheral(scenario: &Scenario, index: u8) -> Peripheral {
    // A central whose application cannot choose starts where it likes; firmware asks for more.
    let chooses = scenario.central.host.intervals.application_chooses;
    let request = scenario.request_interval.or((!chooses).then_some(scenario.conn_interval));
    let change_at = scenario.change_interval.map(|change| (change.at, change.to));
    Peripheral::new(PeripheralConfig {
        stream: stream_config(scenario),
        name: name(scenario).numbered(index),
        data_length_gate: scenario.data_length_gate && scenario.data_length > airtime_ble::air::DATA_OCTETS_MIN,
        stop_advertising: scenario.stop_advertising,
        interval: IntervalConfig { request, change_at, ..interval(scenario) },
        ..PeripheralConfig::default()
    })
}
