//! A scenario's nodes on one medium.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::chip::{Chip, Options};
use crate::network::{Network, Observer};
use crate::stall::Stalling;
use crate::wires::SharedChip;
use airtime_core::{Instant, Pool};
use airtime_net::Watch;

use super::config;
use super::node::Node;
use super::terminal::Terminal;
use crate::plan::Scenario;
use airtime_net::measure::{Eyes, Tally};

/// The plant of a run.
pub type Built<W, O> = Network<Stalling<Node>, Terminal<Eyes<W>>, O>;

/// The nodes of `scenario`, `a` first, on a medium with `seed`, with traffic from `start` on. `observer` is the sink of
/// what happens below the TUN devices, `tally` and `watches` of what happens above them.
pub fn build<W: Watch, O: Observer>(
    scenario: &Scenario,
    seed: u64,
    start: Instant,
    observer: O,
    tally: &Rc<RefCell<Tally>>,
    watches: [W; 2],
) -> Built<W, O> {
    let pool = Pool::new();
    let radios = usize::from(scenario.radios());
    let chip = || -> SharedChip { Rc::new(RefCell::new(Chip::new(Options::default()))) };
    let chips: Vec<SharedChip> = (0..2 * radios).map(|_| chip()).collect();
    let hosts = (0..2).map(|end| {
        let own = &chips[end * radios..(end + 1) * radios];
        let node = Node::new(own, config::node(scenario, end, seed, start), &pool, Instant::ZERO);
        let period = scenario.stall.period().filter(|_| scenario.traffic.direction.receives(end));
        Stalling::scattered(node, Instant::ZERO, period, seed)
    });
    let hosts = hosts.collect();
    let eyes = watches.into_iter().enumerate().map(|(end, watch)| (end, Eyes::new(end, tally.clone(), watch)));
    let above = eyes.map(|(end, eyes)| Terminal::new(scenario, end, seed, start, &pool, eyes)).collect();
    let medium = scenario.air.medium(radios, scenario.radio.rate, seed);
    Network::new(medium, chips, hosts, above, observer)
}
