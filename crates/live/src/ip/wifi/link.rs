//! The pipeline as a plan has it, between two devices.

use airtime_core::{Instant, Pool, Touched};
use airtime_wifi::cell::Cell;
use airtime_wifi::ledger::{Books, Direction};
use airtime_wifi::network::{End, Network};
use airtime_wifi::plan::Scenario;
use airtime_wifi::run::config;

use super::tun_interface::TunInterface;
use crate::ip::{self, ENDS, Joined, PacedLink, Served};

/// The pipeline with a device at either end.
pub type Pipeline = Network<TunInterface, TunInterface, Books>;

/// The ends, in the order of their namespaces.
pub(super) const PLACES: [End; ENDS.len()] = [End::Host, End::Far];

/// The chain, the air and the path of `scenario`, up and connected. Its traffic and its stack are left aside; its seed is that of
/// backoffs and losses.
pub fn link(scenario: &Scenario) -> PacedLink<Pipeline> {
    let pool = Pool::new();
    let cell = Cell::new(config::cell(scenario), pool.clone(), scenario.run.seed);
    let chain = scenario.chips().map(|hosted| config::chain(scenario, hosted, &pool));
    let [above, far] = [(); 2].map(|()| TunInterface::new(pool.clone()));
    let books = Books::new(Instant::ZERO, Direction::Both);
    let mut network = Network::new(&pool, scenario.path(), cell, chain, above, far, books);
    network.start(Instant::ZERO);
    PacedLink::new(network)
}

impl Joined for Pipeline {
    fn queue(&self, end: usize) -> &ip::TunQueue {
        if PLACES[end] == End::Host { &self.above.device } else { &self.far.device }
    }

    fn queue_mut(&mut self, end: usize) -> &mut ip::TunQueue {
        if PLACES[end] == End::Host { &mut self.above.device } else { &mut self.far.device }
    }

    fn carry_from(&mut self, end: usize, now: Instant, touched: &mut Touched) {
        self.attend(PLACES[end], now, touched);
    }
}

impl Served for PacedLink<Pipeline> {
    type Plant = Pipeline;

    fn link(&self) -> &Self {
        self
    }

    fn link_mut(&mut self) -> &mut Self {
        self
    }
}
