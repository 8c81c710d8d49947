//! From a scenario to the configuration of each node: the same for runs, live servers and hardware.

use crate::air::PAYLOAD_MAX;
use crate::{driver, legacy as published, rf24, station as daemon, tunnel};
use airtime_core::random::stream;
use airtime_core::{Duration, Instant};

use crate::plan::{Mode, Scenario};

/// The address of the radio that receives at `a` and at `b`, least significant octet first; narrower addresses are its
/// first octets. *Assumed*: any two that differ in many bits, with edges for the receiver to find. 7.3.2.
const ADDRESSES: [[u8; 5]; 2] = [[0x35, 0xc6, 0x9a, 0x5b, 0xa7], [0xca, 0x39, 0x65, 0xb2, 0x4d]];

/// Key of every encrypted tunnel in the laboratory.
const KEY: [u8; 32] = *b"airtime tunnel key, no secret...";

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Published node, as the report has it.
    Legacy(published::Config),
    /// Our own daemon: driver and tunnel as tasks.
    Station(daemon::Config),
    /// Raw frames of the published driver.
    Raw(rf24::RawConfig),
    /// The published gateway.
    Gateway(rf24::gateway::GatewayConfig),
}

/// Configuration of end `end` of `scenario`, 0 for `a` and 1 for `b`, in a run with `seed` whose
/// traffic starts at `start`.
pub fn node(scenario: &Scenario, end: usize, seed: u64, start: Instant) -> Node {
    if scenario.is_raw() {
        return Node::Raw(raw(scenario, end, start));
    }
    match scenario.mode() {
        Mode::Legacy => Node::Legacy(legacy(scenario, end)),
        Mode::Gateway => Node::Gateway(gateway(scenario, end)),
        Mode::AutoAck => Node::Station(station(scenario, end, tunnel::Mode::AutoAck, epoch(end, seed))),
        Mode::AckPayload => Node::Station(station(scenario, end, tunnel::Mode::AckPayload, epoch(end, seed))),
        Mode::Stream => Node::Station(station(scenario, end, tunnel::Mode::Stream, epoch(end, seed))),
    }
}

/// End `end` of the published tunnel.
pub fn legacy(scenario: &Scenario, end: usize) -> published::Config {
    let which = [daemon::StationEnd::A, daemon::StationEnd::B][end];
    let (radio, tunnel) = (&scenario.radio, &scenario.tunnel);
    published::Config {
        transmit_channel: radio.channels()[end],
        receive_channel: radio.channels()[1 - end],
        rate: radio.rate,
        address_width: radio.address_width(),
        crc: radio.crc(),
        auto_ack: radio.auto_ack,
        ard: ard(scenario),
        arc: radio.arc(),
        batch: tunnel.batch,
        delay: tunnel.delay,
        mtu: tunnel.mtu,
        framing: tunnel.framing,
        ..published::Config::published(which, scenario.cost())
    }
}

/// End `end` of raw frames that start at `start`.
pub fn raw(scenario: &Scenario, end: usize, start: Instant) -> rf24::RawConfig {
    let (radio, traffic) = (&scenario.radio, &scenario.traffic);
    let payload = traffic.payload.unwrap_or(0) as u8;
    let config = rf24::Config {
        length: radio.payload_length,
        // What `begin()` leaves, and only who wants static lengths changes.
        payload_size: if radio.payload_length == rf24::Length::Dynamic { PAYLOAD_MAX as u8 } else { payload },
        ..under_rf24(scenario, end)
    };
    let program = match traffic.direction.sends(end) {
        true => rf24::Program::Sends(rf24::Sending {
            payload,
            write: radio.write,
            pauses: radio.pll_break && !radio.auto_ack,
            source: match (radio.serial, traffic.offered) {
                (Some(baud), _) => rf24::Source::Serial(baud),
                (None, Some(rate)) => {
                    rf24::Source::Every(Duration::from_nanos(u64::from(payload) * 8_000_000_000 / rate.0.max(1)))
                }
                (None, None) => rf24::Source::Memory,
            },
            start,
            end: start + scenario.run.duration,
        }),
        false => rf24::Program::Receives,
    };
    rf24::RawConfig { radio: config, program, cost: scenario.cost() }
}

/// End `end` of the published gateway: `a` is the master.
pub fn gateway(scenario: &Scenario, end: usize) -> rf24::gateway::GatewayConfig {
    use rf24::gateway::{Address, GatewayConfig};
    let address = [Address::Master, Address::Child][end];
    let radio = address.radio(under_rf24(scenario, end));
    // The delays of the two are as far from each other as `begin()` has them.
    let ard = (radio.ard + address.ard() - Address::Master.ard()).min(15);
    GatewayConfig {
        address,
        radio: rf24::Config { ard, ..radio },
        sleep: scenario.radio.loop_sleep(),
        interrupts: scenario.radio.interrupts,
        mtu: scenario.tunnel.mtu,
        cost: scenario.cost(),
    }
}

/// The radio of end `end` under RF24, of payloads of static length.
fn under_rf24(scenario: &Scenario, end: usize) -> rf24::Config {
    let radio = &scenario.radio;
    rf24::Config {
        channel: radio.channel_a,
        rate: radio.rate,
        address_width: radio.address_width(),
        crc: radio.crc(),
        auto_ack: radio.auto_ack,
        length: rf24::Length::Static,
        payload_size: PAYLOAD_MAX as u8,
        ard: ard(scenario),
        arc: radio.arc(),
        power: radio.power.level(),
        listens_at: ADDRESSES[end],
        writes_to: ADDRESSES[1 - end],
    }
}

/// End `end` of our daemon in this mode; `epoch` is a number that no earlier start of this end has used.
pub fn station(scenario: &Scenario, end: usize, mode: tunnel::Mode, epoch: u64) -> daemon::Config {
    let other = 1 - end;
    let radios = match mode {
        tunnel::Mode::AckPayload => {
            // Both ends of a link of one channel have one address. 7.4.
            daemon::Radios::One { radio: radio(scenario, 0, ADDRESSES[1]) }
        }
        tunnel::Mode::AutoAck | tunnel::Mode::Stream => daemon::Radios::Two {
            transmit: radio(scenario, end, ADDRESSES[other]),
            receive: radio(scenario, other, ADDRESSES[end]),
        },
    };
    let framing = scenario.framing();
    let frame_time = match mode {
        tunnel::Mode::Stream => framing.stream_cycle(PAYLOAD_MAX, scenario.radio.pll_break),
        tunnel::Mode::AutoAck => framing.acked_cycle(PAYLOAD_MAX, 0),
        tunnel::Mode::AckPayload => framing.acked_cycle(PAYLOAD_MAX, PAYLOAD_MAX),
    };
    let config = tunnel::Config {
        mode,
        mtu: scenario.tunnel.mtu,
        compression: scenario.tunnel.compression,
        key: scenario.tunnel.encrypted.then_some(KEY),
        epoch,
        queue: scenario.tunnel.queue,
        persistence: scenario.tunnel.persistence,
        frame_time,
    };
    let polls = mode == tunnel::Mode::AckPayload && end == 0;
    let (window, ack_every, ack_delay) =
        (scenario.tunnel.window.into(), scenario.tunnel.ack_every, scenario.tunnel.ack_delay);
    let tuning = tunnel::Tuning { window, ack_every, ack_delay, polls };
    daemon::Config { radios, tunnel: config, tuning, cost: scenario.cost() }
}

/// A radio on the channel on which `sender` transmits.
fn radio(scenario: &Scenario, sender: usize, address: [u8; 5]) -> driver::Config {
    let radio = &scenario.radio;
    driver::Config {
        channel: radio.channels()[sender],
        rate: radio.rate,
        address_width: radio.address_width(),
        crc: radio.crc(),
        auto_ack: radio.auto_ack,
        ard: ard(scenario),
        arc: radio.arc(),
        power: radio.power.level(),
        address,
        pll_break: radio.pll_break,
    }
}

/// The retransmission delay as SETUP_RETR has it: steps of 250 µs less one.
fn ard(scenario: &Scenario) -> u8 {
    (scenario.radio.ard().as_nanos() / 250_000).saturating_sub(1) as u8
}

/// The first epoch of an end: what a system's random source would say.
fn epoch(end: usize, seed: u64) -> u64 {
    stream(seed, ["tunnel/epoch/a", "tunnel/epoch/b"][end]).bits()
}
