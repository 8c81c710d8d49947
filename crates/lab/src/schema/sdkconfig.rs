//! Lines of an ESP-IDF `sdkconfig` that are keys of a plan, looked up in the declarations of the keys: for `explain`, which
//! writes such lines, and for `airtime check`, which reads them.

use std::sync::LazyLock;

use airtime_keys::config::{ConfigOption, Form, Side};
use airtime_wifi::plan::Lwip;
use serde_json::Value;

use super::{KEYS, Key};

/// Every option that is a key, with the key: those of the host's image first, those of its stack before those of the bus.
pub static OPTIONS: LazyLock<Vec<(&'static Key, &'static ConfigOption)>> = LazyLock::new(|| {
    let own = |option: &&'static ConfigOption| option.side.is_hosted();
    let of = |key: &'static Key| key.config.iter().filter(own).map(move |option| (key, option));
    let mut options: Vec<_> = KEYS.iter().copied().flat_map(of).collect();
    options.sort_by_key(|(key, option)| (option.side == Side::Coprocessor, key.table() != Lwip::SND_BUF.table()));
    options
});

/// The option of this name, with or without `CONFIG_`, and the key that it is.
pub fn option(config: &str) -> Option<(&'static Key, &'static ConfigOption)> {
    let bare = config.strip_prefix("CONFIG_").unwrap_or(config);
    OPTIONS.iter().find(|(_, option)| option.config.strip_prefix("CONFIG_") == Some(bare)).copied()
}

/// Tells if an image for this `bus` (`hosted.bus`) has `option`: numbers of a bus have a name for each.
pub fn is_built(option: &ConfigOption, bus: &str) -> bool {
    let own = [("_SPI_HD_", "spi-hd"), ("_SPI_", "spi"), ("_SDIO_", "sdio")];
    let of = own.iter().find(|(part, _)| option.config.contains(part)).map(|(_, bus)| *bus);
    !option.side.is_hosted() || matches!(option.form, Form::Word(_)) || of.is_none_or(|of| of == bus)
}

/// The line that sets `key` to `value` in an image for this `bus`, where it is an option at all, and the image it is for.
pub fn line(key: &Key, value: &Value, bus: &str) -> Option<(Side, String)> {
    let own = key.config.iter().filter(|option| option.side.is_hosted() && is_built(option, bus));
    own.into_iter().find_map(|option| Some((option.side, format!("{}={}", option.config, option.form.text(value)?))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Kind, find};

    #[test]
    fn every_option_is_a_key_that_its_side_can_turn() {
        assert_eq!(OPTIONS.len(), 47);
        for (key, option) in OPTIONS.iter() {
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
}
