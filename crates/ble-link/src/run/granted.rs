//! Values in effect of what a plan asks the other end for.

use crate::plan::{
    Carrier, ChangeInterval, ChangePhy, Coc, Connection, Device, Gatt, Intervals, Scenario, Stack, Subrate, Transport,
};
use airtime_ble::words::Role;
use airtime_keys::Value;
use airtime_link::Granted;

use super::outcome::Outcome;
use crate::station::Negotiated;

/// Values that the ends of the first link agreed on, each with the end that decided; none without a connection.
pub fn granted(scenario: &Scenario, outcome: &Outcome) -> Vec<Granted> {
    let Some((central, peripheral)) = &outcome.negotiated else { return Vec::new() };
    let mut granted = intervals(scenario, central);
    granted.extend(air(scenario, central, peripheral));
    if scenario.subrate.subrate_factor.is_some() {
        let (factor, continuation) = central.subrate;
        let by = &*scenario.central.name;
        granted.push(Granted::new(Subrate::SUBRATE_FACTOR, factor, by));
        granted.push(Granted::new(Subrate::CONTINUATION, continuation, by));
    }
    match scenario.transport() {
        Transport::Coc => granted.extend(channel(scenario, central, peripheral)),
        Transport::Gatt => granted.push(Granted::new(Gatt::MTU, central.att_mtu, systems(scenario))),
    }
    granted
}

/// The interval that was asked for last has become the one at the end, or has not.
fn intervals(scenario: &Scenario, central: &Negotiated) -> Vec<Granted> {
    let of = |key, interval: airtime_core::Duration| Granted::new(key, interval.to_string(), &*scenario.central.name);
    let (request, change) = (scenario.intervals.request_interval, scenario.change_interval.to);
    match (request, change) {
        (None, None) if scenario.priority().is_some() => {
            vec![of(Intervals::CONN_INTERVAL, central.first_interval), of(Intervals::PRIORITY, central.interval)]
        }
        (None, None) => vec![of(Intervals::CONN_INTERVAL, central.interval)],
        (Some(_), None) => vec![
            of(Intervals::CONN_INTERVAL, central.first_interval),
            of(Intervals::REQUEST_INTERVAL, central.interval),
        ],
        (_, Some(_)) => vec![of(ChangeInterval::TO, central.interval)],
    }
}

/// Data length, PHY, frame space and encryption that the link layers agreed on.
fn air(scenario: &Scenario, central: &Negotiated, peripheral: &Negotiated) -> Vec<Granted> {
    let (c2p, p2c) = (central.tx_octets, peripheral.tx_octets);
    let direction = scenario.connection.direction;
    let octets = match (direction.central_sends(), direction.peripheral_sends()) {
        (true, false) => c2p,
        (false, true) => p2c,
        _ => c2p.min(p2c),
    };
    let answers = &*scenario.peripheral.name;
    let sender = if direction.peripheral_sends() { Role::Peripheral } else { Role::Central };
    let by = match octets < scenario.data_length() && !scenario.asks_for_length(sender) {
        true => format!("{}, which never asked for more", scenario.sender().name),
        false => shortest(scenario),
    };
    // The PHY that was asked for last is the one at the end, or is not.
    let phy = if scenario.change_phy.to.is_some() { ChangePhy::TO } else { Connection::PHY };
    vec![
        Granted::new(Connection::DATA_LENGTH, octets, by),
        Granted::new(phy, central.phy.name(), answers),
        Granted::new(Connection::FRAME_SPACE, central.frame_space.to_string(), answers),
        Granted::new(Connection::ENCRYPTED, central.encrypted, answers),
    ]
}

/// Terms of the first channel, as the end said them that the keys are about, and the number of channels that it took.
fn channel(scenario: &Scenario, central: &Negotiated, peripheral: &Negotiated) -> Vec<Granted> {
    let calls = scenario.link == Carrier::BleRpc;
    let of_central = !calls && scenario.connection.direction.peripheral_sends();
    let (seen, end) = if of_central { (peripheral, &scenario.central) } else { (central, &scenario.peripheral) };
    let Some(terms) = seen.channel else { return Vec::new() };
    let of = |key, value: u16| Granted::new(key, Value::from(value), &*end.name);
    let mut granted = vec![of(Coc::MPS, terms.peer_mps), of(Coc::MTU, terms.peer_mtu)];
    if !calls {
        granted.push(of(Coc::CHANNELS, seen.channels));
    }
    granted
}

/// Name of the end whose packets are shorter; of both where they are alike.
fn shortest(scenario: &Scenario) -> String {
    let (central, peripheral) = (&scenario.central, &scenario.peripheral);
    let octets = |device: &Device| device.controller.data_octets;
    named(&[central, peripheral], |device| octets(device) == octets(central).min(octets(peripheral)))
}

/// Names of the ends whose terms nobody can change.
fn systems(scenario: &Scenario) -> String {
    named(&[&scenario.central, &scenario.peripheral], |device| device.stack == Stack::Os)
}

fn named(devices: &[&Device], is: impl Fn(&Device) -> bool) -> String {
    let mut names: Vec<&str> = devices.iter().filter(|device| is(device)).map(|device| &*device.name).collect();
    names.dedup();
    names.join(" and ")
}
