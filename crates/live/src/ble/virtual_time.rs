//! A job done on virtual radios in virtual time: both ends of a plan.

use airtime_ble::host::Role;
use airtime_ble::network::{Device, Network};
use airtime_ble_link::run;
use airtime_core::{EventLoop, Instant, Pool};

use super::station::Above;
use super::watch::Watch;
use crate::rpc::secrets::Noted;
use crate::rpc::work::{Job, Peer};
use crate::rpc::{Calling, CallingConfig, ServedConfig};

/// Steps of the event loop between two looks at how far it is.
const STEPS: u32 = 10_000;

/// A central with a job and a peripheral that serves it.
pub struct Virtual {
    network: Network<Above, Watch>,
    events: EventLoop,
}

impl Virtual {
    /// Both ends. Secrets, losses and with them the whole run follow from the seed of the calling end's plan.
    pub fn new(calling: &CallingConfig, served: &ServedConfig, job: Job) -> Self {
        let (pool, seed) = (Pool::new(), calling.scenario.run.seed);
        let central = Noted::from_seed(seed, "central", job.peer().clone());
        let peripheral = Noted::from_seed(seed, "peripheral", Peer::default());
        let controller = |scenario, role, address| run::end(scenario, role, address, None, &pool).controller;
        let devices = vec![
            Device {
                controller: controller(&calling.scenario, Role::Central, CENTRAL),
                station: Above::Calling(Box::new(calling.station(job, central, &pool))),
            },
            Device {
                controller: controller(&served.scenario, Role::Peripheral, served.address),
                station: Above::Served(Box::new(served.with(peripheral, &pool).expect("there is memory"))),
            },
        ];
        let buses = [calling.scenario.central.bus, served.scenario.peripheral.bus];
        let medium = run::medium(&calling.scenario, seed, devices.len());
        let mut network = Network::new(medium, devices, Watch::new(None)).over(buses);
        network.start(Instant::ZERO);
        let events = EventLoop::new(Instant::ZERO, &network);
        Self { network, events }
    }

    /// Goes on for a while; says whether there is more to do.
    pub fn run(&mut self) -> bool {
        for _ in 0..STEPS {
            if self.is_over() || !self.events.step(&mut self.network, Instant::FAR_FUTURE) {
                return false;
            }
        }
        true
    }

    /// Up to when everything was processed.
    pub fn now(&self) -> Instant {
        self.events.now()
    }

    /// The end that calls.
    ///
    /// # Panics
    /// Never: it is made with one.
    pub fn calling(&self) -> &Calling {
        match &self.network.devices[0].station {
            Above::Calling(station) => station,
            _ => unreachable!("the first device calls"),
        }
    }

    fn is_over(&self) -> bool {
        self.calling().application().is_over()
    }
}

/// Public address of the central.
const CENTRAL: [u8; 6] = [0, 0, 0, 0x5e, 0x00, 0xc0];
