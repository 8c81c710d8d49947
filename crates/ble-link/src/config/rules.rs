//! Shortages of a chip's configuration, by rule: of the nRF5 SDK and of Mynewt.

use airtime_link::config::{Build, Configuration, Finding, Weight};

/// Octets of the longest data PDU. Core 6.0, Vol 6, Part B, 2.4.
const PDU: u64 = 251;
/// ATT MTU whose notifications fill it.
const ATT_MTU: u64 = 247;

const SDK: &str = "nRF5 SDK 17.1, config/sdk_config.h";
const SOFTDEVICE: &str = "S132/S140 API, ble_gap.h and ble_gatts.h";
const MYNEWT: &str = "apache/mynewt-nimble, syscfg.yml of host and controller";

/// Findings about `config`, in the order of its lines.
pub fn check(build: Build, config: &Configuration) -> Vec<Finding> {
    let sizes = match build {
        Build::SoftDevice => {
            [("NRF_SDH_BLE_GAP_DATA_LENGTH", PDU, SDK), ("NRF_SDH_BLE_GATT_MAX_MTU_SIZE", ATT_MTU, SDK)]
        }
        Build::Mynewt => [("BLE_LL_MAX_PKT_SIZE", PDU, MYNEWT), ("BLE_ATT_PREFERRED_MTU", ATT_MTU, MYNEWT)],
        Build::Esp | Build::Zephyr => return Vec::new(),
    };
    let mut findings = Vec::new();
    for (name, least, source) in sizes {
        let Some(now) = config.number(name).filter(|now| *now < least) else { continue };
        let says = match least {
            PDU => format!("{now} octets are the longest packet on the air, of {PDU} that are possible"),
            _ => format!("{now} octets are the ATT MTU, and a packet has room for {ATT_MTU}"),
        };
        let finding = Finding::about(config.get(name), name, Weight::Hazard, says, source);
        findings.push(Finding { advice: Some(line(build, name, least)), ..finding });
    }
    if build == Build::SoftDevice {
        findings.extend(events(config));
    }
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

/// The line of `build` that sets `name`.
fn line(build: Build, name: &str, value: u64) -> String {
    match build {
        Build::SoftDevice => format!("#define {name} {value}"),
        Build::Mynewt => format!("{name}: {value}"),
        Build::Esp | Build::Zephyr => format!("{name}={value}"),
    }
}

/// Notes about events, and about what is not in the file.
fn events(config: &Configuration) -> Vec<Finding> {
    let name = "NRF_SDH_BLE_GAP_EVENT_LENGTH";
    let Some(units) = config.number(name) else { return Vec::new() };
    let time = units as f64 * 1.25;
    let says = format!(
        "{time} ms of each interval are set aside for the connection, and an event ends there: what is longer than that of the interval is \
         left unused, unless the application extends events (sd_ble_opt_set with BLE_COMMON_OPT_CONN_EVT_EXT)"
    );
    let mut findings = vec![Finding::about(config.get(name), name, Weight::Note, says, SOFTDEVICE)];
    let queue = ["NRF_SDH_BLE_HVN_TX_QUEUE_SIZE", "BLE_GATTS_HVN_TX_QUEUE_SIZE"];
    if !queue.iter().any(|name| config.get(name).is_some()) {
        let says = "not in this file: unless the application sets hvn_tx_queue_size (sd_ble_cfg_set), one notification waits at a time; \
                    gatt.tx_buffers of a plan"
            .to_owned();
        findings.push(Finding::about(None, "hvn_tx_queue_size", Weight::Note, says, SOFTDEVICE));
    }
    findings
}
