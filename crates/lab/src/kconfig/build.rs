//! The build that a file is of: options of ESP-IDF and of Zephyr look alike, and each means nothing to the other.

use airtime_keys::Fault;
use airtime_keys::config::Side;

use super::File;
use crate::schema::{self, KEYS, scope};
use crate::sdkconfig::Setting;
use crate::toml::PlanError;
use crate::toml::error::{At, Place};

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
    /// The build that `file` is of: what most of its telling lines say, else its name; nothing where neither tells.
    pub fn of(file: &File) -> Option<Self> {
        let count = |build: Self| file.config.settings().iter().filter(|line| build.has(line)).count();
        let (esp, zephyr) = (count(Self::Esp), count(Self::Zephyr));
        let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
        match esp.cmp(&zephyr) {
            std::cmp::Ordering::Greater => Some(Self::Esp),
            std::cmp::Ordering::Less => Some(Self::Zephyr),
            std::cmp::Ordering::Equal if name.ends_with(".conf") => Some(Self::Zephyr),
            std::cmp::Ordering::Equal if name.starts_with("sdkconfig") => Some(Self::Esp),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Refuses a file of the other build.
    ///
    /// # Errors
    /// At the first line that tells.
    pub fn expect(self, file: &File) -> Result<(), PlanError> {
        let Some(other) = Self::of(file).filter(|build| *build != self) else { return Ok(()) };
        let line = file.config.settings().iter().find(|line| other.has(line));
        let place = line.map_or(Place::File, |line| Place::Line { line: line.line, column: line.column });
        let said = line.map_or_else(String::new, |line| format!("{} is {}: ", line.name, other.whose()));
        let what = format!(
            "{said}the file is {}, and not {}; {} FILE takes it",
            other.article(),
            self.article(),
            other.argument()
        );
        Err(Fault::new(what).at(&file.name, place))
    }

    /// Refuses a plan of a link no device of which is built so.
    ///
    /// # Errors
    /// With the links that are.
    pub fn concerns(self, link: &str, file: &File) -> Result<(), PlanError> {
        if self.links().any(|known| known == link) {
            return Ok(());
        }
        let links: Vec<&str> = self.links().collect();
        let what = format!("no device of the link `{link}` has {}; those of {} have", self.article(), links.join(", "));
        Err(Fault::new(what).at(&file.name, Place::File))
    }

    /// Links with a key that is an option of it.
    fn links(self) -> impl Iterator<Item = &'static str> {
        let names = crate::links::ALL.iter().flat_map(|link| link.names().iter().copied());
        names.filter(move |link| {
            let options = KEYS.iter().filter(|key| scope(key).covers(link)).flat_map(|key| key.config.iter());
            options.into_iter().any(|option| self.is_of(option.side))
        })
    }

    /// Image of a chip that is built so.
    pub(super) const fn side(self) -> Side {
        match self {
            Self::Esp => Side::Host,
            Self::Zephyr => Side::Zephyr,
            Self::SoftDevice => Side::SoftDevice,
            Self::Mynewt => Side::Mynewt,
        }
    }

    /// Tells if an image of `side` is built so.
    const fn is_of(self, side: Side) -> bool {
        match self {
            Self::Esp => matches!(side, Side::Host | Side::Coprocessor | Side::Radio),
            Self::Zephyr => matches!(side, Side::Zephyr),
            Self::SoftDevice => matches!(side, Side::SoftDevice),
            Self::Mynewt => matches!(side, Side::Mynewt),
        }
    }

    /// Tells if `line` is an option of this build alone.
    fn has(self, line: &Setting) -> bool {
        let bare = line.name.strip_prefix("CONFIG_").unwrap_or(&line.name);
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| bare.starts_with(beginning));
        match self {
            Self::Esp => begins(&ESP) || schema::sdkconfig::option(bare).is_some(),
            Self::Zephyr => begins(&ZEPHYR) || KEYS.iter().any(|key| super::zephyr::is_option(key, &line.name)),
            Self::SoftDevice | Self::Mynewt => false,
        }
    }

    const fn article(self) -> &'static str {
        match self {
            Self::Esp => "an sdkconfig of ESP-IDF",
            Self::Zephyr => "a prj.conf of Zephyr",
            Self::SoftDevice => "an sdk_config.h of the nRF5 SDK",
            Self::Mynewt => "a syscfg.yml of Mynewt",
        }
    }

    const fn whose(self) -> &'static str {
        match self {
            Self::Esp => "ESP-IDF's",
            Self::Zephyr => "Zephyr's",
            Self::SoftDevice => "the nRF5 SDK's",
            Self::Mynewt => "Mynewt's",
        }
    }

    /// Option of the command line that takes its file.
    pub(super) const fn argument(self) -> &'static str {
        match self {
            Self::Esp => "--sdkconfig",
            Self::Zephyr => "--prj-conf",
            Self::SoftDevice | Self::Mynewt => "--sdk-config",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdkconfig::Sdkconfig;

    fn file(name: &str, text: &str) -> File {
        File { name: name.to_owned(), config: Sdkconfig::parse(name, text).unwrap() }
    }

    #[test]
    fn a_file_is_of_the_build_that_its_lines_tell_or_its_name() {
        let of = |name: &str, text: &str| Build::of(&file(name, text));
        assert_eq!(of("own", "CONFIG_BT=y\nCONFIG_BT_BUF_ACL_TX_SIZE=251\n"), Some(Build::Zephyr));
        assert_eq!(of("prj.conf", "CONFIG_LWIP_TCP_WND_DEFAULT=65534\n"), Some(Build::Esp));
        assert_eq!(of("a/sdkconfig.defaults", "CONFIG_BT_ENABLED=y\nCONFIG_BT_NIMBLE_ENABLED=y\n"), Some(Build::Esp));
        assert_eq!(of("a/prj.conf", "CONFIG_BT=y\n"), Some(Build::Zephyr));
        assert_eq!(of("sdkconfig.ci", "CONFIG_BT=y\n"), Some(Build::Esp));
        assert_eq!(of("own", "CONFIG_BT=y\n"), None);
        assert_eq!(of("own", ""), None);
    }

    #[test]
    fn another_build_is_refused_at_the_line_that_tells() {
        let zephyr = file("own.txt", "CONFIG_BT=y\nCONFIG_BT_CTLR_PHY_2M=y\n");
        assert_eq!(Build::Zephyr.expect(&zephyr), Ok(()));
        let said = Build::Esp.expect(&zephyr).unwrap_err().to_string();
        assert!(
            said.starts_with("own.txt:2:1: CONFIG_BT_CTLR_PHY_2M is Zephyr's") && said.contains("--prj-conf"),
            "{said}"
        );
        let said = Build::Zephyr.expect(&file("own", "CONFIG_IDF_TARGET=\"esp32s3\"\n")).unwrap_err().to_string();
        assert!(said.contains("an sdkconfig of ESP-IDF, and not a prj.conf") && said.contains("--sdkconfig"), "{said}");
    }

    #[test]
    fn links_have_the_builds_of_their_devices() {
        let is = |build: Build, link: &str| build.concerns(link, &file("f", "")).is_ok();
        assert!(is(Build::Esp, "wifi-hosted") && !is(Build::Zephyr, "wifi-hosted"));
        assert!(is(Build::SoftDevice, "ble-gatt") && is(Build::Mynewt, "ble-coc") && !is(Build::Mynewt, "wifi-hosted"));
        for link in ["ble-coc", "ble-gatt", "ble-rpc"] {
            assert!(is(Build::Zephyr, link) && is(Build::Esp, link), "{link}");
        }
        for link in ["nrf24-ip", "ieee802154"] {
            assert!(!is(Build::Zephyr, link) && !is(Build::Esp, link), "{link}");
        }
        assert!(Build::Esp.concerns("nrf24-ip", &file("f", "")).unwrap_err().to_string().contains("wifi-hosted"));
    }
}
