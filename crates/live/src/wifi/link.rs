//! The pipeline in real time, without devices: time and packets come in, packets go out.

use airtime_core::{Instant, Packet, Pool};
use airtime_wifi::cell::Cell;
use airtime_wifi::ledger::{Books, Direction};
use airtime_wifi::network::{End, Network};
use airtime_wifi::plan::Scenario;
use airtime_wifi::run::config;

use super::outside::Outside;
use crate::pace::Pacer;

/// The pipeline, paced.
pub struct Link {
    network: Network<Outside, Outside, Books>,
    pacer: Pacer,
}

impl Link {
    /// The chain, the air and the path of `scenario`, up and connected. Its traffic and its stack are left aside; its seed is that of
    /// backoffs and losses.
    pub fn new(scenario: &Scenario) -> Self {
        let pool = Pool::new();
        let cell = Cell::new(config::cell(scenario), pool.clone(), scenario.run.seed);
        let chain = scenario.chips().map(|hosted| config::chain(scenario, hosted, &pool));
        let [above, far] = [(); 2].map(|()| Outside::new(pool.clone()));
        let books = Books::new(Instant::ZERO, Direction::Both);
        let mut network = Network::new(&pool, scenario.path.config(), cell, chain, above, far, books);
        network.start(Instant::ZERO);
        let pacer = Pacer::new(&network);
        Self { network, pacer }
    }

    fn end(&self, end: End) -> &Outside {
        if end == End::Host { &self.network.above } else { &self.network.far }
    }

    /// Tells if a packet for `end` may be given to [`receive`](Self::receive).
    pub fn has_room(&self, end: End) -> bool {
        self.end(end).has_room()
    }

    /// A packet from the device of `end` has arrived at `wall`; where events after `wall` are processed already, it counts from then.
    pub fn receive(&mut self, end: End, wall: Instant, packet: &[u8]) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.network, |network, touched| {
            let outside = if end == End::Host { &mut network.above } else { &mut network.far };
            outside.receive(wall.max(now), packet);
            network.attend(end, now, touched);
        });
    }

    /// The next packet for the device of `end`.
    pub fn outgoing(&mut self, end: End) -> Option<Packet> {
        let outside = if end == End::Host { &mut self.network.above } else { &mut self.network.far };
        outside.outgoing()
    }

    /// Processes what is due by `wall()`, at most 1 ms of it; says whether that was all.
    pub fn catch_up(&mut self, wall: impl FnMut() -> Instant) -> bool {
        self.pacer.catch_up(&mut self.network, wall)
    }

    /// Packets for the device of `end` that found no room.
    pub fn overflow(&self, end: End) -> u64 {
        self.end(end).overflow()
    }

    /// The event loop against the clock.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// The pipeline.
    pub fn network(&self) -> &Network<Outside, Outside, Books> {
        &self.network
    }
}
