//! From a scenario to the configuration of each part of the plant: the same for runs and live servers.

use alloc::vec;

use crate::air::{Phy, Width, mpdu_octets};
use crate::cell::{Beacons, CellConfig, Secondary, StationConfig, StationId, Traffic as Own};
use crate::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use crate::hosted::host::{Host, HostConfig, V2_11_7};
use crate::hosted::wire::Bus;
use crate::hosted::wire::start::Version as Built;
use crate::mac::{Backoff, RateConfig};
use crate::network;
use crate::plan::{self, Hosted, OnError, RateControl, Scenario, Test, Version};
use airtime_core::units::Bitrate;
use airtime_core::{Duration, Pool};
use airtime_net::traffic::Transport;
use airtime_net::{linux, lwip};

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

/// The channel and its stations: the co-processor, who is at the other end of the air, and the others.
pub fn cell(scenario: &Scenario) -> CellConfig {
    let mut stations = vec![own(scenario), other_end(scenario)];
    stations.extend((2..=scenario.cell.stations).map(|place| other(scenario, place)));
    CellConfig {
        timing: scenario.timing(),
        backoff: scenario.access.backoff,
        eifs: scenario.access.eifs,
        collided: scenario.cell.collided,
        channel: scenario.radio.channel(),
        stations,
        access_point: access_point(scenario),
        beacons: scenario.cell.beacons().then(|| Beacons::usual(SSID)),
        secondary: secondary(scenario),
        power_save: scenario.power_save.of(dozer(scenario)),
        ..CellConfig::pair()
    }
}

/// Configuration that every station of the cell has in common.
fn usual(scenario: &Scenario, place: u8) -> StationConfig {
    let (radio, access, phy) = (&scenario.radio, &scenario.access, scenario.phy());
    let rate = match radio.rate {
        RateControl::Fixed => RateConfig::Fixed(phy),
        RateControl::Minstrel => RateConfig::minstrel(phy),
    };
    StationConfig {
        access: access.contention(radio.standard()),
        raw_phy: if scenario.test() == Test::EspNow { phy } else { Phy::dsss1() },
        rate,
        aggregation: radio.aggregation(),
        rts_threshold: access.rts_threshold.and_then(|threshold| threshold.0),
        amsdu: radio.amsdu(),
        txop: access.txop(),
        retry_limit: access.retry_limit.0,
        missing_block_ack: access.missing_block_ack,
        encrypted: radio.encrypted,
        errors: scenario.cell.errors(false),
        ..StationConfig::usual(place)
    }
}

/// The co-processor's station.
fn own(scenario: &Scenario) -> StationConfig {
    let errors = scenario.cell.errors(scenario.cell.is_access_point());
    let usual = StationConfig { errors, ..usual(scenario, 0) };
    match scenario.chips() {
        Some(hosted) => StationConfig {
            tx_buffers: hosted.wifi_tx_buffers.into(),
            receive_window: hosted.rx_ba_window.into(),
            ..usual
        },
        None => StationConfig { tx_buffers: unlimited(scenario), ..usual },
    }
}

/// MSDUs of a station that nothing above it limits: several of them may go in an MPDU.
fn unlimited(scenario: &Scenario) -> usize {
    // Of an Ethernet frame of 60 octets, the shortest there is, a subframe is 68.
    UNLIMITED * usize::from(scenario.radio.amsdu().map_or(1, |octets| octets / 68))
}

/// The station that is the access point.
fn access_point(scenario: &Scenario) -> StationId {
    StationId(u16::from(!scenario.cell.is_access_point()))
}

/// The station of the two, which may doze.
fn dozer(scenario: &Scenario) -> StationId {
    StationId(u16::from(scenario.cell.is_access_point()))
}

/// The access point of a co-processor that is a station, and the station of one that is an access point.
fn other_end(scenario: &Scenario) -> StationConfig {
    let tx_buffers = usize::from(scenario.path.ap_queue).max(usize::from(scenario.radio.ampdu_max));
    StationConfig { tx_buffers, errors: scenario.cell.errors(!scenario.cell.is_access_point()), ..usual(scenario, 1) }
}

/// Another station, which sends to the access point; what it sends ends at the radio, and takes no CPU of a co-processor that is one.
fn other(scenario: &Scenario, place: u16) -> StationConfig {
    let packet = match (scenario.chips(), scenario.traffic.transport()) {
        // Among equals: stations of one kind contend.
        (None, Transport::Udp { payload, .. }) => u32::from(payload) + 28,
        _ => OTHERS_PACKET,
    };
    let mpdu = mpdu_octets(packet + ETHERNET, scenario.radio.encrypted) as u16;
    let to = access_point(scenario);
    let traffic = match scenario.cell.others_rate {
        None => Own::Saturated { to, mpdu },
        Some(Bitrate(bps)) => {
            let bits = u64::from(packet) * 8;
            let every = Duration::from_nanos((bits * 1_000_000_000).div_ceil(bps.max(1)));
            Own::Poisson { to, mpdu, every }
        }
    };
    let place = u8::try_from(place).unwrap_or(u8::MAX);
    let errors = scenario.cell.errors_of_others();
    StationConfig { tx_buffers: unlimited(scenario), traffic, errors, ..usual(scenario, place) }
}

/// Neighbours on the secondary channel, where there is one.
fn secondary(scenario: &Scenario) -> Option<Secondary> {
    let wide = scenario.radio.width == Width::Mhz40;
    scenario.cell.secondary().filter(|_| wide)
}

/// Both chips, up and connected, and the bus between them.
pub fn chain(scenario: &Scenario, hosted: &Hosted, pool: &Pool) -> network::Chain {
    let host = Host::booted(host(scenario, hosted), pool.clone());
    let coprocessor = Coprocessor::booted(coprocessor(scenario, hosted), pool.clone());
    let costs = scenario.costs();
    let chain = network::Chain::new(host, coprocessor, hosted.timing(), costs, hosted.wifi_dynamic_rx, pool);
    match scenario.bus.bus {
        plan::Transport::Sdio | plan::Transport::None => chain,
        plan::Transport::Spi => chain.over_spi(hosted.spi()),
        plan::Transport::SpiHd => chain.over_half_duplex(hosted.half_duplex()),
    }
}

/// The host's side of the bus.
pub fn host(scenario: &Scenario, hosted: &Hosted) -> HostConfig {
    let bus = bus(scenario);
    HostConfig {
        bus,
        version: version(hosted.version),
        tx_queue: hosted.tx_queue(),
        rx_queue: hosted.rx_queue,
        // SPI has no check of its own, and always needs it.
        checksum: hosted.checksum || bus.transport().checksum_by_default(),
        mode: hosted.mode(),
        throttle_percent: hosted.throttle(),
        access_point: scenario.cell.is_access_point(),
        driver: scenario.chain.system.driver(),
        ..HostConfig::default()
    }
}

/// The co-processor's side of the bus.
pub fn coprocessor(scenario: &Scenario, hosted: &Hosted) -> CoprocessorConfig {
    let bus = bus(scenario);
    let usual = CoprocessorConfig::default();
    CoprocessorConfig {
        bus,
        version: version(hosted.version),
        rx_buffers: hosted.rx_buffers,
        tx_buffers: hosted.tx_buffers(),
        throttle_percent: hosted.throttle(),
        // SPI has no check of its own, and always needs it.
        checksum: hosted.checksum || bus.transport().checksum_by_default(),
        mode: hosted.mode(),
        access_point: scenario.cell.is_access_point(),
        wifi_tries: if hosted.wifi_tx_retry { usual.wifi_tries } else { 1 },
        ..usual
    }
}

fn bus(scenario: &Scenario) -> Bus {
    match scenario.bus.bus {
        plan::Transport::Spi => Bus::Spi,
        plan::Transport::SpiHd => Bus::SpiHalfDuplex,
        plan::Transport::Sdio | plan::Transport::None => Bus::Sdio,
    }
}

const fn version(version: Version) -> Built {
    match version {
        Version::V2_11 => V2_11_7,
        Version::V2_12 => V2_12_12,
    }
}

/// The host's TCP/IP stack. The air alone has none that costs anything.
pub fn stack(scenario: &Scenario) -> lwip::Config {
    let stack = &scenario.lwip;
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
        costs: if scenario.chips().is_some() { scenario.stack_costs() } else { lwip::Costs::NONE },
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

/// A Linux host: the far end, or the host of a co-processor.
pub fn linux() -> linux::Config {
    linux::Config::default()
}

/// Tells if a run of `scenario` draws random numbers: without any, every seed gives the same.
pub fn is_random(scenario: &Scenario) -> bool {
    let cell = &scenario.cell;
    let drawn = scenario.access.backoff == Backoff::Random || scenario.radio.rate == RateControl::Minstrel;
    drawn || cell.stations > 1 || cell.is_lossy() || secondary(scenario).is_some()
}
