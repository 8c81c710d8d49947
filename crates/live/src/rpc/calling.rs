//! The central that calls: our own host with a job.

use airtime_app::rpc::{Central, CentralConfig};
use airtime_ble::host::{Host, Profile};
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::{calling_config, host_config};
use airtime_ble_link::station::Station;
use airtime_core::{Duration, Pool};
use airtime_rpc::client::Encryption;

use super::secrets::Noted;
use super::work::Job;

/// The deadline of a transfer's calls, which are as long as they are; silence is the job's to notice.
const TRANSFER_PATIENCE: Duration = Duration::from_secs(3_600);

/// A central that calls.
#[derive(Clone, Debug, PartialEq)]
pub struct CallingConfig {
    /// Scenario with remote calls: the way in which it connects, and in which frames travel.
    pub scenario: Scenario,
    /// Encryption of calls, and the server they may be sealed with.
    pub encryption: Encryption,
    /// Longest wait for an answer.
    pub patience: Duration,
}

/// The central of remote calls on its host.
pub type Calling = Station<Central<Job, Noted>>;

impl CallingConfig {
    /// The central that does `job` with secrets of these.
    ///
    /// # Panics
    /// If the scenario has no remote calls.
    pub fn station(&self, job: Job, secrets: Noted, pool: &Pool) -> Calling {
        let host = Host::new(host_config(&self.scenario.central, Profile::Rpc), pool.clone());
        Station::new(host, Central::new(self.central(&job), job, secrets))
    }

    /// Configuration of the machine that does `job`, whatever host it is on.
    ///
    /// # Panics
    /// If the scenario has no remote calls.
    pub fn central(&self, job: &Job) -> CentralConfig {
        let calls = self.scenario.rpc.as_ref().expect("a scenario with remote calls");
        let mut config = calling_config(&self.scenario, calls);
        config.client.encryption = self.encryption;
        config.client.patience = if job.work().is_transfer() { TRANSFER_PATIENCE } else { self.patience };
        config
    }
}
