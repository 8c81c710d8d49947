//! Pins of the co-processor.

/// Configuration of pins.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioConfig {
    /// Pins concerned, a bit each.
    #[prost(uint64, tag = "1")]
    pub pin_bit_mask: u64,
    /// 0 off, 1 in, 2 out, 3 both.
    #[prost(int32, tag = "2")]
    pub mode: i32,
    /// Flag: the pins are pulled up.
    #[prost(bool, tag = "3")]
    pub pull_up_en: bool,
    /// Flag: the pins are pulled down.
    #[prost(bool, tag = "4")]
    pub pull_down_en: bool,
    /// Edge or level that interrupts: `gpio_int_type_t`.
    #[prost(int32, tag = "5")]
    pub intr_type: i32,
}

/// Request: configure pins.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioConfigure {
    /// Configuration of the pins.
    #[prost(message, optional, tag = "1")]
    pub config: Option<GpioConfig>,
}

/// Request about one pin.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioPin {
    /// Number of the pin.
    #[prost(int32, tag = "1")]
    pub gpio_num: i32,
}

/// Request: drive a pin.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioSetLevel {
    /// Number of the pin.
    #[prost(int32, tag = "1")]
    pub gpio_num: i32,
    /// 0 or 1.
    #[prost(uint32, tag = "2")]
    pub level: u32,
}

/// Reply with the level of a pin.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioLevel {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// 0 or 1.
    #[prost(uint32, tag = "2")]
    pub level: u32,
}

/// Request: direction of a pin.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioMode {
    /// Number of the pin.
    #[prost(int32, tag = "1")]
    pub gpio_num: i32,
    /// 0 off, 1 in, 2 out, 3 both.
    #[prost(int32, tag = "2")]
    pub mode: i32,
}

/// Request: pull of a pin.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GpioPull {
    /// Number of the pin.
    #[prost(int32, tag = "1")]
    pub gpio_num: i32,
    /// 0 none, 1 up, 2 down.
    #[prost(int32, tag = "2")]
    pub pull: i32,
}
