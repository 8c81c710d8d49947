//! The device that an `sdkconfig` of ESP-IDF builds: a chip with a radio of its own, and the host on it.

use airtime_link::config::Configuration;

/// Chips of one controller, and their personalities under NimBLE and under Bluedroid.
///
/// esp-idf at 1021229, components/bt/controller: the Kconfig of the ESP32-S3 is that of the ESP32-C3; `SOC_ESP_NIMBLE_CONTROLLER` of
/// components/soc has the others.
pub const DEVICES: [(&[&str], [&str; 2]); 3] = [
    (&["esp32"], ["esp32-nimble", "esp32-bluedroid"]),
    (&["esp32c3", "esp32s3"], ["esp32c3-nimble", "esp32c3-bluedroid"]),
    (&["esp32c2", "esp32c5", "esp32c6", "esp32c61", "esp32h2"], ["esp32c6-nimble", "esp32c6-bluedroid"]),
];

/// Personality of the chip and the host that `config` builds; none where a chip is not told, or not known, or has no host of ESP-IDF.
pub fn device(config: &Configuration) -> Option<&'static str> {
    let chip = config.target()?;
    let (_, [nimble, bluedroid]) = DEVICES.iter().find(|(chips, _)| chips.contains(&chip))?;
    let on = |names: [&str; 2]| names.iter().any(|name| config.on(name));
    // The choice BT_HOST, whose default is Bluedroid; names without BT_ are those of ESP-IDF up to v4.0.
    if on(["CONFIG_BT_CONTROLLER_ONLY", "CONFIG_BTDM_CONTROLLER_HCI_MODE_UART_H4"]) {
        None
    } else if on(["CONFIG_BT_NIMBLE_ENABLED", "CONFIG_NIMBLE_ENABLED"]) {
        Some(nimble)
    } else {
        on(["CONFIG_BT_ENABLED", "CONFIG_BT_BLUEDROID_ENABLED"]).then_some(bluedroid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_its_chip_and_its_host() {
        let of = |name: &str, text: &str| device(&Configuration::parse(name, text).unwrap());
        for (name, text, expected) in [
            ("sdkconfig", "CONFIG_IDF_TARGET=\"esp32s3\"\nCONFIG_BT_NIMBLE_ENABLED=y\n", Some("esp32c3-nimble")),
            ("sdkconfig.defaults.esp32c3", "CONFIG_BT_ENABLED=y\n", Some("esp32c3-bluedroid")),
            ("sdkconfig.defaults.esp32", "CONFIG_NIMBLE_ENABLED=y\n", Some("esp32-nimble")),
            ("sdkconfig.defaults.esp32h2", "CONFIG_BT_BLUEDROID_ENABLED=y\n", Some("esp32c6-bluedroid")),
            ("sdkconfig.defaults.esp32c3", "CONFIG_BT_ENABLED=y\nCONFIG_BT_CONTROLLER_ONLY=y\n", None),
            ("sdkconfig.defaults.esp32c3", "CONFIG_FREERTOS_HZ=1000\n", None),
            ("sdkconfig.defaults", "CONFIG_BT_ENABLED=y\n", None),
            ("sdkconfig.defaults.esp32h4", "CONFIG_BT_ENABLED=y\n", None),
        ] {
            assert_eq!(of(name, text), expected, "{name}: {text}");
        }
    }
}
