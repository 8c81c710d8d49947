//! From a scenario to the configuration of each part of the plant: the same for runs and live servers.

use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_core::{Duration, Pool};
use airtime_net::{linux, lwip};
use airtime_wifi::air::{Access, Aggregation, Responses, Standard, Timing, Width, mpdu_octets};
use airtime_wifi::cell::{
    Beacons, CellConfig, Errors, Secondary, StationConfig, StationId, Traffic as Own, WidePolicy,
};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig, V2_11_7};
use airtime_wifi::hosted::wire::start::{SdioMode, Version as Built};
use airtime_wifi::mac::{Backoff, RateConfig};
use airtime_wifi::network::{self, BusTiming, Costs, PathConfig};

use crate::plan::wifi::{Air, Band, ControlRate, Hosted, Mode, OnError, Scenario, Version};
use airtime_net::traffic::Transport;

/// Octets of the IP packets of other stations. *Assumed*: full ones.
const OTHERS_PACKET: u32 = 1_500;

/// SSID in the beacons of the lab's access point.
const SSID: &[u8] = b"airtime";

/// Octets of an Ethernet II header.
const ETHERNET: u32 = 14;

/// MSDUs a station can hold that nothing above it limits: twice the largest Block Ack window.
const UNLIMITED: usize = 128;

/// The newest behaviour that the lab has of 2.12.
const V2_12_12: Built = Built { major: 2, minor: 12, patch: 12 };

/// The channel and its stations: the co-processor, the access point, and the others.
pub fn cell(scenario: &Scenario) -> CellConfig {
    let air = &scenario.air;
    let mut stations = vec![own(scenario), access_point(scenario)];
    stations.extend((2..=air.stations).map(|place| other(scenario, place)));
    CellConfig {
        timing: timing(air),
        backoff: if air.mean_backoff { Backoff::Mean } else { Backoff::Random },
        eifs: air.eifs,
        channel: air.channel,
        stations,
        beacons: air.beacons.then(|| Beacons::usual(SSID)),
        secondary: secondary(air),
        ..CellConfig::pair()
    }
}

fn timing(air: &Air) -> Timing {
    let band = match (air.phy.standard, air.band) {
        (Standard::B, _) => Timing::dsss(air.phy.preamble),
        (_, Band::Ghz2) => Timing::ghz24(),
        (_, Band::Ghz5) => Timing::ghz5(),
    };
    let responses = match air.ba_rate {
        ControlRate::Fixed(phy) => Responses::Fixed(phy),
        ControlRate::Mandatory => Responses::Mandatory,
    };
    Timing { slot: air.slot, responses, whole_symbols: air.whole_symbols, ..band }
}

/// Configuration that every station of the cell has in common.
fn usual(scenario: &Scenario, place: u8) -> StationConfig {
    let air = &scenario.air;
    let access = Access { aifsn: air.aifsn, cw_min: air.cw_min, cw_max: air.cw_max, edca: air.edca };
    let rate = if air.minstrel { RateConfig::minstrel(air.phy) } else { RateConfig::Fixed(air.phy) };
    let window = if air.phy.aggregates() { air.ampdu_max.into() } else { 1 };
    StationConfig {
        access,
        rate,
        aggregation: Aggregation { duration: air.ppdu_max, ..Aggregation::ht(window) },
        rts_threshold: air.rts_threshold,
        retry_limit: air.retry_limit,
        encrypted: air.encrypted,
        errors: Errors { loss: air.loss, ..Errors::default() },
        ..StationConfig::usual(place)
    }
}

/// The co-processor's station.
fn own(scenario: &Scenario) -> StationConfig {
    let usual = usual(scenario, 0);
    match &scenario.hosted {
        Some(hosted) => StationConfig {
            tx_buffers: hosted.wifi_tx_buffers.into(),
            receive_window: hosted.rx_ba_window.into(),
            ..usual
        },
        None => StationConfig { tx_buffers: UNLIMITED, ..usual },
    }
}

fn access_point(scenario: &Scenario) -> StationConfig {
    let tx_buffers = usize::from(scenario.path.ap_queue).max(usize::from(scenario.air.ampdu_max));
    StationConfig { tx_buffers, ..usual(scenario, 1) }
}

/// Another station, which sends to the access point.
fn other(scenario: &Scenario, place: u16) -> StationConfig {
    let air = &scenario.air;
    let packet = match (&scenario.hosted, scenario.traffic.transport()) {
        // Among equals: stations of one kind contend.
        (None, Transport::Udp { payload, .. }) => u32::from(payload) + 28,
        _ => OTHERS_PACKET,
    };
    let mpdu = mpdu_octets(packet + ETHERNET, air.encrypted) as u16;
    let to = StationId(1);
    let traffic = match air.others_rate {
        None => Own::Saturated { to, mpdu },
        Some(Bitrate(bps)) => {
            let bits = u64::from(packet) * 8;
            let every = Duration::from_nanos((bits * 1_000_000_000).div_ceil(bps.max(1)));
            Own::Poisson { to, mpdu, every }
        }
    };
    let place = u8::try_from(place).unwrap_or(u8::MAX);
    StationConfig { tx_buffers: UNLIMITED, traffic, ..usual(scenario, place) }
}

/// Neighbours on the secondary channel: exchanges of a mean length, as many as make up the load.
fn secondary(air: &Air) -> Option<Secondary> {
    let wide = air.phy.width == Width::Mhz40 && air.neighbour_load > 0.0;
    let exchange = air.neighbour_burst;
    wide.then(|| Secondary {
        exchange,
        every: Duration::from_nanos((exchange.as_nanos() as f64 / air.neighbour_load).round() as u64),
        policy: if air.defer { WidePolicy::Defer } else { WidePolicy::Fallback },
        heard: true,
    })
}

/// Both chips, up and connected, and the bus between them.
pub fn chain(scenario: &Scenario, hosted: &Hosted, pool: &Pool) -> network::Chain {
    let host = Host::booted(host(hosted), pool.clone());
    let coprocessor = Coprocessor::booted(coprocessor(hosted), pool.clone());
    network::Chain::new(host, coprocessor, bus(hosted), costs(scenario, hosted), hosted.wifi_dynamic_rx, pool)
}

/// The clock and the lines.
pub fn bus(hosted: &Hosted) -> BusTiming {
    // The schema keeps it within 50 MHz.
    BusTiming { hz: hosted.clock.0 as u32, lines: hosted.lines }
}

/// Costs of the tasks around the bus.
pub fn costs(scenario: &Scenario, hosted: &Hosted) -> Costs {
    Costs { shared_core: hosted.shared_core, ..scenario.chain.costs }
}

/// The host's side of the bus.
pub fn host(hosted: &Hosted) -> HostConfig {
    HostConfig {
        version: version(hosted.version),
        tx_queue: hosted.tx_queue,
        rx_queue: hosted.rx_queue,
        checksum: hosted.checksum,
        mode: mode(hosted.mode),
        throttle_percent: hosted.throttle,
        ..HostConfig::default()
    }
}

/// The co-processor's side of the bus.
pub fn coprocessor(hosted: &Hosted) -> CoprocessorConfig {
    let usual = CoprocessorConfig::default();
    CoprocessorConfig {
        version: version(hosted.version),
        rx_buffers: hosted.rx_buffers,
        tx_buffers: hosted.tx_buffers,
        throttle_percent: hosted.throttle,
        checksum: hosted.checksum,
        mode: mode(hosted.mode),
        wifi_tries: if hosted.wifi_tx_retry { usual.wifi_tries } else { 1 },
        ..usual
    }
}

const fn version(version: Version) -> Built {
    match version {
        Version::V2_11 => V2_11_7,
        Version::V2_12 => V2_12_12,
    }
}

const fn mode(mode: Mode) -> SdioMode {
    match mode {
        Mode::Streaming => SdioMode::Streaming,
        Mode::Packet => SdioMode::Packet,
    }
}

/// Path behind the access point.
pub fn path(scenario: &Scenario) -> PathConfig {
    let path = &scenario.path;
    PathConfig { rtt: path.rtt, rate: path.rate, queue: path.queue, ap_queue: path.ap_queue }
}

/// The host's TCP/IP stack. The air alone has none that costs anything.
pub fn stack(scenario: &Scenario) -> lwip::Config {
    let (stack, cost) = (&scenario.lwip, &scenario.lwip.cost);
    let costs = lwip::Costs {
        call: cost.call,
        kilooctet: cost.kilooctet,
        segment: cost.segment,
        input: cost.input,
        switch: cost.switch,
    };
    lwip::Config {
        snd_buf: stack.snd_buf,
        wnd: stack.wnd,
        mss: stack.mss,
        rto_time: stack.rto_time,
        sack_out: stack.sack_out,
        ooseq_max_pbufs: stack.ooseq_max_pbufs,
        tcp_recvmbox: stack.tcp_recvmbox,
        udp_recvmbox: stack.udp_recvmbox,
        tcpip_mbox: stack.tcpip_recvmbox,
        core_locking: stack.core_locking,
        shared_core: stack.shared_core,
        costs: if scenario.hosted.is_some() { costs } else { lwip::Costs::NONE },
        ..lwip::Config::default()
    }
}

/// Reaction of a sender of datagrams to a call that fails.
pub const fn on_error(scenario: &Scenario) -> lwip::OnError {
    match scenario.lwip.on_error {
        OnError::Spin => lwip::OnError::Spin,
        OnError::Yield => lwip::OnError::Yield,
        // CONFIG_FREERTOS_HZ is 100 by default.
        OnError::Sleep => lwip::OnError::Sleep(Duration::from_millis(10)),
    }
}

/// The far end: a Linux host.
pub fn far() -> linux::Config {
    linux::Config::default()
}

/// Tells if a run of `scenario` draws random numbers: without any, every seed gives the same.
pub fn is_random(scenario: &Scenario) -> bool {
    let air = &scenario.air;
    !air.mean_backoff || air.minstrel || air.stations > 1 || air.loss != Loss::None || secondary(air).is_some()
}
