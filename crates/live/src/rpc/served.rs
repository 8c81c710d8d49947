//! The peripheral that is called: our own host with the test service.

use std::io;

use airtime_app::rpc::Peripheral;
use airtime_ble::host::{Address, Host, Profile};
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::{called_config, host_config};
use airtime_ble_link::station::Station;
use airtime_core::Pool;
use airtime_rpc::service::TestService;

use super::counted::Counted;
use super::memory::Memory;
use super::secrets::Noted;
use super::work::Peer;

/// A peripheral that is called.
#[derive(Clone, Debug, PartialEq)]
pub struct ServedConfig {
    /// Scenario with remote calls: the way in which it is connected, and in which frames travel.
    pub scenario: Scenario,
    /// Its public address.
    pub address: Address,
    /// Seed of its identity; without one it serves in the open.
    pub identity: Option<[u8; 32]>,
    /// Set if it offers the extension.
    pub extended: bool,
    /// Octets of its memory.
    pub memory: u32,
}

/// The peripheral of remote calls on its host.
pub type Served = Station<Peripheral<Counted<TestService<Memory>>, Noted>>;

impl ServedConfig {
    /// The peripheral with randomness of the system's.
    ///
    /// # Errors
    /// When there is none, or no memory.
    pub fn station(&self, pool: &Pool) -> io::Result<Served> {
        let no_randomness =
            |error: io::Error| io::Error::new(error.kind(), format!("the system has no randomness: {error}"));
        self.with(Noted::from_system(self.identity, Peer::default()).map_err(no_randomness)?, pool)
    }

    /// The peripheral with secrets of these.
    ///
    /// # Errors
    /// When there is no memory.
    ///
    /// # Panics
    /// If the scenario has no remote calls.
    pub fn with(&self, secrets: Noted, pool: &Pool) -> io::Result<Served> {
        let calls = self.scenario.rpc.as_ref().expect("a scenario with remote calls");
        let mut config = called_config(&self.scenario, calls, 0);
        config.server.extended = self.extended;
        config.server.encrypted = self.identity.is_some();
        let service = Counted::new(TestService::new(Memory::new(self.memory)?));
        let host = Host::new(host_config(&self.scenario.peripheral, Profile::Rpc), pool.clone());
        Ok(Station::new(host, Peripheral::new(config, service, secrets)))
    }
}
