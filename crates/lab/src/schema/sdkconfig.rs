//! Which line of an ESP-IDF `sdkconfig` is which key of a plan: one table for `explain`, which writes such lines, and for
//! `airtime check`, which reads them.
//!
//! Sources: esp-idf v5.5.1 `components/lwip/Kconfig`, esp_wifi_remote `Kconfig` (`WIFI_RMT_*`), esp-hosted-mcu `Kconfig` and
//! `slave/main/Kconfig.projbuild`.

use airtime_core::Duration;
use airtime_core::units::Frequency;
use serde_json::Value;

/// Whose `sdkconfig` an option is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The host's.
    Host,
    /// The co-processor's.
    Coprocessor,
}

impl Side {
    /// As sentences say it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Coprocessor => "co-processor",
        }
    }
}

/// How the value of an option is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The same whole number.
    Count,
    /// Whole milliseconds.
    Milliseconds,
    /// Whole kilohertz.
    Kilohertz,
    /// `y`, or `# … is not set`.
    Flag,
    /// `y` for this word of the plan's key.
    Word(&'static str),
}

/// An option and the key it is.
#[derive(Clone, Copy, Debug)]
pub struct ConfigOption {
    /// Name, with `CONFIG_`.
    pub config: &'static str,
    /// Dotted name of the plan's key.
    pub key: &'static str,
    /// How its value is written.
    pub form: Form,
    /// Whose it is.
    pub side: Side,
}

const fn host(key: &'static str, config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, key, form, side: Side::Host }
}

const fn coprocessor(key: &'static str, config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, key, form, side: Side::Coprocessor }
}

/// Every option the lab knows as a key.
#[rustfmt::skip]
pub const OPTIONS: &[ConfigOption] = &[
    host("lwip.snd_buf", "CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Form::Count),
    host("lwip.wnd", "CONFIG_LWIP_TCP_WND_DEFAULT", Form::Count),
    host("lwip.mss", "CONFIG_LWIP_TCP_MSS", Form::Count),
    host("lwip.rto_time", "CONFIG_LWIP_TCP_RTO_TIME", Form::Milliseconds),
    host("lwip.sack_out", "CONFIG_LWIP_TCP_SACK_OUT", Form::Flag),
    host("lwip.ooseq_max_pbufs", "CONFIG_LWIP_TCP_OOSEQ_MAX_PBUFS", Form::Count),
    host("lwip.core_locking", "CONFIG_LWIP_TCPIP_CORE_LOCKING", Form::Flag),
    host("lwip.tcp_recvmbox", "CONFIG_LWIP_TCP_RECVMBOX_SIZE", Form::Count),
    host("lwip.udp_recvmbox", "CONFIG_LWIP_UDP_RECVMBOX_SIZE", Form::Count),
    host("lwip.tcpip_recvmbox", "CONFIG_LWIP_TCPIP_RECVMBOX_SIZE", Form::Count),
    host("hosted.sdio_clock", "CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ", Form::Kilohertz),
    host("hosted.sdio_lines", "CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS", Form::Word("4")),
    host("hosted.sdio_lines", "CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS", Form::Word("1")),
    host("hosted.tx_queue", "CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE", Form::Count),
    host("hosted.rx_queue", "CONFIG_ESP_HOSTED_SDIO_RX_Q_SIZE", Form::Count),
    host("hosted.checksum", "CONFIG_ESP_HOSTED_SDIO_CHECKSUM", Form::Flag),
    host("hosted.mode", "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_STREAMING_MODE", Form::Word("streaming")),
    host("hosted.mode", "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE", Form::Word("packet")),
    host("hosted.mode", "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_MAX_SIZE", Form::Word("packet")),
    host("hosted.wifi_tx_buffers", "CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM", Form::Count),
    host("hosted.wifi_static_rx", "CONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM", Form::Count),
    host("hosted.wifi_dynamic_rx", "CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM", Form::Count),
    host("hosted.rx_ba_window", "CONFIG_WIFI_RMT_RX_BA_WIN", Form::Count),
    host("hosted.handlers", "CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS", Form::Count),
    host("hosted.peer_data", "CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER", Form::Flag),
    coprocessor("hosted.wifi_tx_retry", "CONFIG_ESP_HOSTED_WIFI_TX_RETRY_ENABLED", Form::Flag),
    coprocessor("hosted.tx_buffers", "CONFIG_ESP_SDIO_TX_Q_SIZE", Form::Count),
    coprocessor("hosted.rx_buffers", "CONFIG_ESP_SDIO_RX_Q_SIZE", Form::Count),
];

/// The option of this name, with or without `CONFIG_`.
pub fn option(config: &str) -> Option<&'static ConfigOption> {
    let bare = config.strip_prefix("CONFIG_").unwrap_or(config);
    OPTIONS.iter().find(|option| option.config.strip_prefix("CONFIG_") == Some(bare))
}

/// The line that sets `key` to `value`, where it is an option at all, and whose it is.
pub fn line(key: &str, value: &Value) -> Option<(Side, String)> {
    let mut options = OPTIONS.iter().filter(|option| option.key == key);
    options.find_map(|option| Some((option.side, format!("{}={}", option.config, option.form.text(value)?))))
}

impl Form {
    /// `value` of a plan as an `sdkconfig` has it; none where this option does not say it.
    pub fn text(self, value: &Value) -> Option<String> {
        match self {
            Self::Count => value.as_u64().map(|n| n.to_string()),
            Self::Milliseconds => Some((value.as_str()?.parse::<Duration>().ok()?.as_nanos() / 1_000_000).to_string()),
            Self::Kilohertz => Some((value.as_str()?.parse::<Frequency>().ok()?.0 / 1_000).to_string()),
            Self::Flag => value.as_bool().map(|on| if on { "y" } else { "n" }.to_owned()),
            Self::Word(word) => (value.as_str() == Some(word)).then(|| "y".to_owned()),
        }
    }

    /// `text` of an `sdkconfig` as a plan has it; none where it says nothing about the key, or is not of this form.
    pub fn value(self, text: &str) -> Option<Value> {
        let number = || text.parse::<u64>().ok();
        match (self, text) {
            (Self::Count, _) => number().map(Value::from),
            (Self::Milliseconds, _) => number().map(|ms| format!("{ms}ms").into()),
            (Self::Kilohertz, _) => number().map(|khz| format!("{khz}kHz").into()),
            (Self::Flag, "y") => Some(true.into()),
            (Self::Flag, "n" | "") => Some(false.into()),
            (Self::Word(word), "y") => Some(word.into()),
            (Self::Flag | Self::Word(_), _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Kind, find};

    #[test]
    fn every_option_is_a_key_that_its_side_can_turn() {
        for option in OPTIONS {
            let key = find(option.key).unwrap_or_else(|| panic!("{} is no key", option.key));
            let fits = match option.form {
                Form::Count => matches!(key.kind, Kind::Count(..)),
                Form::Milliseconds => matches!(key.kind, Kind::Span(..)),
                Form::Kilohertz => matches!(key.kind, Kind::Clock(..)),
                Form::Flag => matches!(key.kind, Kind::Flag),
                Form::Word(word) => matches!(key.kind, Kind::Choice(words) if words.contains(&word)),
            };
            assert!(fits, "{}", option.config);
        }
    }

    #[test]
    fn lines_are_written_and_read() {
        let cases = [
            ("lwip.rto_time", Value::from("1.5s"), "CONFIG_LWIP_TCP_RTO_TIME=1500"),
            ("hosted.sdio_clock", "40MHz".into(), "CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ=40000"),
            ("hosted.mode", "packet".into(), "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE=y"),
            ("lwip.core_locking", false.into(), "CONFIG_LWIP_TCPIP_CORE_LOCKING=n"),
            ("lwip.snd_buf", 5_760.into(), "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760"),
        ];
        for (key, value, expected) in cases {
            let (side, written) = line(key, &value).unwrap();
            assert_eq!((side, written.as_str()), (Side::Host, expected));
            let (config, text) = written.split_once('=').unwrap();
            let found = option(config).unwrap();
            let read = found.form.value(text).unwrap();
            let canonical = find(key).unwrap().kind.check(key, &read).unwrap();
            assert_eq!((found.key, canonical), (key, value));
        }
        assert_eq!(line("path.rtt", &"2ms".into()), None);
    }
}
