//! Rules between keys of IP over the nRF24L01+.

use alloc::format;

use airtime_core::Duration;
use airtime_keys::Fault;
use airtime_net::traffic::{DATAGRAM_MIN, Kind, Traffic, Transport};

use super::keys::{ARD_STEP, Air, Radio, Stall, Tunnel};
use super::raw;
use super::scenario::{IP_UDP, Mode, Scenario};
use crate::air::PAYLOAD_MAX;
use crate::{driver, legacy};

/// Shortest MTU of our tunnel: what every host must take. RFC 791, 3.2.
const MTU_MIN: u16 = 576;

type Rule = fn(&Scenario) -> Result<(), Fault>;

const RULES: &[Rule] =
    &[radios, channels, auto_ack, ard, mtu, only_legacy, only_ours, stall, level, kind, raw::frames, traffic, run];

/// Refuses a scenario with the first rule that it breaks.
pub fn check(scenario: &Scenario) -> Result<(), Fault> {
    RULES.iter().try_for_each(|rule| rule(scenario))
}

/// Refuses a level beside a loss: what is lost follows from one of them.
fn level(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.air.level.is_none() || !scenario.air.loses() {
        return Ok(());
    }
    let what = format!("`{}` and `{}`: what is lost follows from one of them", Air::LEVEL.name, Air::LOSS.name);
    Err(Fault::new(what).about([Air::LEVEL, Air::LOSS]))
}

fn radios(scenario: &Scenario) -> Result<(), Fault> {
    let needed = scenario.radios();
    match scenario.radio.radios {
        Some(asked) if asked != needed => {
            let user = if scenario.is_raw() { "raw frames".into() } else { format!("mode {}", scenario.mode().name()) };
            let verb = if scenario.is_raw() { "need" } else { "needs" };
            let what = format!("`nrf24.radios`: {user} {verb} {needed} per node, not {asked}");
            let fault = Fault::new(what).near(format!("{needed}")).about([Radio::RADIOS, Radio::MODE]);
            let one = "1 in modes ack-payload and rf24-gateway and with raw frames, else 2";
            Err(if asked == 1 { fault.allowing(one) } else { fault })
        }
        _ => Ok(()),
    }
}

/// Refuses channels that overlap, and two of them where there is one radio.
fn channels(scenario: &Scenario) -> Result<(), Fault> {
    let about = [Radio::CHANNEL_B, Radio::CHANNEL_A, Radio::RATE];
    let [a, b] = scenario.radio.channels();
    if scenario.radios() == 1 {
        if a == b {
            return Ok(());
        }
        let what = format!("`nrf24.channel_b`: with one radio per node both ends are on one channel, {a}, not {b}");
        return Err(Fault::new(what).near(format!("{a}")).about(about));
    }
    let (rate, apart) = (scenario.radio.rate, scenario.radio.spacing());
    if a.abs_diff(b) >= apart {
        return Ok(());
    }
    let what = format!("`nrf24.channel_b`: at {rate} the channels {a} and {b} overlap: they are {apart} or more apart");
    Err(Fault::new(what).allowing(format!("0 to 125, {apart} or more from {a}")).about(about))
}

fn auto_ack(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.radio.auto_ack || scenario.mode() == Mode::Legacy || scenario.is_raw() {
        return Ok(());
    }
    let mode = scenario.mode().name();
    let what =
        format!("`nrf24.auto_ack`: mode {mode} needs Enhanced ShockBurst; only legacy and raw frames can be without");
    Err(Fault::new(what).about([Radio::AUTO_ACK, Radio::MODE]))
}

fn ard(scenario: &Scenario) -> Result<(), Fault> {
    let about = [Radio::ARD, Radio::MODE, Radio::RATE];
    let (ard, rate) = (scenario.radio.ard(), scenario.radio.rate);
    if !(ard % ARD_STEP).is_zero() {
        let below = (ARD_STEP * (ard / ARD_STEP)).max(ARD_STEP);
        let fault = Fault::new(format!("`nrf24.ard`: {ard} is not a multiple of 250us"));
        return Err(fault.allowing("multiples of 250us from 250us to 4ms").near(format!("{below}")).about(about));
    }
    let octets = if scenario.mode() == Mode::AckPayload && !scenario.is_raw() { PAYLOAD_MAX as u8 } else { 0 };
    let shortest = ARD_STEP * (u64::from(driver::Config::shortest_ard(rate, octets)) + 1);
    if ard >= shortest {
        return Ok(());
    }
    let user = if scenario.is_raw() { "raw frames" } else { scenario.mode().name() };
    let what =
        format!("`nrf24.ard`: {ard} is too short at {rate} for the {octets} octets on an acknowledgement of {user}");
    Err(Fault::new(what).allowing(format!("{shortest} to 4ms")).near(format!("{shortest}")).about(about))
}

fn mtu(scenario: &Scenario) -> Result<(), Fault> {
    let mtu = scenario.tunnel.mtu;
    if scenario.mode() == Mode::Legacy || scenario.is_raw() || mtu >= MTU_MIN {
        return Ok(());
    }
    let what = format!("`nrf24.mtu`: {mtu} is below the {MTU_MIN} that every host must take; only legacy goes below");
    Err(Fault::new(what).allowing("576 to 1500").about([Tunnel::MTU, Radio::MODE]))
}

fn only_legacy(scenario: &Scenario) -> Result<(), Fault> {
    let tunnel = &scenario.tunnel;
    let mode = scenario.mode().name();
    if scenario.mode() == Mode::Legacy || scenario.is_raw() {
        return Ok(());
    }
    if tunnel.framing != legacy::Framing::None {
        let what = format!("`nrf24.framing`: mode {mode} has a chunk header of its own; framings are legacy's");
        return Err(Fault::new(what).near("none").about([Tunnel::FRAMING, Radio::MODE]));
    }
    if tunnel.delay > Duration::ZERO {
        let what = format!("`nrf24.delay`: mode {mode} never sleeps between batches; only legacy does");
        return Err(Fault::new(what).about([Tunnel::DELAY, Radio::MODE]));
    }
    Ok(())
}

fn only_ours(scenario: &Scenario) -> Result<(), Fault> {
    if !matches!(scenario.mode(), Mode::Legacy | Mode::Gateway) || scenario.is_raw() || !scenario.tunnel.encrypted {
        return Ok(());
    }
    let mode = scenario.mode().name();
    let fault = Fault::new("`nrf24.encrypted`: the published tunnel has no encryption");
    Err(fault.allowing(format!("false, or another mode than {mode}")).about([Tunnel::ENCRYPTED, Radio::MODE]))
}

fn stall(scenario: &Scenario) -> Result<(), Fault> {
    match scenario.stall.period() {
        Some(period) if period.length >= period.every / 2 => {
            let (length, every) = (period.length, period.every);
            let what = format!("`nrf24.stall.for`: {length} is not shorter than half the {every} between stalls");
            Err(Fault::new(what).about([Stall::LENGTH, Stall::EVERY]))
        }
        _ => Ok(()),
    }
}

/// A tunnel carries IP and nothing else; raw frames have none.
fn kind(scenario: &Scenario) -> Result<(), Fault> {
    match scenario.traffic.kind {
        Kind::Udp | Kind::Tcp | Kind::Raw => Ok(()),
        kind => {
            let kind = airtime_keys::Words::word(kind);
            let what = format!("`traffic.kind`: a tunnel carries IP, and {kind} is a test of a co-processor");
            Err(Fault::new(what).allowing("\"udp\", \"tcp\", \"raw\"").about([Traffic::KIND]))
        }
    }
}

fn traffic(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.is_raw() {
        return Ok(());
    }
    let mtu = scenario.tunnel.mtu;
    let room = mtu.saturating_sub(IP_UDP);
    match scenario.traffic.transport() {
        Transport::Udp { .. } if room < DATAGRAM_MIN => {
            let what = format!(
                "`nrf24.mtu`: {mtu} leaves {room} octets, and a datagram of a test has at least {DATAGRAM_MIN}"
            );
            let least = DATAGRAM_MIN + IP_UDP;
            Err(Fault::new(what).allowing(format!("{least} to 1500")).about([Tunnel::MTU, Traffic::PAYLOAD]))
        }
        Transport::Udp { payload, .. } if payload > room => {
            let what = format!("`traffic.payload`: {payload} does not fit an MTU of {mtu}, which leaves {room}");
            Err(Fault::new(what).allowing(format!("16 to {room}")).about([Traffic::PAYLOAD, Tunnel::MTU]))
        }
        _ => scenario.traffic.check(),
    }
}

fn run(scenario: &Scenario) -> Result<(), Fault> {
    scenario.run.check()
}
