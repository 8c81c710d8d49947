//! Plans of IP over Wi-Fi through an ESP-hosted co-processor: keys, what holds between them, and the scenario they come to.
//!
//! - Keys, in the order of documentation and records: [`Board`] · [`Radio`] · [`Access`] · [`Cell`] · [`PowerSave`] · [`EspNow`] · [`Bus`] · [`Hosted`] ·
//!   [`Lwip`] · [`Host`] · [`Path`]
//! - [`Context`]: what decides which of them mean something · [`Chain`]: the keys of a personality · [`Scenario`]: all of it
//!
//! Options of build configurations are those of esp-idf v5.5.1, `components/lwip/Kconfig`, of esp_wifi_remote, `Kconfig`
//! (`WIFI_RMT_*`), and of esp-hosted-mcu, `Kconfig` and `slave/main/Kconfig.projbuild`.

mod access;
mod cell;
mod chain;
mod check;
mod context;
mod espnow;
mod facts;
mod faster;
mod hosted;
mod limited;
mod link;
mod lwip;
mod path;
mod power_save;
mod radio;
mod scenario;
mod sdkconfig;

pub use access::{Access, ControlRate, Coordination, Slot};
pub use cell::{Cell, Mode};
pub use chain::{Board, Chain, Coprocessor, Exchanges, Limits, Memory, OperatingSystem, System, Tasks};
pub use context::{Context, Test};
pub use espnow::{EspNow, Receiver};
pub use hosted::{Bus, Firmware, Hosted, Lines, SpiLines, Transport, Version};
pub use link::WifiHosted;
pub use lwip::{Host, Lwip, OnError};
pub use path::Path;
pub use power_save::{PowerSave, Saving};
pub use radio::{Band, Radio, RateControl};
pub use scenario::{LINKS, Scenario, TABLES};
