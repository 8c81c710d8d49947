//! Keys of IP over the nRF24L01+ with their values in effect.

use airtime_core::loss::Loss;
use airtime_core::units::Size;
use serde_json::Value;

use super::scenario::{Mode, Scenario, Transport};
use crate::plan::params::{loss, plain, span};
use crate::plan::settings::Settings;
use crate::schema::Key;

/// Keys that only the published tunnel has.
const LEGACY: [&str; 3] = ["nrf24.batch", "nrf24.delay", "nrf24.framing"];

/// Keys that only our tunnel has.
const OURS: [&str; 4] = ["nrf24.compression", "nrf24.encrypted", "nrf24.queue", "nrf24.persistence"];

/// Keys that only a stream has.
const STREAM: [&str; 3] = ["nrf24.window", "nrf24.ack_every", "nrf24.pll_break"];

const UDP: [&str; 3] = ["traffic.payload", "traffic.offered", "traffic.pace"];

const TCP: [&str; 3] = ["traffic.write", "traffic.window", "traffic.size"];

/// The value of `key` in effect, if it has one in this scenario.
pub fn value(scenario: &Scenario, set: &Settings, key: &Key) -> Option<Value> {
    let legacy = scenario.mode == Mode::Legacy;
    let tcp = matches!(scenario.traffic.transport, Transport::Tcp { .. });
    let foreign = (!legacy && LEGACY.contains(&key.name))
        || (scenario.mode != Mode::Stream && STREAM.contains(&key.name))
        || (legacy && OURS.contains(&key.name))
        || (tcp && UDP.contains(&key.name))
        || (!tcp && TCP.contains(&key.name));
    if foreign {
        return None;
    }
    own(scenario, key.name).or_else(|| plain(set, key))
}

/// Keys that are not simply what was set.
fn own(scenario: &Scenario, name: &str) -> Option<Value> {
    let radio = &scenario.radio;
    match (name, scenario.traffic.transport) {
        ("nrf24.radios", _) => Some(scenario.mode.radios().into()),
        ("nrf24.channel_b", _) => Some(radio.channels[1].into()),
        ("nrf24.ard", _) => Some(span(radio.ard)),
        ("nrf24.loss", _) if scenario.loss != Loss::None => Some(Value::Null),
        ("nrf24.stall", _) if scenario.stall.is_some() => Some(Value::Null),
        ("nrf24.stall.every", _) => scenario.stall.map(|stall| span(stall.every)),
        ("nrf24.stall.for", _) => scenario.stall.map(|stall| span(stall.length)),
        ("traffic.payload", Transport::Udp { payload, .. }) => Some(payload.into()),
        ("traffic.window", Transport::Tcp { window, .. }) => Some(Size(window.into()).to_string().into()),
        ("traffic.offered", _) => scenario.offered().map(|rate| rate.to_string().into()),
        _ => name.strip_prefix("nrf24.loss.").and_then(|part| loss(scenario.loss, part)),
    }
}
