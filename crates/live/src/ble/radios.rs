//! Virtual radios in real time, without the sockets: time and bytes come in, bytes go out.

use std::io;

use airtime_app::Outcome;
use airtime_ble::controller::Controller;
use airtime_ble::host::Role;
use airtime_ble::medium::Medium;
use airtime_ble::network::{Device, Network};
use airtime_ble::transport::Bus;
use airtime_ble_link::run::tune;
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, Instant, Pool};

use crate::ble::config::{Config, EndpointConfig, PeerConfig};
use crate::ble::endpoint::{Endpoint, LINE_PACKETS};
use crate::ble::event::Sink;
use crate::ble::host::Own;
use crate::ble::station::Above;
use crate::ble::watch::Watch;
use crate::pace::Pacer;
use crate::rpc::ServedConfig;

/// Stall of the machine that was longer than a connection interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Time by which events were late.
    pub lag: Duration,
    /// Shortest connection interval meanwhile.
    pub interval: Duration,
}

/// Every controller on one medium, paced.
pub struct Radios {
    network: Network<Above, Watch>,
    pacer: Pacer,
}

impl Radios {
    /// The radios of `config`: its endpoints first, then its peers, then what is called. What happens goes to `sink` as
    /// well, if there is one.
    ///
    /// # Panics
    /// If something is to be called and the system has no randomness, or no memory for it.
    pub fn new(config: &Config, sink: Option<Sink>) -> Self {
        Self::open(config, sink).expect("the system has randomness and memory")
    }

    /// The same where the system may have neither.
    ///
    /// # Errors
    /// When something is to be called and the system has no randomness, or no memory for it.
    pub fn open(config: &Config, sink: Option<Sink>) -> io::Result<Self> {
        let pool = Pool::new();
        let outside = config.endpoints.iter().map(|endpoint| outside(endpoint, &pool));
        let own = config.peers.iter().map(|peer| own(peer, &pool));
        let called = config.served.iter().map(|served| called(served, &pool));
        let devices = outside.chain(own).map(Ok).chain(called).collect::<io::Result<Vec<_>>>()?;
        // What is lost is lost at a receiver, each with a stream of its own.
        let none = LossProcess::new(Loss::None, stream(0, "live/loss"));
        let mut medium = Medium::new(devices.len(), none, config.co_channel);
        let losses = config.endpoints.iter().map(|e| (e.loss, e.seed)).chain(config.peers.iter().map(PeerConfig::loss));
        let losses = losses.chain(
            config
                .served
                .iter()
                .map(|served| (served.scenario.connection.loss_at(Role::Peripheral), served.scenario.run.seed)),
        );
        let ends = config.peers.iter().map(|peer| (&peer.scenario, peer.role));
        let ends = ends.chain(config.served.iter().map(|served| (&served.scenario, Role::Peripheral)));
        for (device, (scenario, end)) in (config.endpoints.len()..).zip(ends) {
            tune(&mut medium, device, scenario, end, scenario.run.seed);
        }
        for (device, (loss, seed)) in losses.enumerate().filter(|(_, (loss, _))| *loss != Loss::None) {
            medium.set_loss_at(device, LossProcess::new(loss, stream(seed, &format!("live/loss/{device}"))));
        }
        let watch = Watch::new(sink);
        let mut network = Network::new(medium, devices, watch).over(buses(config));
        network.start(Instant::ZERO);
        let pacer = Pacer::new(&network);
        Ok(Self { network, pacer })
    }

    /// The endpoint that is device `device`, if it is one.
    pub fn endpoint(&mut self, device: usize) -> Option<&mut Endpoint> {
        self.network.devices.get_mut(device)?.station.endpoint()
    }

    /// A host has come to endpoint `device`.
    pub fn plug(&mut self, device: usize) {
        if let Some(endpoint) = self.endpoint(device) {
            endpoint.plug();
        }
    }

    /// The host of endpoint `device` has gone, and takes the power of its controller with it: its peers
    /// see a supervision timeout.
    pub fn unplug(&mut self, device: usize) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.network, |network, touched| {
            let Device { controller, station } = &mut network.devices[device];
            let Some(endpoint) = station.endpoint() else { return };
            endpoint.unplug();
            let fresh = controller.after_power_loss();
            network.replace_controller(device, fresh, touched);
            network.attend(device, now, touched);
            network.observer.silenced(now, device);
        });
    }

    /// The host of endpoint `device` has taken the first `octets` that wait for it.
    pub fn sent(&mut self, device: usize, octets: usize) {
        let carried = self.endpoint(device).map_or(0, |endpoint| endpoint.sent(octets));
        if carried > 0 {
            let now = self.pacer.now();
            self.pacer.act(&mut self.network, |network, touched| network.carried(device, carried, now, touched));
        }
    }

    /// Octets from the host of endpoint `device` have arrived at `wall`, which is when its controller
    /// gets them; where events after `wall` are processed already, it gets them next.
    pub fn receive(&mut self, device: usize, wall: Instant, bytes: &[u8]) {
        self.take_in(device, wall, |endpoint| endpoint.receive(bytes));
    }

    /// Turns what a flood has left over into packets, as far as there is room.
    pub fn refill(&mut self, wall: Instant) {
        for device in 0..self.network.devices.len() {
            if self.endpoint(device).is_some_and(|endpoint| endpoint.can_refill()) {
                self.take_in(device, wall, |_| {});
            }
        }
    }

    /// True if [`refill`](Self::refill) has something to do.
    pub fn can_refill(&mut self) -> bool {
        let mut endpoints = self.network.devices.iter_mut().filter_map(|device| device.station.endpoint());
        endpoints.any(|endpoint| endpoint.can_refill())
    }

    fn take_in(&mut self, device: usize, wall: Instant, receive: impl FnOnce(&mut Endpoint)) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.network, |network, touched| {
            let Some(endpoint) = network.devices[device].station.endpoint() else { return };
            receive(endpoint);
            endpoint.refill(wall.max(now));
            network.attend(device, now, touched);
        });
    }

    /// Processes what is due by `wall()`, at most 1 ms of it; says whether that was all.
    pub fn catch_up(&mut self, wall: impl FnMut() -> Instant) -> bool {
        let done = self.pacer.catch_up(&mut self.network, wall);
        self.network.observer.look(self.pacer.now(), &self.network.devices);
        done
    }

    /// Takes the longest lag since it was taken last, and the shortest connection interval, if it was longer than that: links then
    /// carry less than they would, for hosts are answered late.
    pub fn take_stall(&mut self) -> Option<Stall> {
        let lag = self.pacer.take_worst();
        let interval = self.network.observer.shortest_interval()?;
        (lag > interval).then_some(Stall { lag, interval })
    }

    /// Takes outcomes of our own hosts that are news.
    pub fn take_news(&mut self) -> Vec<(usize, Outcome)> {
        self.network.observer.take_news()
    }

    /// The event loop against the clock.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// The controllers with what sits on them, on their medium.
    pub fn network(&self) -> &Network<Above, Watch> {
        &self.network
    }
}

/// Bus of each controller. An outside host brings a transport of its own, which takes the time that it takes.
fn buses(config: &Config) -> impl Iterator<Item = Bus> {
    let outside = config.endpoints.iter().map(|_| Bus::Memory);
    let own = config.peers.iter().map(|peer| peer.device().bus);
    outside.chain(own).chain(config.served.iter().map(|served| served.scenario.peripheral.bus))
}

fn outside(config: &EndpointConfig, pool: &Pool) -> Device<Above> {
    let controller = Controller::new(config.controller, config.address, pool.clone()).below_bus(LINE_PACKETS);
    let endpoint = Endpoint::new(config.controller.acl_count, pool.clone());
    Device { controller, station: Above::Outside(Box::new(endpoint)) }
}

fn called(config: &ServedConfig, pool: &Pool) -> io::Result<Device<Above>> {
    let served = config.station(pool)?;
    let controller =
        airtime_ble_link::run::end(&config.scenario, Role::Peripheral, config.address, None, pool).controller;
    Ok(Device { controller, station: Above::Served(Box::new(served)) })
}

fn own(config: &PeerConfig, pool: &Pool) -> Device<Above> {
    let own = Own::new(config.clone(), pool.clone());
    let controller = airtime_ble_link::run::end(&config.scenario, config.role, config.address, None, pool).controller;
    Device { controller, station: Above::Own(Box::new(own)) }
}
