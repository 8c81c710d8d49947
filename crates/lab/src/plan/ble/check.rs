//! What holds between keys, and between keys and personalities.

use airtime_ble::air::Phy;
use airtime_core::Duration;

use super::scenario::{Device, Direction, Link, Scenario};
use super::{foreign, rpc};
use crate::plan::resolve::Resolver;
use crate::schema::{INTERVAL_GRID, INTERVAL_MIN};
use crate::toml::error::{Fault, PlanError};

/// Supervision timeouts are multiples of this. Core 6.0, Vol 6, Part B, 4.5.2.
pub const TIMEOUT_GRID: Duration = Duration::from_millis(10);

/// Shorter connection intervals are multiples of this. Core 6.2, Vol 6, Part B, 4.5.1.
const SHORT_GRID: Duration = Duration::from_micros(125);

/// What is wrong, and the keys it is about, the likeliest culprit first.
type Broken = (&'static [&'static str], Fault);

type Rule = fn(&Scenario) -> Result<(), Broken>;

/// The rules that need nothing but the scenario.
const RULES: &[Rule] = &[supervision, phy, frame_space, sdu, gatt_payload, run];

/// Every interval the scenario asks for, with its key.
pub fn intervals(scenario: &Scenario) -> impl Iterator<Item = (&'static str, Duration)> {
    [
        ("ble.conn_interval", Some(scenario.conn_interval)),
        ("ble.request_interval", scenario.request_interval),
        ("ble.change_interval.to", scenario.change_interval.map(|change| change.to)),
    ]
    .into_iter()
    .filter_map(|(key, interval)| Some((key, interval?)))
}

/// The first rule that `scenario` breaks.
pub fn check(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), PlanError> {
    for (key, interval) in intervals(scenario) {
        let fault = on_grid(key, interval, scenario);
        fault.map_err(|fault| resolver.error(&[key, "central.personality"], fault))?;
    }
    for key in ["peer_host.latency", "peer_host.packet_time"] {
        if scenario.direction == Direction::Both && scenario.rpc.is_none() && resolver.set.set(key).is_some() {
            let fault = Fault::new(format!("`{key}`: with direction both each end is a sender; set `host` instead"));
            return Err(resolver.error(&[key], fault));
        }
    }
    rpc::check::check(resolver, scenario)?;
    if let Some(method) = resolver.set.set("gatt.method").and_then(|value| value.as_str()) {
        method_fits(method, scenario).map_err(|fault| resolver.error(&["gatt.method"], fault))?;
    }
    foreign::check(resolver, scenario)?;
    for rule in RULES {
        rule(scenario).map_err(|(keys, fault)| resolver.error(keys, fault))?;
    }
    Ok(())
}

/// Whether the specification has this interval. Whether the central grants it is for the run to show.
fn on_grid(key: &str, interval: Duration, scenario: &Scenario) -> Result<(), Fault> {
    let allowed = "multiples of 1.25ms from 7.5ms to 4s";
    if interval >= INTERVAL_MIN {
        if (interval % INTERVAL_GRID).is_zero() {
            return Ok(());
        }
        let below = INTERVAL_GRID * (interval / INTERVAL_GRID);
        let fault = Fault::new(format!("`{key}`: {interval} is not a multiple of 1.25ms")).allowing(allowed);
        return Err(Fault { nearest: Some(below.max(INTERVAL_MIN).to_string()), ..fault });
    }
    for device in [&scenario.central, &scenario.peripheral] {
        if device.controller.interval_min > interval {
            let shortest = device.controller.interval_min;
            let what = format!("`{key}`: {interval} is shorter than the {shortest} that `{}` can do", device.name);
            return Err(Fault::new(what).allowing(allowed));
        }
    }
    match (interval % SHORT_GRID).is_zero() {
        true => Ok(()),
        false => Err(Fault::new(format!("`{key}`: {interval} is not a multiple of 125us"))
            .allowing("multiples of 125us below 7.5ms, multiples of 1.25ms from there")),
    }
}

/// Notifications go from the server, which is the peripheral; write commands go to it.
fn method_fits(method: &str, scenario: &Scenario) -> Result<(), Fault> {
    let natural = match scenario.direction {
        Direction::PeripheralToCentral => "notify",
        Direction::CentralToPeripheral => "write-command",
        Direction::Both => {
            return Err(Fault::new("`gatt.method`: with direction both each way has its own method"));
        }
    };
    if method == natural {
        return Ok(());
    }
    let what = format!("`gatt.method`: `{method}` does not go {}", scenario.direction.name());
    Err(Fault { nearest: Some(natural.into()), ..Fault::new(what) })
}

/// Core 6.0, Vol 6, Part B, 4.5.2: more than (1 + latency) * interval * 2.
fn supervision(scenario: &Scenario) -> Result<(), Broken> {
    const KEYS: &[&str] = &[
        "ble.supervision_timeout",
        "ble.latency",
        "ble.change_interval.to",
        "ble.request_interval",
        "ble.conn_interval",
    ];
    let timeout = scenario.supervision_timeout;
    if !(timeout % TIMEOUT_GRID).is_zero() {
        return Err((KEYS, Fault::new(format!("`ble.supervision_timeout`: {timeout} is not a multiple of 10ms"))));
    }
    for (_, interval) in intervals(scenario) {
        let needed = interval * 2 * (u64::from(scenario.latency) + 1);
        if timeout <= needed {
            let what = format!(
                "`ble.supervision_timeout`: {timeout} is not more than 2 * (1 + latency) * interval = {needed}"
            );
            return Err((KEYS, Fault::new(what).allowing(format!("more than {needed}, up to 32s"))));
        }
    }
    Ok(())
}

fn phy(scenario: &Scenario) -> Result<(), Broken> {
    let can = |device: &Device| match scenario.phy {
        Phy::Le1M => true,
        Phy::Le2M => device.controller.phy_2m,
        Phy::LeCodedS2 | Phy::LeCodedS8 => device.controller.phy_coded,
    };
    match [&scenario.central, &scenario.peripheral].into_iter().find(|device| !can(device)) {
        None => Ok(()),
        Some(device) => {
            let what = format!("`ble.phy`: `{}` does not support {}", device.name, scenario.phy);
            Err((&["ble.phy"], Fault::new(what)))
        }
    }
}

fn frame_space(scenario: &Scenario) -> Result<(), Broken> {
    let Some(space) = scenario.frame_space else { return Ok(()) };
    for device in [&scenario.central, &scenario.peripheral] {
        let what = match device.controller.frame_space_min {
            Some(min) if space >= min => continue,
            Some(min) => format!("`ble.frame_space`: {space} is shorter than the {min} that `{}` can do", device.name),
            None => format!("`ble.frame_space`: `{}` has no frame space update; it stays at 150us", device.name),
        };
        return Err((&["ble.frame_space"], Fault::new(what)));
    }
    Ok(())
}

fn sdu(scenario: &Scenario) -> Result<(), Broken> {
    if scenario.link != Link::BleCoc {
        return Ok(());
    }
    let (sdu, direction) = (scenario.coc.sdu, scenario.direction);
    let ends = [(&scenario.central, direction.peripheral_sends()), (&scenario.peripheral, direction.central_sends())];
    for (device, receives) in ends {
        let mtu = device.host.coc_mtu;
        if receives && sdu > mtu {
            let what = format!("`coc.sdu`: {sdu} is above the MTU of the receiver `{}`, {mtu}", device.name);
            return Err((&["coc.sdu", "coc.mtu"], Fault::new(what).allowing(format!("1 to {mtu}"))));
        }
    }
    Ok(())
}

fn gatt_payload(scenario: &Scenario) -> Result<(), Broken> {
    let (payload, mtu) = (scenario.gatt.payload, scenario.gatt.mtu);
    if scenario.link != Link::BleGatt || payload <= mtu.saturating_sub(3) {
        return Ok(());
    }
    let what =
        format!("`gatt.payload`: {payload} does not fit an ATT MTU of {mtu}, which leaves {}", mtu.saturating_sub(3));
    Err((&["gatt.payload", "gatt.mtu"], Fault::new(what).allowing(format!("1 to {}", mtu.saturating_sub(3)))))
}

fn run(scenario: &Scenario) -> Result<(), Broken> {
    let (duration, warmup) = (scenario.run.duration, scenario.run.warmup);
    if scenario.rpc.is_none() && warmup >= duration {
        let what = format!("`run.duration`: {duration} is not longer than the warm-up of {warmup}");
        return Err((&["run.duration", "run.warmup"], Fault::new(what)));
    }
    match scenario.change_interval {
        Some(change) if change.at >= duration => {
            let what = format!("`ble.change_interval.at`: {} is not before the end at {duration}", change.at);
            Err((&["ble.change_interval.at", "run.duration"], Fault::new(what)))
        }
        _ => Ok(()),
    }
}
