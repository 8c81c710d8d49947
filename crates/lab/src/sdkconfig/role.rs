//! The part that a chip with an `sdkconfig` plays: ESP-hosted's host, its co-processor, or neither.

use super::parse::Sdkconfig;

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

/// Beginnings of options that only a host of ESP-hosted has: esp-hosted-mcu 2.11 and esp_wifi_remote 1.5, Kconfig.
const HOST: [&str; 5] =
    ["CONFIG_ESP_HOSTED_", "CONFIG_WIFI_RMT_", "CONFIG_SLAVE_", "CONFIG_ESP_WIFI_REMOTE_", "CONFIG_ESP_HOST_WIFI_"];

/// Options that only a co-processor has: esp-hosted-mcu, slave/main/Kconfig.projbuild.
const COPROCESSOR: [&str; 4] = [
    "CONFIG_ESP_HOSTED_COPROCESSOR",
    "CONFIG_ESP_HOSTED_CP_",
    "CONFIG_ESP_HOST_DEV_BOARD_",
    "CONFIG_ESP_HOSTED_WIFI_TX_RETRY_ENABLED",
];

/// Beginnings of the same, of its side of each bus: `ESP_SDIO_TX_Q_SIZE`, `ESP_SPI_HOST_INTERFACE`.
const BUSES: [&str; 4] = ["CONFIG_ESP_SDIO_", "CONFIG_ESP_SPI_HOST_", "CONFIG_ESP_SPI_HD_", "CONFIG_ESP_UART_HOST_"];

/// Beginnings of options of a radio: its controllers, the hosts above them, and what the names of both were once.
const RADIO: [&str; 5] = ["CONFIG_BT_", "CONFIG_BTDM_", "CONFIG_NIMBLE_", "CONFIG_BLUEDROID_", "CONFIG_ESP32_WIFI_"];

/// Beginnings of options of an Ethernet: esp-idf v5.5.1, components/esp_eth/Kconfig, and the examples' own.
const ETHERNET: [&str; 3] = ["CONFIG_ETH_", "CONFIG_ETHERNET_", "CONFIG_EXAMPLE_USE_INTERNAL_ETHERNET"];

/// Part of the chip that `config` is built for.
///
/// A target alone tells nothing of a chip that has both; a line does.
pub fn role(config: &Sdkconfig) -> Role {
    let begins = |name: &str, beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
    // What is left out tells nothing of a part: a whole sdkconfig names most of what it does not have.
    let set = || config.settings().iter().filter(|setting| setting.value != "n");
    let any = |beginnings: &[&str]| set().any(|setting| begins(&setting.name, beginnings));
    let stack = ["CONFIG_LWIP_", "CONFIG_ESP_WIFI_"];
    match target(config) {
        // An ESP32-P4 with an Ethernet of its own, and nothing of ESP-hosted.
        Some("esp32p4") if any(&ETHERNET) && !any(&HOST) => Role::Untold,
        Some("esp32p4") => Role::Host,
        _ if any(&COPROCESSOR) || any(&BUSES) => Role::Coprocessor,
        _ if any(&HOST) => Role::Host,
        Some(_) => Role::Radio,
        None if any(&RADIO) => Role::Radio,
        // A stack alone, or Wi-Fi without a target: what a host's file has that leaves the rest to others.
        None if config.settings().iter().any(|setting| begins(&setting.name, &stack)) => Role::Host,
        None => Role::Untold,
    }
}

/// Chip that `config` is for: its own line, or the end of the file's name.
pub fn target(config: &Sdkconfig) -> Option<&str> {
    let said = config.get("CONFIG_IDF_TARGET").map(|setting| setting.value.as_str());
    said.or_else(|| config.named()).filter(|target| !target.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_its_part() {
        let of = |name: &str, text: &str| role(&Sdkconfig::parse(name, text).unwrap());
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
            ("sdkconfig.ci.esp32p4", "CONFIG_ETHERNET_PHY_IP101=y\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\n", Role::Untold),
        ] {
            assert_eq!(of(name, text), part, "{name}: {text}");
        }
    }
}
