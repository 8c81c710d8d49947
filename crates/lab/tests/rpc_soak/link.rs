//! A link that is lost again and again, with the mix of calls on it.

use airtime_app::rpc::{self as app, Central, Peripheral};
use airtime_ble::hci::Status;
use airtime_ble::host::{Address, Host, Profile, Starved};
use airtime_ble::medium::Transmission;
use airtime_ble::network::{Device, Network, Observer};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::plan;
use airtime_ble_link::run::{FLASH_OCTETS, called_config, calling_config, controller, host_config};
use airtime_ble_link::station::{SeededSecrets, Station, StationOutput};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant, Pool};

use super::counted::Counted;
use super::end::{Called, Calling, End, Role};
use super::mixed::Mixed;
use crate::support;

const CENTRAL_ADDRESS: Address = [0, 0, 0, 0x5e, 0, 0xc0];
const PERIPHERAL_ADDRESS: Address = [1, 0, 0, 0x5e, 0, 0xc0];

/// Why connections of the central ended.
#[derive(Debug, Default)]
pub struct Ends {
    pub timeouts: u32,
    pub never_stood: u32,
    pub others: Vec<Status>,
}

impl Observer<StationOutput> for Ends {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}

    fn trace(&mut self, _now: Instant, device: usize, trace: &Trace, _starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionClosed { reason: Status::CONNECTION_TIMEOUT, .. } if device == 0 => self.timeouts += 1,
            Trace::ConnectionClosed { reason: Status::FAILED_TO_ESTABLISH, .. } if device == 0 => self.never_stood += 1,
            Trace::ConnectionClosed { reason, .. } if device == 0 => self.others.push(reason),
            _ => {}
        }
    }

    fn event(&mut self, _now: Instant, _device: usize, _event: &StationOutput) {}
}

/// A link under way.
pub struct Link {
    pub network: Network<End, Ends>,
    events: EventLoop,
    pool: Pool,
}

impl Link {
    /// The link of a plan of remote calls with these keys besides, whose central calls until `until`.
    pub fn new(set: &[(&str, &str)], seed: u64, until: Instant) -> Self {
        let all: Vec<_> = [("link", "ble-rpc")].iter().chain(set).copied().collect();
        let (_, point) = support::plan(&all);
        let scenario = support::ble(&point);
        let pool = Pool::new();
        let ends = [calling(scenario, seed, until, &pool), called(scenario, seed, &pool)];
        let air = airtime_ble_link::run::medium(scenario, seed, ends.len());
        let mut network = Network::new(air, ends.into(), Ends::default());
        let mut events = EventLoop::new(Instant::ZERO, &network);
        network.start(Instant::ZERO);
        events.refresh(&network);
        Self { network, events, pool }
    }

    /// Runs for another `span`.
    pub fn run(&mut self, span: Duration) {
        let until = self.events.now() + span;
        self.events.run_until(&mut self.network, until);
    }

    /// The time.
    pub fn now(&self) -> Instant {
        self.events.now()
    }

    /// The end that calls.
    pub fn calling(&self) -> &Calling {
        match &self.network.devices[0].station.role {
            Role::Calling(station) => station,
            Role::Called(_) => unreachable!("device 0 calls"),
        }
    }

    /// The end that is called.
    pub fn called(&self) -> &Called {
        match &self.network.devices[1].station.role {
            Role::Called(station) => station,
            Role::Calling(_) => unreachable!("device 1 is called"),
        }
    }

    /// Packets that are in nobody's hands: as many as were ever under way at once, but for those that are now.
    pub fn idle_packets(&self) -> usize {
        self.pool.idle()
    }
}

fn calling(scenario: &plan::Scenario, seed: u64, until: Instant, pool: &Pool) -> Device<End> {
    let calls = scenario.rpc.as_ref().expect("a scenario of remote calls");
    // The laboratory gives up some day; this one does not.
    let config = app::CentralConfig { reconnects: u16::MAX, ..calling_config(scenario, calls) };
    let machine = Central::new(config, Mixed::new(seed, until), SeededSecrets::new(seed, "central"));
    let host = Host::new(host_config(&scenario.central, Profile::Rpc), pool.clone());
    let role = Role::Calling(Box::new(Station::new(host, machine)));
    let station = End::new(role, stream(seed, "soak/central"));
    Device { controller: controller(scenario, &scenario.central, CENTRAL_ADDRESS, pool), station }
}

fn called(scenario: &plan::Scenario, seed: u64, pool: &Pool) -> Device<End> {
    let calls = scenario.rpc.as_ref().expect("a scenario of remote calls");
    let service = Counted::new(seed, calls.mode, FLASH_OCTETS);
    let secrets = SeededSecrets::new(seed, "peripheral");
    let machine = Peripheral::new(called_config(scenario, calls, 0), service, secrets);
    let host = Host::new(host_config(&scenario.peripheral, Profile::Rpc), pool.clone());
    let role = Role::Called(Box::new(Station::new(host, machine)));
    let station = End::new(role, stream(seed, "soak/peripheral"));
    Device { controller: controller(scenario, &scenario.peripheral, PERIPHERAL_ADDRESS, pool), station }
}
