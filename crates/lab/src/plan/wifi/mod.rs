//! Plans of IP over Wi-Fi through an ESP-hosted co-processor.

mod check;
pub(super) mod params;
mod resolve;
mod scenario;

pub use scenario::{
    Air, Band, ControlRate, Firmware, Hosted, Lwip, Mode, OnError, Path, Scenario, StackCost, Test, Version,
};
