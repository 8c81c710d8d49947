//! Build systems: options of ESP-IDF and of Zephyr look alike, and each means nothing to the other.

use airtime_keys::config::Side;

use super::Setting;

/// Beginnings of options that only ESP-IDF has: esp-idf v5.5.1, its components' Kconfig; esp-hosted-mcu and esp_wifi_remote.
const ESP: [&str; 14] = [
    "IDF_",
    "LWIP_",
    "ESP_",
    "ESP32",
    "ESPTOOLPY_",
    "FREERTOS_",
    "WIFI_RMT_",
    "SLAVE_",
    "SPIRAM",
    "PARTITION_TABLE_",
    "BT_NIMBLE_",
    "BT_BLUEDROID_",
    "BT_CONTROLLER_",
    "BT_LE_",
];

/// Beginnings of options that only Zephyr and the nRF Connect SDK have: zephyr v4.2, subsys/bluetooth; sdk-nrf.
const ZEPHYR: [&str; 14] = [
    "BT_CTLR_",
    "BT_BUF_",
    "BT_L2CAP_TX_",
    "BT_CONN_TX_",
    "BT_ATT_TX_",
    "BT_PERIPHERAL",
    "BT_CENTRAL",
    "BT_DEVICE_NAME",
    "BT_LL_",
    "BT_HCI",
    "BT_MAX_CONN",
    "MPSL",
    "NCS_",
    "ZEPHYR_",
];

/// Build system that a file configures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// ESP-IDF: an `sdkconfig`.
    Esp,
    /// Zephyr: a `prj.conf`.
    Zephyr,
    /// The nRF5 SDK: an `sdk_config.h`.
    SoftDevice,
    /// Mynewt: a `syscfg.yml`.
    Mynewt,
}

impl Build {
    /// Tells if an image of `side` is built so.
    pub const fn is_of(self, side: Side) -> bool {
        match self {
            Self::Esp => matches!(side, Side::Host | Side::Coprocessor | Side::Radio),
            Self::Zephyr => matches!(side, Side::Zephyr),
            Self::SoftDevice => matches!(side, Side::SoftDevice),
            Self::Mynewt => matches!(side, Side::Mynewt),
        }
    }

    /// Tells if the name of `line` begins as only options of this build do.
    pub fn begins(self, line: &Setting) -> bool {
        let bare = line.name.strip_prefix("CONFIG_").unwrap_or(&line.name);
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| bare.starts_with(beginning));
        match self {
            Self::Esp => begins(&ESP),
            Self::Zephyr => begins(&ZEPHYR),
            Self::SoftDevice | Self::Mynewt => false,
        }
    }

    /// The build whose files have a name like this; none where it tells nothing.
    pub fn named(file: &str) -> Option<Self> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let zephyr = name.ends_with(".conf").then_some(Self::Zephyr);
        zephyr.or_else(|| name.starts_with("sdkconfig").then_some(Self::Esp))
    }

    /// Noun of such a file with its article, for sentences.
    pub const fn article(self) -> &'static str {
        match self {
            Self::Esp => "an sdkconfig of ESP-IDF",
            Self::Zephyr => "a prj.conf of Zephyr",
            Self::SoftDevice => "an sdk_config.h of the nRF5 SDK",
            Self::Mynewt => "a syscfg.yml of Mynewt",
        }
    }

    /// Owner of such an option, for sentences.
    pub const fn whose(self) -> &'static str {
        match self {
            Self::Esp => "ESP-IDF's",
            Self::Zephyr => "Zephyr's",
            Self::SoftDevice => "the nRF5 SDK's",
            Self::Mynewt => "Mynewt's",
        }
    }

    /// Option of the command line that takes its file.
    pub const fn argument(self) -> &'static str {
        match self {
            Self::Esp => "--sdkconfig",
            Self::Zephyr => "--prj-conf",
            Self::SoftDevice | Self::Mynewt => "--sdk-config",
        }
    }
}
