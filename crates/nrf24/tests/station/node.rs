//! Two nodes of ours.

use airtime_core::loss::Loss;
use airtime_core::{Instant, Pool};
use airtime_nrf24::stall::Stalling;
use airtime_nrf24::station::{Config, Station, StationEnd};
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::wires::SharedChip;

use super::rig::{Rig, Traffic, at};

pub type Nodes = Rig<Stalling<Station>>;

/// How two nodes are set up.
#[derive(Clone, Copy)]
pub struct Setup {
    pub mode: Mode,
    pub loss: Loss,
    pub change: fn(&mut Config),
}

impl Setup {
    pub fn new(mode: Mode) -> Self {
        Self { mode, loss: Loss::None, change: |_| {} }
    }

    /// The configuration of host `index`, started for the `start`th time.
    pub fn config(&self, index: usize, start: u64) -> Config {
        let mut config = Config::usual([StationEnd::A, StationEnd::B][index], self.mode, 10 * start + index as u64 + 1);
        (self.change)(&mut config);
        config
    }

    pub fn host(&self, chips: &[SharedChip], index: usize, start: u64, pool: &Pool, now: Instant) -> Stalling<Station> {
        let station = Station::new(chips, self.config(index, start), pool, now);
        Stalling::new(station, now, None)
    }

    /// Two nodes with this traffic.
    pub fn nodes(&self, above: impl FnOnce(&mut Traffic, &mut Traffic)) -> Nodes {
        self.nodes_with(|_| {}, above)
    }

    /// Two nodes with this traffic and a further change to both.
    pub fn nodes_with(&self, change: impl Fn(&mut Config), above: impl FnOnce(&mut Traffic, &mut Traffic)) -> Nodes {
        let radios = self.config(0, 0).radios.count();
        let host = |chips: &[SharedChip], index: usize, pool: &Pool| {
            let mut config = self.config(index, 0);
            change(&mut config);
            Stalling::new(Station::new(chips, config, pool, Instant::ZERO), Instant::ZERO, None)
        };
        Rig::new(radios, self.loss, host, above)
    }

    /// Two nodes of which a sends `payload` octets at `kbps` from 100 ms to 4.1 s, run for five seconds.
    pub fn up(&self, payload: usize, kbps: u64) -> Nodes {
        let mut nodes = self.nodes(|a, _| a.send(payload, kbps, at(100), at(4_100)));
        nodes.run_until(at(5_000));
        nodes.check();
        nodes
    }
}

impl Nodes {
    /// Nothing damaged, nothing out of order, no radio given up.
    pub fn check(&self) {
        for index in 0..2 {
            let station = &self.network.hosts[index].host;
            assert_eq!(station.failure(), None, "radio of host {index}");
            let sink = self.sink(index);
            assert_eq!((sink.damaged, sink.disordered), (0, 0), "host {index}");
        }
        // CE never falls while a payload waits, the PLL never runs open for too long, nothing is written too late.
        assert!(self.network.observer.0.lints.is_empty(), "{:?}", self.network.observer.0.lints);
    }

    /// Goodput at host `index` in kbit/s, from 500 ms to 4 s.
    pub fn kbps(&self, index: usize, payload: usize) -> u64 {
        self.sink(index).kbps(payload, at(500), at(4_000))
    }
}
