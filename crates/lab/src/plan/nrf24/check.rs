//! What holds between keys of IP over the nRF24L01+.

use airtime_core::Duration;
use airtime_nrf24::air::{PAYLOAD_MAX, Rate};
use airtime_nrf24::{driver, legacy};

use super::resolve::ARD_STEP;
use super::scenario::{Mode, Scenario};
use crate::plan::resolve::Resolver;
use crate::plan::traffic::{Transport, of_the_other_kind};
use crate::toml::error::{Fault, PlanError};

/// What IPv4 without options and UDP put in front of a payload. RFC 791, 3.1; RFC 768.
const IP_UDP: u16 = 20 + 8;

/// Shortest MTU of our tunnel: what every host must take. RFC 791, 3.2.
const MTU_MIN: u16 = 576;

/// What is wrong, and the keys it is about, the likeliest culprit first.
type Broken = (&'static [&'static str], Fault);

type Rule = fn(&Resolver<'_>, &Scenario) -> Result<(), Broken>;

const RULES: &[Rule] = &[radios, channels, auto_ack, ard, mtu, only_legacy, only_ours, stall, kind, traffic, run];

/// The first rule that `scenario` breaks.
pub fn check(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), PlanError> {
    RULES.iter().try_for_each(|rule| rule(resolver, scenario).map_err(|(keys, fault)| resolver.error(keys, fault)))
}

fn radios(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let needed = scenario.mode.radios();
    match resolver.set.count("nrf24.radios") {
        Some(asked) if asked != u64::from(needed) => {
            let mode = scenario.mode.name();
            let what = format!("`nrf24.radios`: mode {mode} needs {needed} per node, not {asked}");
            let fault = Fault { nearest: Some(needed.to_string()), ..Fault::new(what) };
            Err((&["nrf24.radios", "nrf24.mode"], fault))
        }
        _ => Ok(()),
    }
}

/// 6.3: a channel is 1 MHz wide at 250 kbit/s and 1 Mbit/s and 2 MHz at 2 Mbit/s; "the channel spacing must be 2 MHz or
/// more" there so that neighbours do not overlap.
fn channels(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    const KEYS: &[&str] = &["nrf24.channel_b", "nrf24.channel_a", "nrf24.rate"];
    let [a, b] = scenario.radio.channels;
    if scenario.mode.radios() == 1 {
        if a == b {
            return Ok(());
        }
        let what = format!("`nrf24.channel_b`: with one radio per node both ends are on one channel, {a}, not {b}");
        return Err((KEYS, Fault { nearest: Some(a.to_string()), ..Fault::new(what) }));
    }
    let apart = if scenario.radio.rate == Rate::M2 { 2 } else { 1 };
    if a.abs_diff(b) >= apart {
        return Ok(());
    }
    let rate = scenario.radio.rate;
    let what = format!("`nrf24.channel_b`: at {rate} the channels {a} and {b} overlap: they are {apart} or more apart");
    Err((KEYS, Fault::new(what).allowing(format!("0 to 125, {apart} or more from {a}"))))
}

fn auto_ack(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    if scenario.radio.auto_ack || scenario.mode == Mode::Legacy {
        return Ok(());
    }
    let mode = scenario.mode.name();
    let what = format!("`nrf24.auto_ack`: mode {mode} needs Enhanced ShockBurst; only legacy can be without");
    Err((&["nrf24.auto_ack", "nrf24.mode"], Fault::new(what)))
}

fn ard(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    const KEYS: &[&str] = &["nrf24.ard", "nrf24.mode", "nrf24.rate"];
    let (ard, rate) = (scenario.radio.ard, scenario.radio.rate);
    if !(ard % ARD_STEP).is_zero() {
        let below = (ARD_STEP * (ard / ARD_STEP)).max(ARD_STEP);
        let what = format!("`nrf24.ard`: {ard} is not a multiple of 250us");
        let fault = Fault::new(what).allowing("multiples of 250us from 250us to 4ms");
        return Err((KEYS, Fault { nearest: Some(below.to_string()), ..fault }));
    }
    let octets = if scenario.mode == Mode::AckPayload { PAYLOAD_MAX as u8 } else { 0 };
    let shortest = ARD_STEP * (u64::from(driver::Config::shortest_ard(rate, octets)) + 1);
    if ard >= shortest {
        return Ok(());
    }
    let mode = scenario.mode.name();
    let what =
        format!("`nrf24.ard`: {ard} is too short at {rate} for the {octets} octets on an acknowledgement of {mode}");
    let fault = Fault::new(what).allowing(format!("{shortest} to 4ms"));
    Err((KEYS, Fault { nearest: Some(shortest.to_string()), ..fault }))
}

fn mtu(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let mtu = scenario.tunnel.mtu;
    if scenario.mode == Mode::Legacy || mtu >= MTU_MIN {
        return Ok(());
    }
    let what = format!("`nrf24.mtu`: {mtu} is below the {MTU_MIN} that every host must take; only legacy goes below");
    Err((&["nrf24.mtu", "nrf24.mode"], Fault::new(what).allowing("576 to 1500")))
}

fn only_legacy(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let tunnel = &scenario.tunnel;
    let mode = scenario.mode.name();
    if scenario.mode == Mode::Legacy {
        return Ok(());
    }
    if tunnel.framing != legacy::Framing::None {
        let what = format!("`nrf24.framing`: mode {mode} has a chunk header of its own; framings are legacy's");
        return Err((&["nrf24.framing", "nrf24.mode"], Fault { nearest: Some("none".into()), ..Fault::new(what) }));
    }
    if tunnel.delay > Duration::ZERO {
        let what = format!("`nrf24.delay`: mode {mode} never sleeps between batches; only legacy does");
        return Err((&["nrf24.delay", "nrf24.mode"], Fault::new(what)));
    }
    Ok(())
}

fn only_ours(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    if scenario.mode != Mode::Legacy || !scenario.tunnel.encrypted {
        return Ok(());
    }
    let fault = Fault::new("`nrf24.encrypted`: the published tunnel has no encryption");
    Err((&["nrf24.encrypted", "nrf24.mode"], fault.allowing("false, or another mode than legacy")))
}

fn stall(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    match scenario.stall {
        Some(period) if period.length >= period.every / 2 => {
            let what = format!(
                "`nrf24.stall.for`: {} is not shorter than half the {} between stalls",
                period.length, period.every
            );
            Err((&["nrf24.stall.for", "nrf24.stall.every"], Fault::new(what)))
        }
        _ => Ok(()),
    }
}

/// A tunnel carries IP and nothing else.
fn kind(resolver: &Resolver<'_>, _: &Scenario) -> Result<(), Broken> {
    match resolver.set.text("traffic.kind") {
        Some(kind) if !matches!(kind, "udp" | "tcp") => {
            let what = format!("`traffic.kind`: {kind} is for the link `wifi-hosted`");
            Err((&["traffic.kind"], Fault::new(what).allowing("\"udp\", \"tcp\"")))
        }
        _ => Ok(()),
    }
}

fn traffic(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let mtu = scenario.tunnel.mtu;
    match scenario.traffic.transport {
        Transport::Udp { payload, .. } if payload > mtu.saturating_sub(IP_UDP) => {
            let room = mtu.saturating_sub(IP_UDP);
            let what = format!("`traffic.payload`: {payload} does not fit an MTU of {mtu}, which leaves {room}");
            Err((&["traffic.payload", "nrf24.mtu"], Fault::new(what).allowing(format!("16 to {room}"))))
        }
        _ => of_the_other_kind(resolver, &scenario.traffic),
    }
}

fn run(_: &Resolver<'_>, scenario: &Scenario) -> Result<(), Broken> {
    let (duration, warmup) = (scenario.run.duration, scenario.run.warmup);
    if warmup < duration {
        return Ok(());
    }
    let what = format!("`run.duration`: {duration} is not longer than the warm-up of {warmup}");
    Err((&["run.duration", "run.warmup"], Fault::new(what)))
}
