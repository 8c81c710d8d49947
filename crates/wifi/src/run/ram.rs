//! RAM that the buffers of both chips take: the price of more of them.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use airtime_link::figures::Ram;
use airtime_net::traffic::Transport;

use crate::network::EXCHANGE;
use crate::plan::{Hosted, Scenario};

/// Blocks of the transport's pool beside those of its receive queue. esp-hosted-mcu 2.12.4: `rx_q + 11`.
const POOL_REST: u64 = 11;

/// A place of a mailbox is a pointer.
const POINTER: u64 = 4;

/// Chip that has the RAM.
#[derive(Clone, Copy)]
enum Where {
    Host,
    HostExternal,
    Coprocessor,
}

/// Every class of buffers of `scenario`, as many as may be in use at once; none for the air alone.
pub fn ram(scenario: &Scenario) -> Vec<Ram> {
    let Some(hosted) = scenario.chips() else { return Vec::new() };
    // The memory of a Linux host is nobody's concern here.
    let mut classes = if scenario.is_linux() { Vec::new() } else { host(scenario, hosted) };
    classes.extend(coprocessor(scenario, hosted));
    classes
}

fn host(scenario: &Scenario, hosted: &Hosted) -> Vec<Ram> {
    let (lwip, memory) = (&scenario.lwip, &scenario.chain.memory);
    let of = |class: &str, count: u64, each: u64, at: Where| entry(scenario, class, count, each, at);
    let block = block(scenario);
    let mut classes = vec![
        // The pool is allocated from DMA-capable internal RAM (esp-hosted-mcu Kconfig, `ESP_HOSTED_MEMPOOL_PREFER_SPIRAM` n).
        of("transport blocks to the co-processor", hosted.tx_queue().into(), block, Where::Host),
        of("transport blocks from the co-processor", u64::from(hosted.rx_queue) + POOL_REST, block, Where::Host),
    ];
    let flows = u64::from(scenario.traffic.flows);
    let mailboxes = |socket: u16| u64::from(lwip.tcpip_recvmbox) + flows * u64::from(socket);
    match scenario.traffic.transport() {
        // A heap with PSRAM gives large blocks from there (`SPIRAM_MALLOC_ALWAYSINTERNAL`, 16 KB), pbufs come from both.
        Transport::Tcp { .. } => {
            let (sends, receives) = (scenario.traffic.direction.sends(0), scenario.traffic.direction.receives(0));
            let segments = |octets: u32| u64::from(octets).div_ceil(lwip.mss.into());
            if sends {
                let count = flows * segments(lwip.snd_buf);
                classes.push(of("segments in send buffers of TCP", count, memory.pbuf, Where::HostExternal));
            }
            if receives {
                let count = flows * segments(lwip.wnd);
                classes.push(of("segments in receive windows of TCP", count, memory.pbuf, Where::HostExternal));
                let out_of_order = flows * u64::from(lwip.ooseq_max_pbufs);
                classes.push(of("segments of TCP out of order", out_of_order, memory.pbuf, Where::HostExternal));
            }
            classes.push(of("places of mailboxes", mailboxes(lwip.tcp_recvmbox), POINTER, Where::Host));
        }
        Transport::Udp { .. } => {
            classes.push(of("places of mailboxes", mailboxes(lwip.udp_recvmbox), POINTER, Where::Host));
            let waiting = flows * u64::from(lwip.udp_recvmbox);
            if scenario.traffic.direction.receives(0) {
                classes.push(of("datagrams that wait in mailboxes", waiting, memory.pbuf, Where::HostExternal));
            }
        }
    }
    classes
}

fn coprocessor(scenario: &Scenario, hosted: &Hosted) -> Vec<Ram> {
    let memory = &scenario.chain.memory;
    let of = |class: &str, count: u16, each: u64| entry(scenario, class, count.into(), each, Where::Coprocessor);
    let block = block(scenario);
    let bus = scenario.bus_name();
    vec![
        of(&format!("{bus} buffers from the host"), hosted.rx_buffers, block),
        of(&format!("{bus} buffers to the host"), hosted.tx_buffers(), block),
        of("static Wi-Fi receive buffers", hosted.wifi_static_rx, memory.wifi_buffer),
        of("dynamic Wi-Fi receive buffers", hosted.wifi_dynamic_rx, memory.wifi_buffer),
        of("dynamic Wi-Fi transmit buffers", hosted.wifi_tx_buffers, memory.wifi_buffer),
    ]
}

/// Octets of a buffer of the bus: a transaction of SPI has its own.
fn block(scenario: &Scenario) -> u64 {
    if scenario.bus_name() == "SPI" { EXCHANGE.into() } else { scenario.chain.memory.transport_block }
}

fn entry(scenario: &Scenario, class: &str, count: u64, each: u64, at: Where) -> Ram {
    let memory = &scenario.chain.memory;
    let (chip, kind, of) = match at {
        Where::Host => ("host", "internal", memory.host_internal),
        Where::HostExternal => ("host", "external", memory.host_external),
        Where::Coprocessor => ("co-processor", "internal", memory.coprocessor),
    };
    Ram { chip: chip.into(), class: class.into(), count, each, octets: count * each, memory: kind.into(), of }
}
