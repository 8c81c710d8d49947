//! The part that a chip with an `sdkconfig` plays: ESP-hosted's host, its co-processor, or neither.

use airtime_link::config::Configuration;

/// Part of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Host of ESP-hosted, an ESP32-P4 for example.
    Host,
    /// Co-processor of ESP-hosted.
    Coprocessor,
    /// Chip with a radio of its own, whose Wi-Fi and Bluetooth cross no bus.
    Radio,
    /// Part that the file does not tell.
    Untold,
}

/// Beginnings of options that only a host of ESP-hosted has, but for those below: esp-hosted-mcu 2.11 and esp_wifi_remote 1.5, Kconfig.
const HOST: [&str; 5] =
    ["CONFIG_ESP_HOSTED_", "CONFIG_WIFI_RMT_", "CONFIG_SLAVE_", "CONFIG_ESP_WIFI_REMOTE_", "CONFIG_ESP_HOST_WIFI_"];

/// Beginnings of options that only a co-processor has: esp-hosted-mcu 2.11, slave/main, Kconfig.projbuild, .light_sleep and .openthread.
/// A host's `ESP_HOSTED_CP_TARGET_` says which co-processor it has.
const COPROCESSOR: [&str; 23] = [
    "CONFIG_ESP_HOSTED_ALLOW_FULL_APP_DESC",
    "CONFIG_ESP_HOSTED_BT_UART_",
    "CONFIG_ESP_HOSTED_COPROCESSOR",
    "CONFIG_ESP_HOSTED_CP_BT",
    "CONFIG_ESP_HOSTED_CP_WIFI",
    "CONFIG_ESP_HOSTED_DEFAULT_TASK_",
    "CONFIG_ESP_HOSTED_EXTRA_EXAMPLES",
    "CONFIG_ESP_HOSTED_FUNCTION_PROFILING",
    "CONFIG_ESP_HOSTED_HOST_RESERVED_",
    "CONFIG_ESP_HOSTED_LIGHT_SLEEP_",
    "CONFIG_ESP_HOSTED_LOG_RUNTIME_FREERTOS_STATS",
    "CONFIG_ESP_HOSTED_NETWORK_SPLIT_WIFI_AUTO_MGMT",
    "CONFIG_ESP_HOSTED_OT_NETIF_QUEUE_SIZE",
    "CONFIG_ESP_HOSTED_OT_RCP_ENABLED",
    "CONFIG_ESP_HOSTED_OT_TASK_QUEUE_SIZE",
    "CONFIG_ESP_HOSTED_OT_UART_PIN_",
    "CONFIG_ESP_HOSTED_REUSE_WIFI_STA_DEF_NETIF_INSTANCE",
    "CONFIG_ESP_HOSTED_UNLOAD_BUS_DRIVER_DURING_HOST_SLEEP",
    "CONFIG_ESP_HOSTED_USE_EXAMPLE_WIFI_PRE_PROVISION_CONFIG",
    "CONFIG_ESP_HOSTED_WIFI_AUTO_CONNECT_ON_STA_DISCONNECT",
    "CONFIG_ESP_HOSTED_WIFI_AUTO_RECONNECT_MAX_RETRY",
    "CONFIG_ESP_HOSTED_WIFI_TX_RETRY_ENABLED",
    "CONFIG_ESP_HOST_DEV_BOARD_",
];

/// Beginnings of options that both have: they tell that there is ESP-hosted, and with nothing else a file is judged as a host's.
const EITHER: [&str; 13] = [
    "CONFIG_ESP_HOSTED_CLI_",
    "CONFIG_ESP_HOSTED_CP_EXT_COEX",
    "CONFIG_ESP_HOSTED_ENABLE_GPIO_EXPANDER",
    "CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER",
    "CONFIG_ESP_HOSTED_HOST_DEEP_SLEEP_ALLOWED",
    "CONFIG_ESP_HOSTED_HOST_POWER_SAVE_ENABLED",
    "CONFIG_ESP_HOSTED_HOST_WAKEUP_GPIO",
    "CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS",
    "CONFIG_ESP_HOSTED_MEM_MONITOR",
    "CONFIG_ESP_HOSTED_NETWORK_SPLIT_ENABLED",
    "CONFIG_ESP_HOSTED_OT_",
    "CONFIG_ESP_HOSTED_USE_MEMPOOL",
    "CONFIG_ESP_HOSTED_WIFI_AUTO_CONNECT_ON_STA_START",
];

/// Beginnings of the same, of its side of each bus: `ESP_SDIO_TX_Q_SIZE`, `ESP_SPI_HOST_INTERFACE`.
const BUSES: [&str; 4] = ["CONFIG_ESP_SDIO_", "CONFIG_ESP_SPI_HOST_", "CONFIG_ESP_SPI_HD_", "CONFIG_ESP_UART_HOST_"];

/// Beginnings of options of a radio: its controllers, the hosts above them, and what the names of both were once.
const RADIO: [&str; 5] = ["CONFIG_BT_", "CONFIG_BTDM_", "CONFIG_NIMBLE_", "CONFIG_BLUEDROID_", "CONFIG_ESP32_WIFI_"];

/// Beginnings of options of an Ethernet: esp-idf v5.5.1, components/esp_eth/Kconfig, and the examples' own.
const ETHERNET: [&str; 3] = ["CONFIG_ETH_", "CONFIG_ETHERNET_", "CONFIG_EXAMPLE_USE_INTERNAL_ETHERNET"];

/// Chips of ESP-IDF without Wi-Fi. components/soc, soc_caps.h: no `SOC_WIFI_SUPPORTED`.
const WITHOUT_WIFI: [&str; 4] = ["esp32p4", "esp32h2", "esp32h4", "esp32h21"];

/// Tells if a name has one of these beginnings.
fn begins(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// Names of what `config` builds in. What is left out tells nothing of a part: a whole sdkconfig names most of what it does not have.
fn built_in(config: &Configuration) -> impl Iterator<Item = &str> {
    config.settings().iter().filter(|setting| setting.value != "n").map(|setting| setting.name.as_str())
}

/// Tells if a name is one that a host alone has.
fn is_host(name: &str) -> bool {
    begins(name, &HOST) && !begins(name, &COPROCESSOR) && !begins(name, &EITHER)
}

/// Part of the chip that `config` is built for.
///
/// A target alone tells nothing of a chip that has both; a line does.
pub fn role(config: &Configuration) -> Role {
    let any = |beginnings: &[&str]| built_in(config).any(|name| begins(name, beginnings));
    let of_host = built_in(config).any(is_host);
    let stack = ["CONFIG_LWIP_", "CONFIG_ESP_WIFI_"];
    match config.target() {
        // An ESP32-P4 with an Ethernet of its own, and nothing of ESP-hosted.
        Some("esp32p4") if any(&ETHERNET) && !any(&HOST) => Role::Untold,
        Some("esp32p4") => Role::Host,
        _ if any(&COPROCESSOR) || any(&BUSES) => Role::Coprocessor,
        _ if of_host => Role::Host,
        Some(_) => Role::Radio,
        None if any(&RADIO) => Role::Radio,
        None if any(&EITHER) => Role::Host,
        // A stack alone, or Wi-Fi without a target: what a host's file has that leaves the rest to others.
        None if config.settings().iter().any(|setting| begins(&setting.name, &stack)) => Role::Host,
        None => Role::Untold,
    }
}

/// Tells if a host has no Wi-Fi of its own, where a `CONFIG_ESP_WIFI_*` line has no prompt and follows the remote one: esp_wifi_remote, only
/// inside `if !ESP_WIFI_ENABLED`. Without a target a line of ESP-hosted tells it.
pub fn has_no_wifi(config: &Configuration) -> bool {
    match config.target() {
        Some(target) => WITHOUT_WIFI.contains(&target) && !config.on("CONFIG_ESP_HOST_WIFI_ENABLED"),
        None => built_in(config).any(is_host),
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::format;

    use super::*;

    /// First block of esp-hosted-mcu, docs/performance_optimization.md, section 1, as far as it tells a part: a host's.
    const QUICK_START: &str = "\
CONFIG_SLAVE_IDF_TARGET_ESP32C6=y
CONFIG_ESP_HOSTED_CP_TARGET_ESP32C6=y
CONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM=16
CONFIG_WIFI_RMT_TX_BA_WIN=32
CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534
";

    #[test]
    fn a_line_of_either_part_tells_of_no_missing_wifi() {
        let of = |text: &str| has_no_wifi(&Configuration::parse("sdkconfig", text).unwrap());
        assert!(!of("CONFIG_ESP_HOSTED_CLI_ENABLED=y\nCONFIG_ESP_WIFI_DYNAMIC_RX_BUFFER_NUM=64\n"));
        assert!(of("CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=20\n"));
        let named = |name: &str| Configuration::parse(name, "").unwrap().named().map(str::to_owned);
        assert_eq!(named("sdkconfig.defaults.esp32-c3").as_deref(), Some("esp32c3"));
        assert_eq!(named("sdkconfig.defaults.esp32-c61_eth").as_deref(), Some("esp32c61"));
    }

    #[test]
    fn a_file_tells_its_part() {
        let of = |name: &str, text: &str| role(&Configuration::parse(name, text).unwrap());
        let c6 = "CONFIG_IDF_TARGET=\"esp32c6\"\n";
        for (name, text, part) in [
            ("sdkconfig", "CONFIG_IDF_TARGET=\"esp32p4\"\nCONFIG_BT_NIMBLE_ENABLED=y\n", Role::Host),
            ("sdkconfig", "CONFIG_IDF_TARGET=\"esp32s3\"\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Radio),
            ("sdkconfig", "CONFIG_IDF_TARGET=\"esp32s3\"\nCONFIG_WIFI_RMT_RX_BA_WIN=6\n", Role::Host),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_SDIO_HOST_INTERFACE=y\n"), Role::Coprocessor),
            ("sdkconfig", &format!("{c6}# CONFIG_ESP_HOSTED_ENABLED is not set\n"), Role::Radio),
            ("sdkconfig", "CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=20\n", Role::Host),
            ("sdkconfig.defaults", "CONFIG_BT_ENABLED=y\nCONFIG_BT_NIMBLE_ENABLED=y\n", Role::Radio),
            ("sdkconfig.defaults", "CONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Host),
            ("a/sdkconfig.defaults.esp32c3", "CONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Radio),
            ("a/sdkconfig.defaults.esp32p4", "CONFIG_FREERTOS_HZ=1000\n", Role::Host),
            ("sdkconfig.defaults", "CONFIG_FREERTOS_HZ=1000\n", Role::Untold),
            ("sdkconfig", &format!("{c6}{QUICK_START}"), Role::Host),
            ("sdkconfig.defaults", QUICK_START, Role::Host),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_LIGHT_SLEEP_ENABLE=y\n"), Role::Coprocessor),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_OT_RCP_ENABLED=y\n"), Role::Coprocessor),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_CP_WIFI=y\n"), Role::Coprocessor),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_DEFAULT_TASK_PRIORITY=22\n"), Role::Coprocessor),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_BT_UART_PORT=1\n"), Role::Coprocessor),
            // Both have these.
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_CP_EXT_COEX=y\n"), Role::Radio),
            ("sdkconfig", &format!("{c6}CONFIG_ESP_HOSTED_OT_TRANSPORT_UART=y\n"), Role::Radio),
            ("sdkconfig", "CONFIG_ESP_HOSTED_CP_EXT_COEX=y\n", Role::Host),
            ("sdkconfig.defaults.esp32p4_eth", "CONFIG_FREERTOS_HZ=1000\n", Role::Host),
            ("sdkconfig.ci.default_ip101_esp32p4", "CONFIG_FREERTOS_HZ=1000\n", Role::Host),
            ("sdkconfig.defaults.esp32-c3", "CONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Radio),
            ("sdkconfig.defaults.esp32-p4-c6", "CONFIG_FREERTOS_HZ=1000\n", Role::Host),
            ("sdkconfig.ci.esp32p4", "CONFIG_ETHERNET_PHY_IP101=y\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Untold),
        ] {
            assert_eq!(of(name, text), part, "{name}: {text}");
        }
    }

    #[test]
    fn a_chip_with_wi_fi_reads_its_own_lines() {
        let of = |text: &str| has_no_wifi(&Configuration::parse("sdkconfig", text).unwrap());
        let target = |chip: &str| format!("CONFIG_IDF_TARGET=\"{chip}\"\n");
        assert!(["esp32p4", "esp32h2", "esp32h4"].iter().all(|chip| of(&target(chip))));
        assert!(!of(&format!("{}CONFIG_ESP_HOSTED_ENABLED=y\n", target("esp32s3"))));
        assert!(!of(&format!("{}CONFIG_ESP_HOST_WIFI_ENABLED=y\n", target("esp32p4"))));
        assert!(of("CONFIG_ESP_HOSTED_ENABLED=y\n") && !of("# CONFIG_ESP_HOSTED_ENABLED is not set\n"));
        assert!(!of("CONFIG_ESP_WIFI_DYNAMIC_RX_BUFFER_NUM=64\n"));
    }
}
