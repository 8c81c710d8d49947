//! From settings and personalities to a scenario: what every link shares, and which link it is.

use airtime_ble::plan as ble;
use airtime_core::loss::Loss;
use airtime_keys::{Keys, Run, Words};
use airtime_nrf24::plan as nrf24;
use serde_json::Value;

use super::foreign;
use super::params::params;
use super::scenario::{AnyLink, Scenario};
use super::settings::Settings;
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
        let link = match self.set.text("link") {
            Some("wifi-hosted") => AnyLink::Wifi(Box::new(self.wifi()?)),
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

    /// The scenario, checked.
    pub fn scenario(&self) -> Result<Scenario, PlanError> {
        let scenario = self.checked()?;
        Ok(Scenario { params: params(&scenario.link, self.set), ..scenario })
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

    /// A count that the schema keeps within `T`, or `missing`.
    pub fn count<T: TryFrom<u64>>(&self, name: &str, missing: T) -> T {
        self.set.count(name).and_then(|n| T::try_from(n).ok()).unwrap_or(missing)
    }

    /// Length and repeats.
    pub fn run(&self) -> Result<Run, PlanError> {
        Run::read(self.set).map_err(|fault| self.placed(fault))
    }

    /// The loss that the table of this name describes.
    pub fn loss(&self, table: &str) -> Result<Loss, PlanError> {
        let number = |name: &str| self.set.set(&format!("{table}.{name}")).and_then(Value::as_f64);
        let span = |name: &str| self.set.span(&format!("{table}.{name}"));
        let names: Vec<&str> = self.set.parts(table).iter().map(|(name, _)| *name).collect();
        match names[..] {
            [] => Ok(Loss::None),
            ["per"] => Ok(Loss::Packet { per: number("per").unwrap_or_default() }),
            ["ber"] => Ok(Loss::Bit { ber: number("ber").unwrap_or_default() }),
            ["good", "bad", "every", "burst"] => Ok(Loss::Burst {
                good: number("good").unwrap_or_default(),
                bad: number("bad").unwrap_or_default(),
                every: span("every").unwrap_or_default(),
                burst: span("burst").unwrap_or_default(),
            }),
            _ => {
                let keys: Vec<String> = names.iter().map(|name| format!("{table}.{name}")).collect();
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                let fault = Fault::new(format!("`{table}` with {} is not one kind of loss", names.join(", ")));
                Err(self.error(&keys, fault.allowing("{ per }, { ber }, { good, bad, every, burst }")))
            }
        }
    }
}

/// Whether any key of this table means something to `link`.
fn concerns(table: &str, link: &AnyLink) -> bool {
    let mut keys = KEYS.iter().filter(|key| key.name.split('.').next() == Some(table));
    is_table(table) && keys.any(|key| *scope(key) != Scope::Plan && scope(key).concerns(link.name()))
}
