//! Wi-Fi of the co-processor, and who has a say in it.

use super::about;
use crate::sdkconfig::finding::{Finding, Weight};
use crate::sdkconfig::parse::Sdkconfig;

const MERGED: &str = "esp-hosted-mcu, slave/main/slave_control.c, get_merged_init_config";

pub fn transmit_window(config: &Sdkconfig, findings: &mut Vec<Finding>) {
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

pub fn receive_window(config: &Sdkconfig, findings: &mut Vec<Finding>) {
    for prefix in ["CONFIG_WIFI_RMT", "CONFIG_ESP_WIFI"] {
        let name = format!("{prefix}_RX_BA_WIN");
        let Some(window) = config.number(&name) else { continue };
        let fixed = config.number(&format!("{prefix}_STATIC_RX_BUFFER_NUM")).unwrap_or(10);
        let dynamic = config.number(&format!("{prefix}_DYNAMIC_RX_BUFFER_NUM")).unwrap_or(32);
        let most = (2 * fixed).min(if dynamic == 0 { u64::MAX } else { dynamic });
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

/// Tells if a configuration is a co-processor's: by its target, or by what only its project has.
pub fn coprocessor(config: &Sdkconfig) -> bool {
    let target = config.get("CONFIG_IDF_TARGET").is_some_and(|setting| setting.value != "esp32p4");
    target || config.on("CONFIG_ESP_HOSTED_COPROCESSOR") || config.on("CONFIG_ESP_SDIO_HOST_INTERFACE")
}

pub fn overridden(config: &Sdkconfig, findings: &mut Vec<Finding>) {
    for part in ["RX_BA_WIN", "STATIC_RX_BUFFER_NUM", "DYNAMIC_RX_BUFFER_NUM", "DYNAMIC_TX_BUFFER_NUM"] {
        let (name, remote) = (format!("CONFIG_ESP_WIFI_{part}"), format!("CONFIG_WIFI_RMT_{part}"));
        let Some(setting) = config.get(&name) else { continue };
        let value = setting.value.clone();
        let says = if coprocessor(config) {
            format!(
                "without effect here: the host's WifiInit overrides it when the host starts; {remote} of the host counts"
            )
        } else if config.get(&remote).is_none() {
            format!("this chip has no Wi-Fi of its own: {remote} is what the co-processor gets")
        } else {
            continue;
        };
        findings.push(about(config, &name, Weight::Note, says, MERGED).advise(format!("{remote}={value}")));
    }
}
