//! Configuration of a server.

use airtime_ble::host::{Address, Role};
use airtime_ble::personality::Controller;
use airtime_ble_link::plan::{Device, Scenario};
use airtime_core::loss::Loss;

use super::place::Place;
use crate::rpc::ServedConfig;

/// Most controllers of one medium: it has one bit for each.
pub const DEVICES_MAX: usize = 64;

/// A server's endpoints and peers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// A controller for an outside host each; devices 0, 1, ….
    pub endpoints: Vec<EndpointConfig>,
    /// Our own hosts, each on a controller of its own; the devices after the endpoints.
    pub peers: Vec<PeerConfig>,
    /// Our own hosts that are called, each on a controller of its own; the devices after the peers.
    pub served: Vec<ServedConfig>,
    /// Set if links that meet on a channel spoil each other's packets.
    pub co_channel: bool,
    /// Set if an endpoint may be reached from other machines.
    pub allow_remote: bool,
}

/// A controller and where its host finds it.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointConfig {
    /// Place where hosts connect.
    pub place: Place,
    /// Its public address.
    pub address: Address,
    /// Name of its personality.
    pub personality: String,
    /// Behaviour of the controller.
    pub controller: Controller,
    /// Loss among the packets that it hears.
    pub loss: Loss,
    /// Seed of its losses.
    pub seed: u64,
}

/// One of our own hosts with the test application, and its controller.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerConfig {
    /// Name of the test: `coc-source`, ….
    pub name: String,
    /// The test it takes part in, with its personality and losses.
    pub scenario: Scenario,
    /// Role in the test: its end of it.
    pub role: Role,
    /// Its public address.
    pub address: Address,
    /// PSM of its channels, instead of the one that GATT publishes.
    pub psm: Option<u16>,
}

impl PeerConfig {
    /// Loss among the packets that it hears, and the seed of that.
    pub fn loss(&self) -> (Loss, u64) {
        (self.scenario.connection.loss_at(self.role), self.scenario.run.seed)
    }

    /// Its personality, with what the options have changed.
    pub fn device(&self) -> &Device {
        match self.role {
            Role::Central => &self.scenario.central,
            Role::Peripheral => &self.scenario.peripheral,
        }
    }

    /// `central` or `peripheral`.
    pub fn role_name(&self) -> &'static str {
        match self.role {
            Role::Central => "central",
            Role::Peripheral => "peripheral",
        }
    }
}
