//! A link of two nodes as a plan has them.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_core::{Instant, Pool};
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::plan::Scenario;
use airtime_nrf24::run::{Node, NodeConfig, node};
use airtime_nrf24::stall::Stalling;
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::wires::SharedChip;

use super::nodes::Nodes;
use super::watch::Watch;
use crate::ip::{ENDS, PacedLink};
use airtime_hw::fresh_epoch;

/// Program on the chips of an end.
pub type Program = Stalling<Node>;

/// The nodes of `scenario`, set up as in a run, both started. Its traffic is left aside; its seed is that of what the air
/// loses. Every start of a tunnel gets a new epoch from the system.
pub fn link(scenario: &Scenario) -> PacedLink<Nodes<Program>> {
    let radios = usize::from(scenario.mode().radios());
    let seed = scenario.run.seed;
    let chip = |_| -> SharedChip { Rc::new(RefCell::new(Chip::new(Options::default()))) };
    let chips: Vec<_> = (0..ENDS.len() * radios).map(chip).collect();
    let medium = scenario.air.medium(radios, scenario.radio.rate, seed);
    let watch = Watch::new(scenario);
    let (scenario, pool) = (scenario.clone(), Pool::new());
    let starter = move |end: usize, chips: &[SharedChip], now: Instant| {
        let mut config = node(&scenario, end, seed, now);
        if let NodeConfig::Station(station) = &mut config {
            // Where the system has no random numbers, that of the laboratory has to do.
            station.tunnel.epoch = fresh_epoch().unwrap_or(station.tunnel.epoch ^ now.as_nanos());
        }
        Stalling::new(Node::new(chips, config, &pool, now), now, scenario.stall.period())
    };
    PacedLink::new(Nodes::new(medium, chips, Box::new(starter), watch))
}

/// The mode that the tunnel of a node has agreed on with the other; none before, nor ever in the published tunnel.
pub fn agreed(program: &Program) -> Option<Mode> {
    match &program.host {
        Node::Station(station) => station.with_tunnel(|tunnel| tunnel.agreed()),
        Node::Legacy(_) | Node::Raw(_) | Node::Gateway(_) => None,
    }
}
