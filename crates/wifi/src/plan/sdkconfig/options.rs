//! Lines of an ESP-IDF `sdkconfig` that are keys of a plan, looked up in the declarations of the keys: for explanations, which name such
//! lines, and for what reads them.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use airtime_keys::Key;
use airtime_keys::config::{ConfigOption, Form, Side};
use airtime_link::config::{Configuration, Spelling};

use super::defaults::unmet;
use super::rules::READ;
use crate::plan::scenario::{TABLES, TRAFFIC};
use crate::plan::{LINKS, Lwip};

/// Parts of names that tell real siblings apart which are one or two letters from one another.
const SIBLINGS: [&str; 3] = ["_SPI_", "_UART_", "_SPI_HD_"];

/// Every option that is a key, with the key: those of the host's image first, those of its stack before those of the bus.
pub fn options() -> impl Iterator<Item = (&'static Key, &'static ConfigOption)> {
    let orders = [(false, true), (false, false), (true, true), (true, false)];
    let keys = || TABLES.iter().chain(TRAFFIC).flat_map(|table| table.keys);
    let all = move || keys().flat_map(|key| key.config.iter().map(move |option| (key, option)));
    orders.into_iter().flat_map(move |(coprocessor, stack)| {
        let own = move |key: &Key, option: &ConfigOption| {
            let side = if coprocessor { Side::Coprocessor } else { Side::Host };
            option.side == side && (key.table() == Lwip::SND_BUF.table()) == stack
        };
        all().filter(move |(key, option)| own(key, option))
    })
}

/// The option of this name, with or without `CONFIG_`, and the key that it is.
pub fn option(config: &str) -> Option<(&'static Key, &'static ConfigOption)> {
    let bare = config.strip_prefix("CONFIG_").unwrap_or(config);
    options().find(|(_, option)| option.config.strip_prefix("CONFIG_") == Some(bare))
}

/// Tells if `key` means something to a plan of ESP-hosted.
pub fn is_covered(key: &Key) -> bool {
    TABLES.iter().chain(TRAFFIC).any(|table| table.covers(key, LINKS[0]))
}

/// The plan's keys that `config` sets, with their values as `--set` takes them.
pub fn overrides(config: &Configuration) -> Vec<(String, String)> {
    let mut overrides: Vec<(String, String)> = Vec::new();
    for setting in config.settings().iter().filter(|setting| !unmet(config, &setting.name)) {
        let Some((key, option)) = option(&setting.name) else { continue };
        let Some(value) = option.form.value(&setting.value) else { continue };
        overrides.retain(|(known, _)| known != key.name);
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        overrides.push((key.name.to_owned(), text));
    }
    overrides
}

/// Names of `config` that may be misspelt, and options whose values may be. Kconfig leaves out what it does not know without a word.
pub fn spelling(config: &Configuration) -> Spelling {
    let options: Vec<_> = options().collect();
    Spelling {
        config: config.clone(),
        known: options.iter().map(|(_, option)| option.config).chain(READ.iter().copied()).collect(),
        siblings: &SIBLINGS,
        then: "Kconfig leaves out what it does not know",
        source: "ESP-IDF, API guide \"Project Configuration\"",
        options,
    }
}

/// Tells if an image for this `bus` (`hosted.bus`) has `option`: numbers of a bus have a name for each.
pub fn is_built(option: &ConfigOption, bus: &str) -> bool {
    let own = [("_SPI_HD_", "spi-hd"), ("_SPI_", "spi"), ("_SDIO_", "sdio")];
    let of = own.iter().find(|(part, _)| option.config.contains(part)).map(|(_, bus)| *bus);
    matches!(option.form, Form::Word(_)) || of.is_none_or(|of| of == bus)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use airtime_keys::{Kind, Value};

    use super::*;

    fn find(name: &str) -> Option<&'static Key> {
        TABLES.iter().flat_map(|table| table.keys).find(|key| key.name == name)
    }

    /// The line that sets `key` to `value` in an image for this `bus`, where it is an option at all, and the image it is for.
    fn line(key: &Key, value: &Value, bus: &str) -> Option<(Side, String)> {
        let own = key.config.iter().filter(|option| is_built(option, bus));
        own.into_iter()
            .find_map(|option| Some((option.side, format!("{}={}", option.config, option.form.text(value)?))))
    }

    #[test]
    fn every_option_is_a_key_that_its_side_can_turn() {
        assert_eq!(options().count(), 47);
        for (key, option) in options() {
            let fits = match option.form {
                Form::Count | Form::CountAnd(_) => matches!(key.kind, Kind::Count(..)),
                Form::Milliseconds | Form::Microseconds | Form::Intervals => matches!(key.kind, Kind::Span(..)),
                Form::Kilohertz | Form::Megahertz => matches!(key.kind, Kind::Clock(..)),
                Form::Flag => matches!(key.kind, Kind::Flag),
                Form::Word(word) => matches!(key.kind, Kind::Choice(words) if words.contains(&word)),
            };
            assert!(fits, "{}", option.config);
        }
    }

    #[test]
    fn lines_are_written_and_read() {
        let cases = [
            ("sdio", "lwip.rto_time", Value::from("1.5s"), "CONFIG_LWIP_TCP_RTO_TIME=1500"),
            ("sdio", "hosted.sdio_clock", "40MHz".into(), "CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ=40000"),
            ("sdio", "hosted.mode", "packet".into(), "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE=y"),
            ("sdio", "lwip.core_locking", false.into(), "CONFIG_LWIP_TCPIP_CORE_LOCKING=n"),
            ("sdio", "lwip.snd_buf", 5_760.into(), "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760"),
            ("sdio", "hosted.tx_queue", 30.into(), "CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=30"),
            ("spi", "hosted.throttle_high", 70.into(), "CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SPI_HIGH_THRESHOLD=70"),
            ("sdio", "hosted.throttle_high", 0.into(), "CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SDIO_HIGH_THRESHOLD=0"),
            ("spi", "hosted.spi_clock", "26MHz".into(), "CONFIG_ESP_HOSTED_SPI_FREQ_ESP32C6=26"),
            ("spi-hd", "hosted.tx_queue", 15.into(), "CONFIG_ESP_HOSTED_SPI_HD_TX_Q_SIZE=15"),
            ("spi-hd", "hosted.spi_clock", "26MHz".into(), "CONFIG_ESP_HOSTED_SPI_HD_FREQ_ESP32C6=26"),
            ("spi-hd", "hosted.spi_lines", "2".into(), "CONFIG_ESP_HOSTED_SPI_HD_PRIV_INTERFACE_2_DATA_LINES=y"),
            ("sdio", "hosted.bus", "spi-hd".into(), "CONFIG_ESP_HOSTED_SPI_HD_HOST_INTERFACE=y"),
            ("sdio", "hosted.bus", "spi".into(), "CONFIG_ESP_HOSTED_SPI_HOST_INTERFACE=y"),
        ];
        for (bus, key, value, expected) in cases {
            let declared = find(key).unwrap();
            let (side, written) = line(declared, &value, bus).unwrap();
            assert_eq!((side, written.as_str()), (Side::Host, expected));
            let (config, text) = written.split_once('=').unwrap();
            let (found, option) = option(config).unwrap();
            let read = option.form.value(text).unwrap();
            let canonical = declared.kind.check(key, &read).unwrap();
            assert_eq!((found.name, canonical), (key, value));
        }
        // The driver of SPI has its queues, whatever an option says.
        assert_eq!(line(find("hosted.tx_queue").unwrap(), &30.into(), "spi"), None);
        assert_eq!(line(find("path.rtt").unwrap(), &"2ms".into(), "sdio"), None);
    }

    #[test]
    fn what_a_file_says_becomes_keys_of_a_plan() {
        let text = "CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ=40000\nCONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=60\nCONFIG_LWIP_TCP_RTO_TIME=300\n";
        let keys = overrides(&Configuration::parse("sdkconfig", text).unwrap());
        for (key, value) in [("lwip.rto_time", "300ms"), ("hosted.tx_queue", "60"), ("hosted.sdio_clock", "40000kHz")] {
            assert!(keys.contains(&(key.to_owned(), value.to_owned())), "{key}: {keys:?}");
        }
    }
}
