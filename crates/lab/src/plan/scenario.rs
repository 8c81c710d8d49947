//! Everything one run needs to know, with every key resolved.

use airtime_ble::plan as ble;
use airtime_keys::Run;
use airtime_nrf24::plan as nrf24;
use serde_json::Value;

use super::wifi;
use crate::ordered::Ordered;

/// The parameters of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The link, with everything that is its own.
    pub link: AnyLink,
    /// Every key that means something to this link with its value in effect, by dotted name. A key of
    /// the sender's or the receiver's is left out when both ends stream and differ in it.
    pub params: Ordered<Value>,
}

/// One of the kinds of link.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyLink {
    /// Bluetooth LE.
    Ble(Box<ble::Scenario>),
    /// IP over the nRF24L01+.
    Nrf24(Box<nrf24::Scenario>),
    /// IP over Wi-Fi through an ESP-hosted co-processor.
    Wifi(Box<wifi::Scenario>),
}

impl Scenario {
    /// The Bluetooth LE link, if it is one.
    pub fn ble(&self) -> Option<&ble::Scenario> {
        match &self.link {
            AnyLink::Ble(scenario) => Some(scenario),
            AnyLink::Nrf24(_) | AnyLink::Wifi(_) => None,
        }
    }

    /// The same by value.
    pub fn into_ble(self) -> Option<ble::Scenario> {
        match self.link {
            AnyLink::Ble(scenario) => Some(*scenario),
            AnyLink::Nrf24(_) | AnyLink::Wifi(_) => None,
        }
    }

    /// The link of two nRF24L01+ nodes, if it is one.
    pub fn nrf24(&self) -> Option<&nrf24::Scenario> {
        match &self.link {
            AnyLink::Nrf24(scenario) => Some(scenario),
            AnyLink::Ble(_) | AnyLink::Wifi(_) => None,
        }
    }

    /// The link through an ESP-hosted co-processor, if it is one.
    pub fn wifi(&self) -> Option<&wifi::Scenario> {
        match &self.link {
            AnyLink::Wifi(scenario) => Some(scenario),
            AnyLink::Ble(_) | AnyLink::Nrf24(_) => None,
        }
    }

    /// How long and how often.
    pub fn run(&self) -> &Run {
        match &self.link {
            AnyLink::Ble(scenario) => &scenario.run,
            AnyLink::Nrf24(scenario) => &scenario.run,
            AnyLink::Wifi(scenario) => &scenario.run,
        }
    }
}

impl AnyLink {
    /// As plans and records write it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ble(scenario) => scenario.link.name(),
            Self::Nrf24(_) => nrf24::LINKS[0],
            Self::Wifi(_) => "wifi-hosted",
        }
    }
}
