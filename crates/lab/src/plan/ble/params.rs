//! Keys of a Bluetooth LE link with their values in effect.

use airtime_ble::personality::TaskPriority;
use airtime_core::loss::Loss;
use serde_json::Value;

use super::rpc::{RpcScenario, Transport, method_name};
use super::scenario::{Device, Direction, Scenario};
use crate::plan::params::{loss, plain, span};
use crate::plan::settings::Settings;
use crate::schema::{CREDIT_POLICIES, Key, credit_policy_parts, means_something_to_calls};

/// The value of `key` in effect, if it has one.
pub fn value(scenario: &Scenario, set: &Settings, key: &Key) -> Option<Value> {
    let (table, name) = key.name.rsplit_once('.')?;
    if let Some(calls) = &scenario.rpc {
        let transport = if table.starts_with("coc") { Transport::Coc } else { Transport::Gatt };
        let elsewhere = (table.starts_with("coc") || table == "gatt") && calls.transport != transport;
        if elsewhere || !means_something_to_calls(key) {
            return None;
        }
    }
    match table {
        "rpc" if ["call", "payload", "calls", "frame"].contains(&name) => rpc(scenario.rpc.as_ref()?, name),
        "rpc" => plain(set, key),
        "ble" => ble(scenario, name).or_else(|| plain(set, key)),
        "ble.loss" => loss(scenario.loss, name),
        "ble.change_interval" => {
            let change = scenario.change_interval?;
            Some(span(if name == "at" { change.at } else { change.to }))
        }
        "coc.credits" => {
            let parts = both_agree(scenario, Side::Receiver, |d| credit_policy_parts(d.host.credits))?;
            parts.into_iter().find(|(part, _)| *part == name).map(|(_, n)| n.into())
        }
        "coc" | "gatt" => stream(scenario, key.name).or_else(|| plain(set, key)),
        "acl" | "host" | "peer_host" => device(scenario, key.name),
        _ => plain(set, key),
    }
}

/// Keys of `[ble]` that are not simply what was set.
fn ble(scenario: &Scenario, name: &str) -> Option<Value> {
    match name {
        "conn_interval" => Some(span(scenario.conn_interval)),
        "supervision_timeout" => Some(span(scenario.supervision_timeout)),
        "phy" => Some(scenario.phy.name().into()),
        "data_length" => Some(scenario.data_length.into()),
        _ => None,
    }
    .or_else(|| match (name, scenario.loss, scenario.change_interval) {
        ("loss", Loss::Packet { .. } | Loss::Bit { .. } | Loss::Burst { .. }, _) => Some(Value::Null),
        ("change_interval", _, Some(_)) => Some(Value::Null),
        _ => None,
    })
}

/// Keys of `[coc]` and `[gatt]` that come from elsewhere when they are not set.
fn stream(scenario: &Scenario, name: &str) -> Option<Value> {
    match name {
        "coc.sdu" => Some(scenario.coc.sdu.into()),
        "coc.mps" => both_agree(scenario, Side::Receiver, |d| d.host.coc_mps).map(Value::from),
        "coc.mtu" => both_agree(scenario, Side::Receiver, |d| d.host.coc_mtu).map(Value::from),
        "coc.tx_buffers" | "gatt.tx_buffers" => {
            both_agree(scenario, Side::Sender, |d| d.host.l2cap_tx_buffers).map(Value::from)
        }
        "coc.credits" => {
            let policy = both_agree(scenario, Side::Receiver, |d| d.host.credits)?;
            let wordless = !credit_policy_parts(policy).is_empty();
            let word = CREDIT_POLICIES.iter().find(|(_, p)| *p == policy).map(|(word, _)| *word);
            if wordless { Some(Value::Null) } else { word.map(Value::from) }
        }
        "gatt.mtu" => Some(scenario.gatt.mtu.into()),
        "gatt.payload" => Some(scenario.gatt.payload.into()),
        "gatt.method" => match scenario.direction {
            Direction::PeripheralToCentral => Some("notify".into()),
            Direction::CentralToPeripheral => Some("write-command".into()),
            Direction::Both => None,
        },
        _ => None,
    }
}

/// Keys that are in the personalities.
fn device(scenario: &Scenario, name: &str) -> Option<Value> {
    let of_sender = |read: fn(&Device) -> Value| both_agree(scenario, Side::Sender, read);
    match name {
        "acl.count" => of_sender(|d| d.controller.acl_count.into()),
        "acl.size" => of_sender(|d| d.controller.acl_size.into()),
        "host.task_priority" => of_sender(|d| match d.host.stream_task {
            TaskPriority::Below => "below".into(),
            TaskPriority::Above => "above".into(),
        }),
        "host.latency" => of_sender(|d| span(d.host.latency)),
        "host.packet_time" => of_sender(|d| span(d.host.packet_time)),
        "host.sdu_time" => of_sender(|d| span(d.host.sdu_time)),
        _ if scenario.direction == Direction::Both && scenario.rpc.is_none() => None,
        // The receiver; of remote calls, the central.
        "peer_host.latency" => Some(span(scenario.receiver().host.latency)),
        "peer_host.packet_time" => Some(span(scenario.receiver().host.packet_time)),
        _ => None,
    }
}

/// Which end of a stream a key is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sender,
    Receiver,
}

/// What `read` says of the sender or the receiver; nothing when both ends are and differ. Of remote calls, what it says of the
/// peripheral: its firmware is what the keys are about.
fn both_agree<T: PartialEq>(scenario: &Scenario, side: Side, read: impl Fn(&Device) -> T) -> Option<T> {
    if scenario.rpc.is_some() {
        return Some(read(&scenario.peripheral));
    }
    let sender = side == Side::Sender;
    let device = if sender { scenario.sender() } else { scenario.receiver() };
    let value = read(device);
    let other = if sender { scenario.receiver() } else { scenario.sender() };
    (scenario.direction != Direction::Both || read(other) == value).then_some(value)
}

/// Keys of `[rpc]` that are not simply what was set.
fn rpc(rpc: &RpcScenario, name: &str) -> Option<Value> {
    let bench = rpc.bench();
    match name {
        "call" => bench.map(|bench| method_name(bench.call).into()),
        "payload" => bench.map(|bench| bench.payload.into()),
        "calls" => bench.map(|bench| bench.calls.map_or("none".into(), Value::from)),
        "frame" => Some(rpc.frame.into()),
        _ => None,
    }
}
