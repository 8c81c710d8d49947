//! Radios and hosts on a clock that the test turns.

use airtime_core::{Duration, Instant};
use airtime_lab::Library;
use airtime_live::ble::client::Client;
use airtime_live::ble::options::{endpoint, peer as read};
use airtime_live::{Config, PeerConfig, Radios, Report};

/// Endpoints of a server, by what stands behind `--hci`.
pub fn config(endpoints: &[&str]) -> Config {
    let library = Library::builtin();
    let endpoints = endpoints.iter().enumerate().map(|(index, text)| endpoint(index, text, &library).unwrap());
    Config { endpoints: endpoints.collect(), ..Config::default() }
}

/// One of our own hosts, by what stands behind `--peer`.
pub fn peer(index: usize, text: &str) -> PeerConfig {
    read(index, text, &Library::builtin()).unwrap()
}

/// A server, hosts on its endpoints, and the time.
pub struct Desk {
    pub radios: Radios,
    pub hosts: Vec<Option<Client>>,
    /// When each host has come: its clock begins then.
    since: Vec<Instant>,
    pub now: Instant,
    /// How far the clock goes on between two turns.
    pub turn: Duration,
    config: Config,
}

impl Desk {
    pub fn new(config: Config) -> Self {
        let radios = Radios::new(&config, None);
        let hosts = config.endpoints.iter().map(|_| None).collect();
        let since = vec![Instant::ZERO; config.endpoints.len()];
        Self { radios, hosts, since, now: Instant::ZERO, turn: Duration::from_micros(500), config }
    }

    /// One of our own hosts comes to endpoint `device`.
    pub fn plug(&mut self, device: usize, text: &str) {
        self.plug_host(device, &peer(device, text));
    }

    /// The host of `config` comes to endpoint `device`.
    pub fn plug_host(&mut self, device: usize, config: &PeerConfig) {
        self.radios.plug(device);
        self.hosts[device] = Some(Client::new(config));
        self.since[device] = self.now;
    }

    /// Delivers octets that are no HCI to the host at `device`.
    pub fn disturb(&mut self, device: usize, noise: &[u8]) {
        let own = Instant::ZERO + (self.now - self.since[device]);
        self.hosts[device].as_mut().unwrap().receive(own, noise);
    }

    /// The host of endpoint `device` goes.
    pub fn unplug(&mut self, device: usize) {
        self.hosts[device] = None;
        self.radios.unplug(device);
    }

    /// Raw octets from whoever is at `device`.
    pub fn send(&mut self, device: usize, bytes: &[u8]) {
        self.radios.receive(device, self.now, bytes);
    }

    /// What waits for whoever is at `device`.
    pub fn take(&mut self, device: usize) -> Vec<u8> {
        let mut taken = Vec::new();
        loop {
            let waits = self.radios.endpoint(device).unwrap().outgoing();
            if waits.is_empty() {
                return taken;
            }
            taken.extend_from_slice(waits);
            let octets = waits.len();
            self.radios.sent(device, octets);
        }
    }

    pub fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now = (self.now + self.turn).min(end);
            self.turn();
        }
    }

    pub fn turn(&mut self) {
        let now = self.now;
        self.radios.refill(now);
        while !self.radios.catch_up(|| now) {}
        for device in 0..self.hosts.len() {
            if self.hosts[device].is_none() {
                continue;
            }
            let bytes = self.take(device);
            let host = self.hosts[device].as_mut().unwrap();
            let own = Instant::ZERO + (now - self.since[device]);
            host.receive(own, &bytes);
            while !host.catch_up(|| own) {}
            assert_eq!(host.fault(), None, "a controller makes sense");
            let mut reply = Vec::new();
            while !host.outgoing().is_empty() {
                reply.extend_from_slice(host.outgoing());
                host.sent(host.outgoing().len());
            }
            if !reply.is_empty() {
                self.radios.receive(device, now, &reply);
            }
        }
    }

    pub fn report(&self) -> Report {
        let places: Vec<String> = self.config.endpoints.iter().map(|endpoint| endpoint.place.to_string()).collect();
        Report::new(&self.config, &places, &self.radios)
    }
}
