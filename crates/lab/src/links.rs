//! The registry: every kind of link there is. A new kind is one crate, and one line here.

use airtime_ble_link::BleLink;
use airtime_ieee802154::plan::Ieee802154;
use airtime_nrf24::plan::Nrf24;
use airtime_wifi::plan::WifiHosted;

pub use airtime_link::{Capture, Captures, Devices, Form, LINK, Link, Origin, Scenario, Stop, Told, identity};

/// Kinds of link, in the order of documentation.
pub const ALL: &[&dyn Link] = &[&BleLink, &Nrf24, &WifiHosted, &Ieee802154];

/// The kind of link that has this name.
pub fn find(name: &str) -> Option<&'static dyn Link> {
    ALL.iter().copied().find(|link| link.names().contains(&name))
}
