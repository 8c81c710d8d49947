//! Report of a server: one document of the schema `airtime/live/1`.

use airtime_ble::ledger::{Account, Books};
use airtime_ble::network::Device;
use airtime_core::ledger::Account as _;
use airtime_core::{Duration, Instant};
use airtime_lab::Ordered;
use serde::Serialize;

use crate::address::written;
use crate::ble::config::Config;
use crate::ble::radios::Radios;
use crate::ble::record::{Gone, LinkEnd, LinkRecord};
use crate::ble::station::Above;
use crate::ble::traffic::Traffic;
use crate::figures::Summary;
use crate::rpc::counted::Counts;
use crate::rpc::{Served, ServedConfig, hex, public_identity};

/// The schema of the document.
pub const SCHEMA: &str = "airtime/live/1";

/// Report of a server. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Schema of the document: [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub airtime: &'static str,
    /// Time since the start of the server.
    pub elapsed_ns: u64,
    /// Steps of the event loop.
    pub steps: u64,
    /// Wall time less due time of every step, if there were any.
    pub lag: Option<Summary>,
    /// Payload that all links together have carried, in octets.
    pub payload_bytes: u64,
    /// The endpoints; device 0 is the first.
    pub endpoints: Vec<EndpointReport>,
    /// The peers; their devices follow the endpoints'.
    pub peers: Vec<PeerReport>,
    /// RPC servers that are called; their devices follow the peers'.
    pub rpc: Vec<RpcReport>,
    /// The connections: up to 32 that are over, and those that are open.
    pub links: Vec<LinkReport>,
    /// Connections that are over and not among them.
    pub links_before: u64,
}

/// Report on the HCI of one endpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndpointReport {
    /// Place of the endpoint.
    pub hci: String,
    /// Public address of its controller.
    pub address: String,
    /// Personality of its controller.
    pub personality: String,
    /// Hosts that have come.
    pub clients: u64,
    /// Octets from hosts.
    pub bytes_in: u64,
    /// Octets to hosts.
    pub bytes_out: u64,
    /// Packets from hosts.
    pub packets_in: u64,
    /// Packets to hosts.
    pub packets_out: u64,
    /// Commands from hosts.
    pub commands: u64,
    /// ACL packets from hosts.
    pub acl_in: u64,
    /// ACL packets to hosts.
    pub acl_out: u64,
    /// Number of packets from hosts that are none for a controller.
    pub malformed: u64,
    /// Ends of connections that hosts were told of, by reason.
    pub disconnects: Ordered<u64>,
    /// From a buffer that the host waited for coming free to its next ACL packet.
    pub host_latency: Option<Summary>,
    /// Percentiles 0 to 100 of the same, in microseconds; empty when it never waited.
    pub host_latency_percentiles_us: Vec<f64>,
}

/// One of our own hosts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerReport {
    /// Task of the peer.
    pub peer: String,
    /// Role in the test: its end of it.
    pub role: &'static str,
    /// Public address of its controller.
    pub address: String,
    /// Personality of the peer.
    pub personality: String,
}

/// One of our own hosts that is called.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RpcReport {
    /// Public address of its controller.
    pub address: String,
    /// Name that it advertises.
    pub name: String,
    /// Personality of the server.
    pub personality: String,
    /// Its identity, an Ed25519 public key in hexadecimal; nothing when it serves in the open.
    pub identity: Option<String>,
    /// Set if it offers the extension.
    pub extended: bool,
    /// Octets of its memory.
    pub memory_bytes: u32,
    /// Calls by method.
    pub methods: Ordered<MethodReport>,
    /// Calls of methods that do not exist.
    pub unknown: u64,
    /// Faults on the live connection or the last one, dropped or refused, by cause.
    pub faults: Ordered<u64>,
}

/// Calls of one method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodReport {
    /// Calls that began.
    pub calls: u64,
    /// Calls that were refused, or ended with a status.
    pub refused: u64,
    /// Octets of request messages.
    pub bytes_in: u64,
    /// Octets of response messages.
    pub bytes_out: u64,
}

/// Report on one connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkReport {
    /// Access address, in hexadecimal.
    pub access_address: String,
    /// Device of the central.
    pub central: Option<usize>,
    /// Device of the peripheral.
    pub peripheral: Option<usize>,
    /// Instant at which it was made, in ns.
    pub opened_ns: u64,
    /// Instant at which it was over, in ns.
    pub closed_ns: Option<u64>,
    /// Manner in which each end went, once it has: a reason, or `silent` after a loss of power or a reset.
    pub ended: Ways<Option<String>>,
    /// Terms that were negotiated, if the connection lasted long enough to be looked at.
    pub negotiated: Option<Negotiated>,
    /// Payload that arrived, in octets.
    pub octets: Ways<u64>,
    /// Payload per second from the first packet of a direction to its last.
    pub goodput_kbps: Ways<f64>,
    /// Time from the first packet with payload to the last.
    pub streamed_ns: Ways<u64>,
    /// Counters of the air from the first payload to the last, by the names of a record.
    pub counters: Ordered<u64>,
    /// Time of the air by account up to the last payload, in ns.
    pub ledger_ns: Ordered<u64>,
    /// Time since the last payload, which is in no account.
    pub silent_ns: u64,
    /// The largest account outside the payload.
    pub bottleneck: &'static str,
}

/// Central to peripheral, and peripheral to central; or of the central and of the peripheral.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ways<T> {
    /// From the central.
    pub c2p: T,
    /// From the peripheral.
    pub p2c: T,
}

/// Terms that were negotiated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Negotiated {
    /// Connection interval, with its unit.
    pub conn_interval: String,
    /// Peripheral latency in events.
    pub latency: u16,
    /// Supervision timeout, with its unit.
    pub supervision_timeout: String,
    /// PHY of each direction, by name.
    pub phy: Ways<&'static str>,
    /// LL payload octets.
    pub dle: Ways<u16>,
    /// Set if the link is encrypted.
    pub encrypted: bool,
}

impl Report {
    /// The report of `radios` made from `config`, whose endpoints are at `addresses`.
    pub fn new(config: &Config, addresses: &[String], radios: &Radios) -> Self {
        let network = radios.network();
        let watch = &network.observer;
        let endpoints = config.endpoints.iter().zip(addresses).zip(&network.devices);
        Self {
            schema: SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            elapsed_ns: radios.pacer().now().as_nanos(),
            steps: radios.pacer().steps(),
            payload_bytes: watch.carried(),
            lag: radios.pacer().lag().summary(),
            endpoints: endpoints
                .filter_map(|((config, hci), device)| {
                    endpoint(hci, written(config.address), &config.personality, device)
                })
                .collect(),
            peers: config
                .peers
                .iter()
                .map(|peer| PeerReport {
                    peer: peer.name.clone(),
                    role: peer.role_name(),
                    address: written(peer.address),
                    personality: peer.device().name.clone(),
                })
                .collect(),
            rpc: config
                .served
                .iter()
                .zip(network.devices.iter().filter_map(|d| d.station.served()))
                .map(called)
                .collect(),
            links: watch.links().map(|of| link(of, radios.pacer().now())).collect(),
            links_before: watch.forgotten(),
        }
    }
}

fn endpoint(hci: &str, address: String, personality: &str, device: &Device<Above>) -> Option<EndpointReport> {
    let Above::Outside(endpoint) = &device.station else { return None };
    let t: &Traffic = endpoint.traffic();
    let name = |(reason, count): (&u8, &u64)| (format!("0x{reason:02X}"), *count);
    Some(EndpointReport {
        hci: hci.to_owned(),
        address,
        personality: personality.to_owned(),
        clients: t.clients,
        bytes_in: t.bytes_in,
        bytes_out: t.bytes_out,
        packets_in: t.packets_in,
        packets_out: t.packets_out,
        commands: t.commands,
        acl_in: t.acl_in,
        acl_out: t.acl_out,
        malformed: t.malformed,
        disconnects: t.disconnects.iter().map(name).collect(),
        host_latency: t.host_latency.summary(),
        host_latency_percentiles_us: t.host_latency.percentiles_us(),
    })
}

fn called((config, served): (&ServedConfig, &Served)) -> RpcReport {
    let (service, faults) = (served.application().service(), served.application().faults());
    let method = |(name, counts): (&String, &Counts)| {
        let &Counts { calls, refused, octets_in, octets_out } = counts;
        (name.clone(), MethodReport { calls, refused, bytes_in: octets_in, bytes_out: octets_out })
    };
    let faults = [
        ("malformed", faults.malformed),
        ("out_of_order", faults.out_of_order),
        ("not_genuine", faults.not_genuine),
        ("stale", faults.stale),
        ("busy", faults.busy),
        ("unknown", faults.unknown),
        ("refused", faults.refused),
    ];
    RpcReport {
        address: written(config.address),
        name: config.scenario.connection.name.clone(),
        personality: config.scenario.peripheral.name.clone(),
        identity: config.identity.map(|seed| hex::written(&public_identity(&seed))),
        extended: config.extended,
        memory_bytes: config.memory,
        methods: service.methods().iter().map(method).collect(),
        unknown: service.unknown(),
        faults: faults.into_iter().collect(),
    }
}

fn ways<T, U>(pair: [T; 2], of: impl FnMut(T) -> U) -> Ways<U> {
    let [c2p, p2c] = pair.map(of);
    Ways { c2p, p2c }
}

fn link(link: &LinkRecord, now: Instant) -> LinkReport {
    let ended = |end: Option<LinkEnd>| {
        Some(match end?.gone? {
            Gone::Closed(reason) => reason.to_string(),
            Gone::Silent => "silent".to_owned(),
        })
    };
    let time = |during: Option<(Instant, Instant)>| during.map_or(Duration::ZERO, |(first, last)| last - first);
    let (ledger, counts) = link.until_last_payload();
    LinkReport {
        access_address: format!("{:#010x}", link.access_address),
        central: link.ends[0].map(|end| end.device),
        peripheral: link.ends[1].map(|end| end.device),
        opened_ns: link.opened.as_nanos(),
        closed_ns: link.closed.map(Instant::as_nanos),
        ended: ways(link.ends, ended),
        negotiated: link.terms.map(|terms| Negotiated {
            conn_interval: terms.interval.to_string(),
            latency: terms.latency,
            supervision_timeout: terms.timeout.to_string(),
            phy: ways(terms.phy, |phy| phy.name()),
            dle: ways(terms.octets, |octets| octets),
            encrypted: terms.encrypted,
        }),
        octets: ways(link.streams, |stream| stream.octets),
        goodput_kbps: ways(link.streams, |stream| stream.goodput_kbps()),
        streamed_ns: ways(link.streams, |stream| time(stream.during).as_nanos()),
        counters: counts.named().into_iter().collect(),
        ledger_ns: ledger.entries().map(|(account, time)| (account.name(), time.as_nanos())).collect(),
        silent_ns: link.silence(now).as_nanos(),
        bottleneck: Account::name(Books::bottleneck(ledger)),
    }
}
