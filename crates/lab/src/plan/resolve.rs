//! From settings and personalities to a scenario: what every link shares, and which link it is.

use airtime_ble::plan as ble;
use airtime_keys::Words;
use airtime_nrf24::plan as nrf24;
use airtime_wifi::plan as wifi;

use super::foreign;
use super::params::params;
use super::scenario::{AnyLink, Declared, Scenario};
use super::settings::Settings;
use crate::links;
use crate::ordered::Ordered;
use crate::personality::Library;
use crate::schema::{KEYS, Key, Scope, below, is_table, scope};
use crate::toml::error::{At, Fault, PlanError};

/// Where a scenario comes from.
pub struct Resolver<'a> {
    /// The plan's file, for errors.
    pub file: &'a str,
    /// What was set.
    pub set: &'a Settings,
    /// The personalities.
    pub library: &'a Library,
}

impl Resolver<'_> {
    /// The scenario, checked, with its params left empty.
    pub fn checked(&self) -> Result<Scenario, PlanError> {
        let name = self.set.text("link").unwrap_or_default();
        let declared = links::find(name).map(|link| link.read(name, self.set));
        let link = match self.set.text("link") {
            _ if let Some(read) = declared => AnyLink::Declared(Declared(read.map_err(|fault| self.placed(fault))?)),
            Some("wifi-hosted") => {
                let chain = self.chain()?;
                AnyLink::Wifi(Box::new(wifi::Scenario::read(self.set, chain).map_err(|fault| self.placed(fault))?))
            }
            Some("nrf24-ip") => {
                AnyLink::Nrf24(Box::new(nrf24::Scenario::read(self.set).map_err(|fault| self.placed(fault))?))
            }
            other => {
                let link = other.and_then(ble::Link::from_word).expect("every other link is one of Bluetooth LE");
                AnyLink::Ble(Box::new(self.ble(link)?))
            }
        };
        self.only_about(&link)?;
        Ok(Scenario { link, params: Ordered::new() })
    }

    /// The chain of host, bus and co-processor that the plan names.
    fn chain(&self) -> Result<wifi::Chain, PlanError> {
        let key = wifi::Board::PERSONALITY;
        let name = self.set.text(key.name).unwrap_or_default();
        let known: Vec<&str> = self.library.iter().filter(|p| p.chain().is_some()).map(|p| p.name.as_str()).collect();
        let Some(personality) = self.library.get(name) else {
            let fault = Fault::new(format!("there is no personality `{name}`"));
            return Err(self.placed(fault.one_of(name, known).about([key])));
        };
        personality.chain().cloned().ok_or_else(|| {
            let what =
                format!("`{}`: `{name}` is a Bluetooth LE device, not a chain of host and co-processor", key.name);
            self.placed(Fault::new(what).allowing(known.join(", ")).about([key]))
        })
    }

    /// The scenario, checked.
    pub fn scenario(&self) -> Result<Scenario, PlanError> {
        let scenario = self.checked()?;
        Ok(Scenario { params: params(&scenario.link), ..scenario })
    }

    /// The scenario of a Bluetooth LE link, checked.
    fn ble(&self, link: ble::Link) -> Result<ble::Scenario, PlanError> {
        let scenario = ble::Scenario::read(link, self.set, &|key, name| self.device(key, name));
        let scenario = scenario.map_err(|fault| self.placed(fault))?;
        foreign::check(&scenario, self.set).map_err(|fault| self.placed(fault))?;
        Ok(scenario)
    }

    /// The Bluetooth LE device of the personality that `key` names.
    fn device(&self, key: &'static Key, name: &str) -> Result<ble::Device, Fault> {
        let personality = self.library.get(name).ok_or_else(|| {
            let fault = Fault::new(format!("there is no personality `{name}`"));
            fault.one_of(name, self.library.names()).about([key])
        })?;
        personality.device().ok_or_else(|| {
            let what = format!(
                "`{}`: `{name}` is a chain of host and Wi-Fi co-processor, not a Bluetooth LE device",
                key.name
            );
            let known = self.library.iter().filter(|p| p.ble().is_some()).map(|p| p.name.as_str());
            Fault::new(what).allowing(known.collect::<Vec<_>>().join(", ")).about([key])
        })
    }

    /// No key is set that is about another kind of link.
    fn only_about(&self, link: &AnyLink) -> Result<(), PlanError> {
        let stray = KEYS.iter().find(|key| !scope(key).concerns(link.name()) && self.set.set(key.name).is_some());
        let Some(key) = stray else { return Ok(()) };
        let what = format!("`{}` means nothing to the link `{}`", key.name, link.name());
        let tables: Vec<&str> = below("").into_iter().filter(|table| concerns(table, link)).collect();
        Err(self.error(&[key.name], Fault::new(what).allowing(tables.join(", "))))
    }

    /// The error of a fault at the first of the keys it is about that was set.
    pub fn placed(&self, fault: Fault) -> PlanError {
        let place = self.set.place(&fault.about);
        fault.at(self.file, place)
    }

    /// An error at the first of `keys` that was set.
    pub fn error(&self, keys: &[&str], fault: Fault) -> PlanError {
        fault.at(self.file, self.set.place(keys))
    }
}

/// Whether any key of this table means something to `link`.
fn concerns(table: &str, link: &AnyLink) -> bool {
    let mut keys = KEYS.iter().filter(|key| key.name.split('.').next() == Some(table));
    is_table(table) && keys.any(|key| *scope(key) != Scope::Plan && scope(key).concerns(link.name()))
}
