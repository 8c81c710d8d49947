//! Keys of IP over Wi-Fi with their values in effect.

use airtime_core::loss::Loss;
use airtime_keys::Keys;
use airtime_net::traffic::Carried;
use airtime_wifi::air::{Guard, Preamble, Standard, Width};
use serde_json::Value;

use super::scenario::{Air, ControlRate, Scenario, Test};
use crate::plan::params::{loss, plain, span};
use crate::plan::settings::Settings;
use crate::schema::Key;

/// Keys of what a channel of 40 MHz has beside it.
const SECONDARY: [&str; 3] = ["wifi.neighbour_load", "wifi.neighbour_burst", "wifi.secondary_busy"];

/// Keys of an update.
const OTA: [&str; 2] = ["hosted.start_up", "hosted.image"];

/// Keys of raw frames.
const RAW_FRAMES: [&str; 2] = ["hosted.handlers", "hosted.peer_data"];

/// Keys that only a TCP connection has.
const TCP: [&str; 9] = [
    "lwip.snd_buf",
    "lwip.wnd",
    "lwip.mss",
    "lwip.rto_time",
    "lwip.nodelay",
    "lwip.so_sndbuf",
    "lwip.sack_out",
    "lwip.ooseq_max_pbufs",
    "lwip.tcp_recvmbox",
];

/// Keys that only datagrams have.
const UDP: [&str; 1] = ["lwip.udp_recvmbox"];

/// The value of `key` in effect, if it has one in this scenario.
pub fn value(scenario: &Scenario, set: &Settings, key: &Key) -> Option<Value> {
    let name = key.name;
    let table = key.name.split('.').next().unwrap_or_default();
    let above = matches!(table, "lwip" | "lwip_host" | "path");
    let foreign = match (&scenario.hosted, scenario.test) {
        // The air alone has no chips, no stack and no path.
        (None, _) => above || (table == "hosted" && name != "hosted.bus"),
        (Some(_), Test::Traffic) => OTA.contains(&name) || RAW_FRAMES.contains(&name),
        (Some(_), Test::Capture) => above || OTA.contains(&name) || of_traffic(name),
        (Some(_), Test::Ota) => above || RAW_FRAMES.contains(&name) || of_traffic(name),
        (Some(_), Test::Raw) => {
            above || table == "wifi" && name != "wifi.personality" || OTA.contains(&name) || RAW_FRAMES.contains(&name)
        }
    };
    let tcp = scenario.traffic.is_tcp();
    let foreign = foreign
        || (scenario.air.phy.width == Width::Mhz20 && SECONDARY.contains(&name))
        || name == (if scenario.air.phy.standard == Standard::B { "wifi.guard_interval" } else { "wifi.preamble" })
        || (tcp && UDP.contains(&name))
        || (!tcp && TCP.contains(&name));
    if foreign {
        return None;
    }
    match table {
        "traffic" => traffic(scenario, key),
        _ => own(scenario, name).or_else(|| plain(set, key)),
    }
}

/// Keys of traffic.
fn traffic(scenario: &Scenario, key: &Key) -> Option<Value> {
    let carried = match (scenario.test, scenario.traffic.is_tcp()) {
        (Test::Capture | Test::Ota, _) => Carried::Nothing,
        (Test::Traffic | Test::Raw, false) => Carried::Datagrams,
        (Test::Traffic | Test::Raw, true) => Carried::Streams,
    };
    let mut found = None;
    scenario.traffic.show(&carried, &mut |shown, value| {
        if shown.name == key.name {
            found = Some(value);
        }
    });
    found
}

/// Keys of datagrams and streams.
fn of_traffic(name: &str) -> bool {
    name.starts_with("traffic.") && name != "traffic.kind"
}

/// Keys that are not simply what was set.
fn own(scenario: &Scenario, name: &str) -> Option<Value> {
    let (air, cost) = (&scenario.air, &scenario.lwip.cost);
    match name {
        "wifi.preamble" => Some(if air.phy.preamble == Preamble::Short { "short" } else { "long" }.into()),
        "wifi.mcs" => Some(air.phy.mcs.into()),
        "wifi.cw_min" => Some(air.cw_min.into()),
        "wifi.slot" => Some(span(air.slot)),
        "wifi.ba_rate" => Some(ba_rate(air).into()),
        "wifi.channel" => Some(air.channel.into()),
        "wifi.guard_interval" => Some(guard(air.phy.guard).into()),
        "wifi.neighbour_load" => Some(air.neighbour_load.into()),
        "wifi.loss" if air.loss != Loss::None => Some(Value::Null),
        "hosted.write_frame" => Some(span(scenario.chain.costs.write_frame)),
        "hosted.read_frame" => Some(span(scenario.chain.costs.read_frame)),
        "lwip_host.call" => Some(span(cost.call)),
        "lwip_host.kilooctet" => Some(span(cost.kilooctet)),
        "lwip_host.segment" => Some(span(cost.segment)),
        "lwip_host.input" => Some(span(cost.input)),
        "lwip_host.switch" => Some(span(cost.switch)),
        _ => name.strip_prefix("wifi.loss.").and_then(|part| loss(air.loss, part)),
    }
}

/// As plans write it.
fn ba_rate(air: &Air) -> String {
    match air.ba_rate {
        ControlRate::Fixed(phy) => format!("{}M", f64::from(phy.rate_kbps()) / 1e3),
        ControlRate::Mandatory => "mandatory".into(),
    }
}

/// As plans write it.
const fn guard(guard: Guard) -> &'static str {
    match guard {
        Guard::Ns400 => "400ns",
        Guard::Ns800 => "800ns",
        Guard::Ns1600 => "1600ns",
        Guard::Ns3200 => "3200ns",
    }
}
