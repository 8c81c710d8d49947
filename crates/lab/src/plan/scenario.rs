//! Everything one run needs to know, with every key resolved.

use airtime_ble::plan as ble;
use airtime_keys::Run;
use airtime_nrf24::plan as nrf24;
use airtime_wifi::plan as wifi;
use serde_json::Value;

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
    /// A link that declares itself.
    Declared(Declared),
}

/// A scenario of a link that declares itself. Two are equal where every key has the same value in effect.
#[derive(Debug)]
pub struct Declared(pub Box<dyn airtime_link::Scenario>);

impl Declared {
    fn values(&self) -> Vec<(&'static str, Value)> {
        let mut values = Vec::new();
        self.show(&mut |key, value| values.push((key.name, value)));
        values
    }
}

impl Clone for Declared {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        self.link() == other.link() && self.values() == other.values()
    }
}

impl std::ops::Deref for Declared {
    type Target = dyn airtime_link::Scenario;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Scenario {
    /// The Bluetooth LE link, if it is one.
    pub fn ble(&self) -> Option<&ble::Scenario> {
        match &self.link {
            AnyLink::Ble(scenario) => Some(scenario),
            AnyLink::Nrf24(_) | AnyLink::Wifi(_) | AnyLink::Declared(_) => None,
        }
    }

    /// The same by value.
    pub fn into_ble(self) -> Option<ble::Scenario> {
        match self.link {
            AnyLink::Ble(scenario) => Some(*scenario),
            AnyLink::Nrf24(_) | AnyLink::Wifi(_) | AnyLink::Declared(_) => None,
        }
    }

    /// The link of two nRF24L01+ nodes, if it is one.
    pub fn nrf24(&self) -> Option<&nrf24::Scenario> {
        match &self.link {
            AnyLink::Nrf24(scenario) => Some(scenario),
            AnyLink::Ble(_) | AnyLink::Wifi(_) | AnyLink::Declared(_) => None,
        }
    }

    /// The link through an ESP-hosted co-processor, if it is one.
    pub fn wifi(&self) -> Option<&wifi::Scenario> {
        match &self.link {
            AnyLink::Wifi(scenario) => Some(scenario),
            AnyLink::Ble(_) | AnyLink::Nrf24(_) | AnyLink::Declared(_) => None,
        }
    }

    /// How long and how often.
    pub fn run(&self) -> &Run {
        match &self.link {
            AnyLink::Ble(scenario) => &scenario.run,
            AnyLink::Nrf24(scenario) => &scenario.run,
            AnyLink::Wifi(scenario) => &scenario.run,
            AnyLink::Declared(scenario) => scenario.run(),
        }
    }
}

impl Scenario {
    /// The scenario of a link that declares itself, if it is one.
    pub fn declared(&self) -> Option<&dyn airtime_link::Scenario> {
        match &self.link {
            AnyLink::Declared(scenario) => Some(&**scenario),
            AnyLink::Ble(_) | AnyLink::Nrf24(_) | AnyLink::Wifi(_) => None,
        }
    }
}

impl AnyLink {
    /// As plans and records write it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ble(scenario) => scenario.link.name(),
            Self::Nrf24(_) => nrf24::LINKS[0],
            Self::Wifi(_) => wifi::LINKS[0],
            Self::Declared(scenario) => scenario.link(),
        }
    }
}
