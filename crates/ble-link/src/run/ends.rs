//! Configurations of a scenario's ends: their applications, as firmware would be built with them, and the hosts below.

use airtime_app::{
    self as app, CentralConfig, DataLengthStep, IntervalConfig, Name, PeripheralConfig, StreamConfig, ValueRoom,
};
use airtime_ble::air::{DATA_OCTETS_MIN, Phy};
use airtime_ble::host::{Host, HostConfig, Profile, Role, ValueMethod};
use airtime_ble::personality::WriteOverflow;
use airtime_core::{Duration, Pool};

use crate::plan::{self, Direction, Pacing, Scenario};
use crate::station::{HostUser, Station};

/// Key of every bond in the laboratory.
const LONG_TERM_KEY: [u8; 16] = *b"airtime bond key";

/// The lab's own host of a device.
pub fn host_config(device: &plan::Device, profile: Profile) -> HostConfig {
    let values = ValueMethod::default();
    HostConfig { personality: device.host, long_term_key: LONG_TERM_KEY, profile, values, blind: false, subrates: None }
}

/// The lab's own host of a device of the throughput test, whose values travel as the scenario says.
pub(super) fn streaming<A: HostUser>(scenario: &Scenario, role: Role, application: A, pool: &Pool) -> Station<A> {
    let device = match role {
        Role::Central => &scenario.central,
        Role::Peripheral => &scenario.peripheral,
    };
    let timeout = scenario.supervision_timeout();
    let heeds = matches!(scenario.pacing(), Pacing::Retry(_));
    let blind = heeds || matches!(scenario.pacing(), Pacing::Blind(_));
    let subrates = scenario.subrate.terms(timeout);
    let config = HostConfig { values: scenario.method(), blind, subrates, ..host_config(device, Profile::Test) };
    let station = Station::new(Host::new(config, pool.clone()), application).heeding(heeds);
    station.subrating(scenario.subrate.asked(role, timeout))
}

/// The lab's own host of a device, with `application` on it.
pub(super) fn model<A: HostUser>(device: &plan::Device, profile: Profile, application: A, pool: &Pool) -> Station<A> {
    Station::new(Host::new(host_config(device, profile), pool.clone()), application)
}

/// The stream of `device`, which is one end of it.
fn stream_config(scenario: &Scenario, device: &plan::Device) -> StreamConfig {
    let in_flight = match scenario.pacing() {
        // Each end has its own stack to ask.
        Pacing::Ready | Pacing::Retry(_) | Pacing::Blind(_) => device.host.l2cap_tx_buffers,
        Pacing::Semaphore | Pacing::Sleep(_) => scenario.in_flight(),
    };
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
        in_flight,
        channels: scenario.channels(),
        pacing: match (scenario.every(), scenario.pacing()) {
            (Some(every), _) => app::Pacing::Every(every),
            (None, Pacing::Semaphore | Pacing::Ready) => app::Pacing::Semaphore,
            (None, Pacing::Sleep(span)) => app::Pacing::Sleep(span),
            (None, Pacing::Retry(span)) => app::Pacing::Retry(span),
            // A call that waits for room makes its application late.
            (None, Pacing::Blind(span)) if device.host.write_overflow == WriteOverflow::Waits => {
                app::Pacing::Every(span)
            }
            (None, Pacing::Blind(span)) => app::Pacing::Blind(span),
        },
        requests: scenario.upload.requests(),
        warmup: scenario.run.warmup,
    }
}

fn interval(scenario: &Scenario) -> IntervalConfig {
    IntervalConfig {
        request: None,
        request_from: None,
        request_after: Duration::ZERO,
        change_at: None,
        latency: scenario.latency(),
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

/// PSM that a peripheral takes channels on.
pub(super) fn psm(scenario: &Scenario) -> u16 {
    scenario.coc.psm.unwrap_or(PeripheralConfig::default().psm)
}

/// The application of the central end, as firmware would be built with it.
pub fn central_config(scenario: &Scenario) -> CentralConfig {
    let (request_from, request) = scenario.priority().map(|(shortest, longest, _)| (shortest, longest)).unzip();
    let change_at = change_at(scenario, Role::Central);
    CentralConfig {
        stream: stream_config(scenario, &scenario.central),
        name: name(scenario),
        peripherals: scenario.connection.peripherals,
        scan_timeout: scenario.connection.scan_timeout,
        conn_interval: scenario.conn_interval(),
        further_interval: scenario.intervals.further_interval,
        interval: IntervalConfig { request, request_from, change_at, ..interval(scenario) },
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
        psm: scenario.coc.psm,
        // Whoever is told a PSM may meet no GATT.
        exchange_mtu: scenario.coc.psm.is_none(),
    }
}

/// The application of peripheral number `index`.
pub fn peripheral_config(scenario: &Scenario, index: u8) -> PeripheralConfig {
    // A central whose application cannot choose starts where it likes; firmware asks for more.
    let chooses = scenario.central.host.intervals.application_chooses;
    let leaves_it = chooses || scenario.priority().is_some();
    let request = scenario.intervals.request_interval.or((!leaves_it).then_some(scenario.conn_interval()));
    let change_at = change_at(scenario, Role::Peripheral);
    PeripheralConfig {
        stream: stream_config(scenario, &scenario.peripheral),
        name: name(scenario).numbered(index),
        data_length_gate: scenario.connection.data_length_gate && scenario.data_length() > DATA_OCTETS_MIN,
        data_octets: asked_octets(scenario, Role::Peripheral),
        stop_advertising: scenario.connection.stop_advertising,
        interval: own_request(scenario, IntervalConfig { request, change_at, ..interval(scenario) }),
        change_phy: change_phy(scenario, Role::Peripheral),
        psm: psm(scenario),
        ..PeripheralConfig::default()
    }
}
