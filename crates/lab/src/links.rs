//! The registry: every kind of link there is. A new kind is one crate, and one line here.

use std::sync::LazyLock;

use airtime_ble_link::BleLink;
use airtime_ieee802154::plan::Ieee802154;
use airtime_nrf24::plan::Nrf24;
use airtime_wifi::plan::WifiHosted;

pub use airtime_link::{
    Capture, Captures, DeviceKind, Devices, Form, LINK, Link, Origin, Scenario, Stop, Told, identity,
};

/// Kinds of link, in the order of documentation.
pub const ALL: &[&dyn Link] = &[&BleLink, &Nrf24, &WifiHosted, &Ieee802154];

/// Kinds of personality, in the order of their links; a file that names no link is of the first.
pub fn device_kinds() -> &'static [&'static DeviceKind] {
    static KINDS: LazyLock<Vec<&'static DeviceKind>> =
        LazyLock::new(|| ALL.iter().filter_map(|link| link.device_kind()).collect());
    &KINDS
}

/// The kind of personality of this word.
pub fn device_kind(link: &str) -> Option<&'static DeviceKind> {
    device_kinds().iter().copied().find(|kind| kind.link == link)
}

/// The kind of link that has this name.
pub fn find(name: &str) -> Option<&'static dyn Link> {
    ALL.iter().copied().find(|link| link.names().contains(&name))
}
