//! The rules, one function each.

mod hosted;
mod lwip;
mod wifi;

use alloc::string::String;
use alloc::vec::Vec;

use airtime_link::config::{Configuration, Finding, Weight};

use super::role::{Role, has_no_wifi, role};

/// Options that rules read besides those of the table: what may be misspelt.
pub const READ: &[&str] = &[
    "CONFIG_IDF_TARGET",
    "CONFIG_LWIP_WND_SCALE",
    "CONFIG_LWIP_TCPIP_TASK_PRIO",
    "CONFIG_WIFI_RMT_TX_BA_WIN",
    "CONFIG_ESP_WIFI_TX_BA_WIN",
    "CONFIG_ESP_WIFI_RX_BA_WIN",
    "CONFIG_ESP_WIFI_STATIC_RX_BUFFER_NUM",
    "CONFIG_ESP_WIFI_STATIC_TX_BUFFER_NUM",
    "CONFIG_ESP_WIFI_DYNAMIC_RX_BUFFER_NUM",
    "CONFIG_ESP_WIFI_DYNAMIC_TX_BUFFER_NUM",
];

/// A rule: a configuration in, findings out.
type Rule = fn(&Configuration, &mut Vec<Finding>);

/// Rules about a host's own stack: a co-processor's sees no packet of the stream.
const STACK: &[Rule] = &[
    lwip::rto_time,
    lwip::small_windows,
    lwip::unscaled_windows,
    lwip::tcp_mailbox,
    lwip::udp_mailbox,
    lwip::core_locking,
    lwip::selective_acknowledgements,
    lwip::priority,
];

/// Rules about either side of the bus.
const BUS: &[Rule] = &[
    wifi::transmit_window,
    wifi::receive_window,
    wifi::receive_buffers,
    wifi::overridden,
    hosted::clock,
    hosted::lines,
    hosted::packet_mode,
    hosted::queues,
    hosted::raw_frames,
];

/// Findings of all rules.
pub fn apply(config: &Configuration) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rules: &[&[Rule]] = match role(config) {
        Role::Host if is_about_traffic(config) => &[STACK, BUS],
        Role::Host => &[BUS],
        Role::Coprocessor => &[BUS],
        Role::Radio | Role::Untold => &[],
    };
    rules.iter().copied().flatten().for_each(|rule| rule(config, &mut findings));
    findings
}

/// Tells if a host's file is about its stack or its Wi-Fi: a file that is about neither, but Bluetooth or a board, leaves them to others, and
/// what it lacks tells nothing. Lines of Wi-Fi of a chip that may have its own are no host's.
fn is_about_traffic(config: &Configuration) -> bool {
    let beginnings = ["CONFIG_LWIP_", "CONFIG_WIFI_RMT_", "CONFIG_ESP_HOSTED_SDIO_"];
    let own = has_no_wifi(config).then_some("CONFIG_ESP_WIFI_");
    let begins = |name: &str| beginnings.into_iter().chain(own).any(|beginning| name.starts_with(beginning));
    // The remote component's own switch is in every host's file.
    let others = |name: &str| !name.starts_with("CONFIG_ESP_WIFI_REMOTE_");
    config.settings().iter().any(|setting| begins(&setting.name) && others(&setting.name))
}

/// A finding about the line that sets `name`; about its absence when there is none.
fn about(config: &Configuration, name: &str, weight: Weight, says: String, source: &'static str) -> Finding {
    Finding::about(config.get(name), name, weight, says, source)
}
