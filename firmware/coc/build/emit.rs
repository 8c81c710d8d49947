//! A point of a plan as Rust.

use std::fmt::Write;
use std::path::Path;

use airtime_app::{CentralConfig, IntervalConfig, Pacing, PeripheralConfig, Phy, StreamConfig};
use airtime_ble_link::plan::{Device, Scenario, Transport};
use airtime_ble_link::run::{central_config, peripheral_config};
use airtime_core::Duration;
use airtime_lab::plan::set_argument;
use airtime_lab::{Plan, Point};

use crate::limits;

/// Longest packet of the host: what fits the memory with 32 of them. *Assumed.*
const PACKET_OCTETS_MAX: u16 = 2_048;

/// Octets of the L2CAP basic header, which shares a packet with the K-frame. Core 6.0, Vol 3, Part A, 3.1.
const BASIC_HEADER: u16 = 4;

/// The source of `plan.rs`; the peripheral is number `index`, from zero.
///
/// # Errors
/// What is wrong with the point for these boards.
pub fn source(plan: &Plan, point: &Point, scenario: &Scenario, index: u8) -> Result<String, String> {
    limits::stream(scenario)?;
    let (central, peripheral) = (&scenario.central, &scenario.peripheral);
    let mps = central.host.coc_mps.max(peripheral.host.coc_mps);
    // A packet holds an ACL packet, and an SDU that is put together, or an ATT PDU, for TrouBLE takes its MTU from it.
    let (packet, keys) = match scenario.transport() {
        Transport::Coc => (scenario.sdu().max(mps.saturating_add(BASIC_HEADER)).max(251), "coc.sdu and coc.mps"),
        Transport::Gatt => (scenario.att_mtu().saturating_add(BASIC_HEADER).max(251), "gatt.mtu"),
    };
    if packet > PACKET_OCTETS_MAX {
        return Err(format!("{keys}: {packet} octets are more than a packet's {PACKET_OCTETS_MAX}"));
    }
    let peripheral_config = peripheral_config(scenario, index);
    let psm = peripheral_config.psm;
    let central_config = central_config(scenario);
    let direction = scenario.connection.direction;
    let takes_sdus = |receives: bool| receives && scenario.transport() == Transport::Coc;
    let mut code = String::new();
    let mut put = |line: String| writeln!(code, "{line}").map_err(|error| error.to_string());
    put(constant("NAME", "&str", "Name of the plan.", &format!("{:?}", plan.name)))?;
    put(constant("POINT", "&str", "Its point.", &format!("{:?}", point.id)))?;
    put(constant("REPLAY", "&str", "The command that predicts it.", &format!("{:?}", replay(plan, point))))?;
    put(constant(
        "TRANSPORT",
        "Transport",
        "Transport of the stream.",
        &format!("Transport::{:?}", central_config.stream.transport),
    ))?;
    put(constant("DURATION", "Duration", "How long is measured.", &span(scenario.run.duration)))?;
    put(constant("PACKET_OCTETS", "usize", "Octets of a packet of the host.", &packet.to_string()))?;
    put(constant("PACKETS", "usize", "Packets of the host.", &limits::packets(scenario, packet)?.to_string()))?;
    put(constant("DATA_OCTETS", "u16", "Longest LL payload.", &scenario.data_length().to_string()))?;
    put(constant("PSM", "u16", "PSM of the channels.", &psm.to_string()))?;
    put(constant("LINKS", "usize", "Connections of the central.", &scenario.connection.peripherals.to_string()))?;
    put(constant("CHANNELS", "usize", "Channels per connection.", &scenario.channels().to_string()))?;
    put(constant("SDU", "usize", "Octets of the longest SDU or value.", &scenario.payload().to_string()))?;
    put(constant(
        "CENTRAL",
        "Device",
        "The central.",
        &device("central", central, takes_sdus(direction.peripheral_sends()), packet, scenario.sdu())?,
    ))?;
    put(constant(
        "PERIPHERAL",
        "Device",
        "The peripheral.",
        &device("peripheral", peripheral, takes_sdus(direction.central_sends()), packet, scenario.sdu())?,
    ))?;
    put(format!(
        "/// What the central is told to do.\npub fn central() -> CentralConfig {{ {} }}",
        of_central(&central_config)
    ))?;
    put(format!(
        "/// What the peripheral is told to do.\npub fn peripheral() -> PeripheralConfig {{ {} }}",
        of_peripheral(&peripheral_config)
    ))?;
    Ok(code)
}

/// From the top of the repository, where the plan is in it.
fn replay(plan: &Plan, point: &Point) -> String {
    let root = Path::new("../..").canonicalize().unwrap_or_default();
    let file = Path::new(&plan.file).canonicalize().unwrap_or_default();
    let file = file.strip_prefix(root).unwrap_or(&file);
    let own = point.set.iter().map(|(name, value)| set_argument(name, value));
    let set = own.chain(plan.overrides()).map(|set| format!(" --set '{set}'"));
    format!("airtime run {}{}", file.display(), set.collect::<String>())
}

fn constant(name: &str, kind: &str, text: &str, value: &str) -> String {
    format!("/// {text}\npub const {name}: {kind} = {value};")
}

fn device(end: &str, device: &Device, receives: bool, packet: u16, sdu: u16) -> Result<String, String> {
    // Nobody sends SDUs to the other end, so its credits are not the plan's: TrouBLE's own will do.
    let (credits, grant) = match receives {
        true => {
            let (credits, grant) = limits::credits(end, device.host.credits)?;
            limits::queue(end, credits, sdu, device.host.coc_mps)?;
            (Some(credits), grant)
        }
        false => (None, "Grant::Every(1)".to_owned()),
    };
    Ok(format!(
        "Device {{ acl_packets: {}, rx_packets: {}, mps: {}, mtu: {}, credits: {credits:?}, grant: {grant} }}",
        device.controller.acl_count,
        device.controller.rx_buffers,
        device.host.coc_mps,
        device.host.coc_mtu.min(packet),
    ))
}

// The three below name every field, so that a new one cannot be forgotten.

fn of_central(config: &CentralConfig) -> String {
    let CentralConfig {
        stream,
        name,
        peripherals,
        scan_timeout,
        conn_interval,
        further_interval,
        interval,
        data_octets,
        data_length,
        phy,
        change_phy,
        frame_space,
        encrypted,
        exchange_mtu,
        psm,
    } = config;
    format!(
        "CentralConfig {{ stream: {}, name: {}, peripherals: {peripherals}, scan_timeout: {}, conn_interval: {}, \
         further_interval: {}, interval: {}, data_octets: {data_octets}, data_length: DataLengthStep::{data_length:?}, \
         phy: Phy::{phy:?}, change_phy: {}, frame_space: {}, encrypted: {encrypted}, exchange_mtu: {exchange_mtu}, psm: {psm:?} }}",
        of_stream(stream),
        of_name(name.as_str()),
        span(*scan_timeout),
        span(*conn_interval),
        optional(*further_interval),
        of_interval(interval),
        of_change(*change_phy),
        optional(*frame_space),
    )
}

fn of_peripheral(config: &PeripheralConfig) -> String {
    let PeripheralConfig {
        stream,
        name,
        advertising_interval,
        stop_advertising,
        data_length_gate,
        data_octets,
        psm,
        interval,
        change_phy,
    } = config;
    format!(
        "PeripheralConfig {{ stream: {}, name: {}, advertising_interval: {}, stop_advertising: {stop_advertising}, \
         data_length_gate: {data_length_gate}, data_octets: {data_octets}, psm: {psm}, interval: {}, change_phy: {} }}",
        of_stream(stream),
        of_name(name.as_str()),
        span(*advertising_interval),
        of_interval(interval),
        of_change(*change_phy),
    )
}

fn of_stream(config: &StreamConfig) -> String {
    // Values are of one method, and none is answered: `limits` has seen to it.
    let StreamConfig { transport, direction, value_room: _, sdu, in_flight, channels, pacing, requests: _, warmup } =
        config;
    let pacing = match pacing {
        Pacing::Semaphore => "Pacing::Semaphore".to_owned(),
        Pacing::Sleep(time) => format!("Pacing::Sleep({})", span(*time)),
        Pacing::Every(time) => format!("Pacing::Every({})", span(*time)),
        Pacing::Retry(time) => format!("Pacing::Retry({})", span(*time)),
        Pacing::Blind(time) => format!("Pacing::Blind({})", span(*time)),
    };
    format!(
        "StreamConfig {{ transport: Transport::{transport:?}, direction: Direction::{direction:?}, value_room: airtime_app::ValueRoom::Behind(3), sdu: {sdu}, \
         in_flight: {in_flight}, channels: {channels}, pacing: {pacing}, requests: None, warmup: {} }}",
        span(*warmup),
    )
}

fn of_interval(config: &IntervalConfig) -> String {
    let IntervalConfig { request, request_from, request_after, change_at, latency, supervision_timeout } = config;
    let change = change_at.map_or("None".to_owned(), |(at, to)| format!("Some(({}, {}))", span(at), span(to)));
    format!(
        "IntervalConfig {{ request: {}, request_from: {}, request_after: {}, change_at: {change}, latency: {latency}, \
         supervision_timeout: {} }}",
        optional(*request),
        optional(*request_from),
        span(*request_after),
        span(*supervision_timeout),
    )
}

fn of_change(change: Option<(Duration, Phy)>) -> String {
    change.map_or("None".to_owned(), |(at, to)| format!("Some(({}, Phy::{to:?}))", span(at)))
}

/// A plan's name is within the limits of a device's: the schema has seen to it.
fn of_name(name: &str) -> String {
    format!("Name::new({name:?}).unwrap_or_default()")
}

fn optional(time: Option<Duration>) -> String {
    time.map_or("None".to_owned(), |time| format!("Some({})", span(time)))
}

fn span(time: Duration) -> String {
    format!("Duration::from_nanos({})", time.as_nanos())
}
