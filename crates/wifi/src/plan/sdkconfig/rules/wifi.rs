//! Wi-Fi of the co-processor, and who has a say in it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use airtime_keys::Key;
use airtime_link::config::{Configuration, Finding, Setting, Weight, number};

use super::about;
use crate::plan::Hosted;
use crate::plan::sdkconfig::defaults::{default, unmet};
use crate::plan::sdkconfig::role::{Role, has_no_wifi, role};

const MERGED: &str = "esp-hosted-mcu, slave/main, get_merged_init_config";
const REMOTE: &str = "esp_wifi_remote 1.5.1, idf_tag_v5.5.1/Kconfig.wifi.in";

pub fn transmit_window(config: &Configuration, findings: &mut Vec<Finding>) {
    for name in ["CONFIG_WIFI_RMT_TX_BA_WIN", "CONFIG_ESP_WIFI_TX_BA_WIN"] {
        if config.get(name).is_some() {
            let says =
                "nothing reads it since esp-idf fa9a5c0be59 (2020): the window is what the peer grants in its ADDBA \
                        response"
                    .to_owned();
            findings.push(about(
                config,
                name,
                Weight::Note,
                says,
                "ESP-IDF v5.5.1: the symbol is in Kconfig files only",
            ));
        }
    }
}

pub fn receive_window(config: &Configuration, findings: &mut Vec<Finding>) {
    // The co-processor's own value is overridden, and checked while it is built all the same.
    let own = role(config) == Role::Coprocessor;
    for prefix in ["CONFIG_WIFI_RMT", "CONFIG_ESP_WIFI"].into_iter().filter(|prefix| own || prefix.ends_with("RMT")) {
        let name = format!("{prefix}_RX_BA_WIN");
        let Some(window) = config.number(&name) else { continue };
        // The co-processor's own options have the defaults of the host's.
        let count = |part: &str| config.number(&format!("{prefix}_{part}")).or_else(|| without(config, part));
        let Some((fixed, dynamic)) = count("STATIC_RX_BUFFER_NUM").zip(count("DYNAMIC_RX_BUFFER_NUM")) else {
            continue;
        };
        let most = fixed.saturating_mul(2).min(if dynamic == 0 { u64::MAX } else { dynamic });
        if window > most {
            let says = format!(
                "a window of {window} is more than the buffers carry: at most twice the {fixed} static ones, and no more than the \
                 {dynamic} dynamic ones"
            );
            let source = "ESP-IDF v5.5.1, components/esp_wifi/src/wifi_init.c";
            findings.push(about(config, &name, Weight::Hazard, says, source).advise(format!("{name}={most}")));
        }
    }
}

/// Fewer buffers than a window of TCP brings at a time.
pub fn receive_buffers(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM";
    let window = config.number("CONFIG_LWIP_TCP_WND_DEFAULT").unwrap_or(0);
    let segments = window / config.number("CONFIG_LWIP_TCP_MSS").unwrap_or(1_440).max(1);
    let Some(count) = config.number(name).or_else(|| without(config, "DYNAMIC_RX_BUFFER_NUM")) else { return };
    let dead = config.get(name).is_none() && config.get("CONFIG_ESP_WIFI_DYNAMIC_RX_BUFFER_NUM").is_some();
    if role(config) != Role::Host || dead || count == 0 || count >= segments || segments > 128 {
        return;
    }
    let says = format!(
        "{count} buffers hold what waits for the bus at the co-processor, and a window of {window} octets brings up to {segments} segments at \
         a time: what does not fit is lost"
    );
    let finding = about(config, name, Weight::Note, says, REMOTE).advise(format!("{name}=64"));
    findings.push(finding.shown_by(&[(Hosted::WIFI_DYNAMIC_RX.name, "64")]));
}

/// Buffers that a host asks its co-processor for: part of the option's name, and key.
const ASKED: [(&str, &Key); 3] = [
    ("STATIC_RX_BUFFER_NUM", Hosted::WIFI_STATIC_RX),
    ("DYNAMIC_RX_BUFFER_NUM", Hosted::WIFI_DYNAMIC_RX),
    ("DYNAMIC_TX_BUFFER_NUM", Hosted::WIFI_TX_BUFFERS),
];

/// Most of them, where transmit buffers are static: range of `WIFI_RMT_STATIC_TX_BUFFER_NUM`.
const STATIC_TX_MAX: u64 = 64;

/// Number that the host's option with this part in its name has without a line.
fn without(config: &Configuration, part: &str) -> Option<u64> {
    default(config, &format!("CONFIG_WIFI_RMT_{part}")).and_then(number)
}

pub fn overridden(config: &Configuration, findings: &mut Vec<Finding>) {
    for part in ["RX_BA_WIN", "STATIC_RX_BUFFER_NUM", "DYNAMIC_RX_BUFFER_NUM", "DYNAMIC_TX_BUFFER_NUM"] {
        let (name, remote) = (format!("CONFIG_ESP_WIFI_{part}"), format!("CONFIG_WIFI_RMT_{part}"));
        let Some(setting) = config.get(&name) else { continue };
        if role(config) == Role::Coprocessor {
            let says = format!(
                "without effect here: the host's WifiInit overrides it when the host starts; {remote} of the host counts"
            );
            let line = format!("{remote}={}", setting.value);
            findings.push(about(config, &name, Weight::Note, says, MERGED).advise(line));
        } else if config.get(&remote).is_none() && has_no_wifi(config) {
            findings.push(dead(config, setting, part));
        } else if config.get(&remote).is_none() {
            let says =
                format!("of Wi-Fi of this chip itself, if it has one; a co-processor of ESP-hosted gets {remote}");
            findings.push(about(config, &name, Weight::Note, says, REMOTE));
        }
    }
}

/// A line that its author believes in: the co-processor gets the default of the other name. More buffers than that were wanted, and are
/// missing.
fn dead(config: &Configuration, setting: &Setting, part: &str) -> Finding {
    let asked = ASKED.iter().find(|(asked, _)| *asked == part);
    // Where dynamic transmit buffers cannot be chosen the static ones count, of which there are fewer.
    let fixed = unmet(config, &format!("CONFIG_WIFI_RMT_{part}"));
    let (remote, most) = if fixed { ("STATIC_TX_BUFFER_NUM", STATIC_TX_MAX) } else { (part, u64::MAX) };
    let built = without(config, remote);
    let more = asked.filter(|_| setting.number().zip(built).is_some_and(|(wanted, built)| wanted.min(most) > built));
    let wanted = setting.number().map_or_else(|| setting.value.clone(), |wanted| wanted.min(most).to_string());
    let remote = format!("CONFIG_WIFI_RMT_{remote}");
    let gets = built.map_or_else(|| "the default".to_owned(), |built| format!("{built} of the default"));
    let says = format!(
        "dead on a host without Wi-Fi of its own, where the name has no prompt and follows {remote}: the co-processor gets {gets}"
    );
    let finding = match more {
        Some((_, key)) => {
            about(config, &setting.name, Weight::Hazard, says, REMOTE).shown_by(&[(key.name, wanted.as_str())])
        }
        None => about(config, &setting.name, Weight::Note, says, REMOTE),
    };
    finding.advise(format!("{remote}={wanted}"))
}
