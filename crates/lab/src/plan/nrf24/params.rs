//! Keys of IP over the nRF24L01+ with their values in effect.

use airtime_core::loss::Loss;
use serde_json::Value;

use super::scenario::{Mode, Scenario};
use crate::plan::params::{loss, plain, span};
use crate::plan::settings::Settings;
use crate::plan::traffic;
use crate::schema::Key;

/// Keys that only the published tunnel has.
const LEGACY: [&str; 3] = ["nrf24.batch", "nrf24.delay", "nrf24.framing"];

/// Keys that only our tunnel has.
const OURS: [&str; 4] = ["nrf24.compression", "nrf24.encrypted", "nrf24.queue", "nrf24.persistence"];

/// Keys that only a stream has.
const STREAM: [&str; 3] = ["nrf24.window", "nrf24.ack_every", "nrf24.pll_break"];

/// The value of `key` in effect, if it has one in this scenario.
pub fn value(scenario: &Scenario, set: &Settings, key: &Key) -> Option<Value> {
    let legacy = scenario.mode == Mode::Legacy;
    let foreign = (!legacy && LEGACY.contains(&key.name))
        || (scenario.mode != Mode::Stream && STREAM.contains(&key.name))
        || (legacy && OURS.contains(&key.name))
        || traffic::is_foreign(&scenario.traffic, key.name);
    if foreign {
        return None;
    }
    own(scenario, key.name).or_else(|| traffic::own(&scenario.traffic, key.name)).or_else(|| plain(set, key))
}

/// Keys that are not simply what was set.
fn own(scenario: &Scenario, name: &str) -> Option<Value> {
    let radio = &scenario.radio;
    match name {
        "nrf24.radios" => Some(scenario.mode.radios().into()),
        "nrf24.channel_b" => Some(radio.channels[1].into()),
        "nrf24.ard" => Some(span(radio.ard)),
        "nrf24.loss" if scenario.loss != Loss::None => Some(Value::Null),
        "nrf24.stall" if scenario.stall.is_some() => Some(Value::Null),
        "nrf24.stall.every" => scenario.stall.map(|stall| span(stall.every)),
        "nrf24.stall.for" => scenario.stall.map(|stall| span(stall.length)),
        "traffic.offered" => scenario.offered().map(|rate| rate.to_string().into()),
        _ => name.strip_prefix("nrf24.loss.").and_then(|part| loss(scenario.loss, part)),
    }
}
