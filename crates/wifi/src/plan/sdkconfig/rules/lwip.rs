//! TCP/IP on the host.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use airtime_link::config::{Configuration, Finding, Weight};

use super::about;
use crate::plan::Lwip;

const KCONFIG: &str = "ESP-IDF v5.5.1, components/lwip/Kconfig";
const TIMERS: &str = "esp-lwip, src/core/tcp.c and tcp_in.c: rto = RTO_TIME / 500 in ticks of the slow timer";

/// Defaults that ESP-IDF sets when a file does not: `LWIP_TCP_SND_BUF_DEFAULT`, `LWIP_TCP_WND_DEFAULT`, `LWIP_TCP_MSS`.
const WINDOW: u64 = 5_760;
const MSS: u64 = 1_440;
/// Range of `LWIP_TCP_MSS`.
const MSS_MIN: u64 = 536;
const MSS_MAX: u64 = 1_460;
/// Largest `LWIP_TCP_RECVMBOX_SIZE`, without and with window scaling.
const MAILBOX: u64 = 64;
const MAILBOX_SCALED: u64 = 1_024;

pub fn rto_time(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_TCP_RTO_TIME";
    let Some(time) = config.number(name).filter(|time| *time < 1_000) else { return };
    let says = format!(
        "{time} ms are {} ticks of 500 ms: every tick with data in flight is a retransmission timeout, and the congestion window \
         falls to one segment twice a second",
        time / 500
    );
    let finding = about(config, name, Weight::Hazard, says, TIMERS);
    findings.push(finding.advise("CONFIG_LWIP_TCP_RTO_TIME=1500").shown_by(&[(Lwip::RTO_TIME.name, "1500ms")]));
}

pub fn small_windows(config: &Configuration, findings: &mut Vec<Finding>) {
    for (name, shown, what) in [
        ("CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Some(Lwip::SND_BUF), "sends"),
        ("CONFIG_LWIP_TCP_WND_DEFAULT", None, "receives"),
    ] {
        let octets = config.number(name).unwrap_or(WINDOW);
        if octets >= 4 * WINDOW {
            continue;
        }
        let says = format!(
            "{octets} octets per round trip is all that a connection {what}: {} Mbit/s at 3 ms; SO_SNDBUF and SO_RCVBUF of a \
             socket do not change it",
            octets * 8 / 3_000
        );
        let finding = about(config, name, Weight::Hazard, says, KCONFIG).advise(format!("{name}=65534"));
        findings.push(match shown {
            Some(key) => finding.shown_by(&[(key.name, "65534")]),
            None => finding,
        });
    }
}

pub fn unscaled_windows(config: &Configuration, findings: &mut Vec<Finding>) {
    for name in ["CONFIG_LWIP_TCP_SND_BUF_DEFAULT", "CONFIG_LWIP_TCP_WND_DEFAULT"] {
        let Some(octets) = config.number(name).filter(|octets| *octets > 65_535) else { continue };
        if config.on("CONFIG_LWIP_WND_SCALE") {
            continue;
        }
        let says =
            format!("{octets} octets need window scaling, and CONFIG_LWIP_WND_SCALE is not set: Kconfig allows 65535");
        findings.push(about(config, name, Weight::Hazard, says, KCONFIG).advise(format!("{name}=65534")));
    }
}

pub fn tcp_mailbox(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_TCP_RECVMBOX_SIZE";
    let window_name = "CONFIG_LWIP_TCP_WND_DEFAULT";
    let window = config.number(window_name).unwrap_or(WINDOW);
    let mss = config.number("CONFIG_LWIP_TCP_MSS").unwrap_or(MSS).clamp(MSS_MIN, MSS_MAX);
    let needs = window / mss + 2;
    let size = config.number(name).unwrap_or(6);
    let most = if config.on("CONFIG_LWIP_WND_SCALE") { MAILBOX_SCALED } else { MAILBOX };
    if needs > most {
        let says = format!(
            "a window of {window} octets brings up to {needs} segments of {mss}, and no mailbox takes more than {most}: what does not fit is lost"
        );
        let fits = (most - 2) * mss;
        findings
            .push(about(config, window_name, Weight::Hazard, says, KCONFIG).advise(format!("{window_name}={fits}")));
    }
    if size < needs.min(most) {
        let says =
            format!("{size} segments fit, and a window of {window} octets brings {needs}: what does not fit is lost");
        findings.push(about(config, name, Weight::Hazard, says, KCONFIG).advise(format!("{name}={}", needs.min(most))));
    }
}

pub fn udp_mailbox(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_UDP_RECVMBOX_SIZE";
    let size = config.number(name).unwrap_or(6);
    if size < 32 {
        let says =
            format!("{size} datagrams fit: a burst of one A-MPDU brings up to 32, and what does not fit is lost");
        findings.push(about(config, name, Weight::Note, says, KCONFIG).advise(format!("{name}=64")));
    }
}

pub fn core_locking(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_TCPIP_CORE_LOCKING";
    if config.on(name) {
        return;
    }
    let says = "every call of a socket waits for the TCP/IP task: a switch of tasks and a message each".to_owned();
    let finding = about(config, name, Weight::Note, says, KCONFIG).advise(format!("{name}=y"));
    findings.push(finding.shown_by(&[(Lwip::CORE_LOCKING.name, "true")]));
}

pub fn selective_acknowledgements(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_TCP_SACK_OUT";
    if config.on(name) {
        let says =
            "lwIP writes SACK as a receiver and ignores it as a sender: what this side sends is not helped".to_owned();
        findings.push(about(config, name, Weight::Note, says, "esp-lwip, src/core/tcp_out.c"));
    }
}

pub fn priority(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_LWIP_TCPIP_TASK_PRIO";
    let Some(priority) = config.number(name).filter(|priority| *priority != 18) else { return };
    let says = format!(
        "the TCP/IP task has priority {priority}: above the SDIO tasks (23) it delays them, below an application's it waits for it; \
         network tasks of an application belong below it"
    );
    let source = "ESP-IDF v5.5.1, docs/en/api-guides/performance/speed.rst";
    findings.push(about(config, name, Weight::Note, says, source).advise(format!("{name}=18")));
}
