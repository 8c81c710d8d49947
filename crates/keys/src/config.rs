//! Lines of a build configuration: which option of an ESP-IDF `sdkconfig`, or of Zephyr's `prj.conf`, is which key.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use airtime_core::Duration;
use airtime_core::units::Frequency;
use serde_json::Value;

/// Image whose build configuration an option is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Image of the host MCU of ESP-hosted, with its `sdkconfig`.
    Host,
    /// Image of the co-processor of ESP-hosted, with its `sdkconfig`.
    Coprocessor,
    /// Image of a device with Zephyr, whose options are in `prj.conf`.
    Zephyr,
    /// Image of a chip with ESP-IDF and a radio of its own.
    Radio,
    /// Image of a chip with a SoftDevice, whose options are in `sdk_config.h`.
    SoftDevice,
    /// Image of a chip with Mynewt, whose options are in `syscfg.yml`.
    Mynewt,
}

impl Side {
    /// Tells if it is an image of ESP-hosted.
    pub const fn is_hosted(self) -> bool {
        matches!(self, Self::Host | Self::Coprocessor)
    }

    /// Name of the side as sentences say it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Coprocessor => "co-processor",
            Self::Zephyr => "Zephyr",
            Self::Radio => "ESP-IDF",
            Self::SoftDevice => "SoftDevice",
            Self::Mynewt => "Mynewt",
        }
    }
}

/// Way in which the value of an option is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The same whole number as in the plan.
    Count,
    /// A whole number, and so many more in the option.
    CountAnd(u64),
    /// A time in whole milliseconds.
    Milliseconds,
    /// A time in whole microseconds.
    Microseconds,
    /// A time in whole units of 1.25 ms, as connection intervals and the events in them are counted.
    Intervals,
    /// A clock in whole kilohertz.
    Kilohertz,
    /// A clock in whole megahertz.
    Megahertz,
    /// A flag: `y`, or `# … is not set`.
    Flag,
    /// An option that is `y` for this word of the plan's key.
    Word(&'static str),
}

/// An option of a build configuration that a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigOption {
    /// Name of the option, with `CONFIG_` where it has that.
    pub config: &'static str,
    /// Way in which the value of the option is written.
    pub form: Form,
    /// Image that the option is built into.
    pub side: Side,
}

/// An option of the host's image.
pub const fn host(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::Host }
}

/// An option of the co-processor's image.
pub const fn coprocessor(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::Coprocessor }
}

/// An option of an image of Zephyr.
pub const fn zephyr(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::Zephyr }
}

/// An option of a chip with ESP-IDF and a radio of its own.
pub const fn radio(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::Radio }
}

/// An option of the nRF5 SDK.
pub const fn softdevice(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::SoftDevice }
}

/// An option of Mynewt.
pub const fn mynewt(config: &'static str, form: Form) -> ConfigOption {
    ConfigOption { config, form, side: Side::Mynewt }
}

impl Form {
    /// `value` of a plan as an `sdkconfig` has it; none where this option does not say it.
    pub fn text(self, value: &Value) -> Option<String> {
        match self {
            Self::Count => value.as_u64().map(|n| n.to_string()),
            Self::CountAnd(more) => value.as_u64()?.checked_add(more).map(|n| n.to_string()),
            Self::Milliseconds => Some((value.as_str()?.parse::<Duration>().ok()?.as_nanos() / 1_000_000).to_string()),
            Self::Microseconds => Some((value.as_str()?.parse::<Duration>().ok()?.as_nanos() / 1_000).to_string()),
            Self::Intervals => {
                let time = value.as_str()?.parse::<Duration>().ok()?.as_nanos();
                (time % 1_250_000 == 0).then(|| (time / 1_250_000).to_string())
            }
            Self::Kilohertz => Some((value.as_str()?.parse::<Frequency>().ok()?.0 / 1_000).to_string()),
            Self::Megahertz => Some((value.as_str()?.parse::<Frequency>().ok()?.0 / 1_000_000).to_string()),
            Self::Flag => value.as_bool().map(|on| if on { "y" } else { "n" }.to_owned()),
            Self::Word(word) => (value.as_str() == Some(word)).then(|| "y".to_owned()),
        }
    }

    /// `text` of an `sdkconfig` as a plan has it; none where it says nothing about the key, or is not of this form.
    pub fn value(self, text: &str) -> Option<Value> {
        let number = || text.parse::<u64>().ok();
        match (self, text) {
            (Self::Count, _) => number().map(Value::from),
            (Self::CountAnd(more), _) => number()?.checked_sub(more).map(Value::from),
            (Self::Milliseconds, _) => number().map(|ms| format!("{ms}ms").into()),
            (Self::Microseconds, _) => number().map(|us| format!("{us}us").into()),
            (Self::Intervals, _) => {
                let time = |units: u64| Some(Duration::from_micros(units.checked_mul(1_250)?));
                number().filter(|units| *units < 1 << 20).and_then(time).map(|time| time.to_string().into())
            }
            (Self::Kilohertz, _) => number().map(|khz| format!("{khz}kHz").into()),
            (Self::Megahertz, _) => number().map(|mhz| format!("{mhz}MHz").into()),
            (Self::Flag, "y") => Some(true.into()),
            (Self::Flag, "n" | "") => Some(false.into()),
            (Self::Word(word), "y") => Some(word.into()),
            (Self::Flag | Self::Word(_), _) => None,
        }
    }
}
