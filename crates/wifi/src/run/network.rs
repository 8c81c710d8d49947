//! A scenario's parts as one plant.

use alloc::rc::Rc;
use core::cell::RefCell;

use crate::cell::Cell;
use crate::network::{Network, Observer};
use crate::plan::Scenario;
use airtime_core::{Instant, Pool};
use airtime_net::Watch;

use super::config;
use super::ends::{FarEnd, HostEnd};
use airtime_net::measure::{Eyes, Tally};

/// The plant of a run.
pub type Built<W, O> = Network<HostEnd<Eyes<W>>, FarEnd<Eyes<W>>, O>;

/// The plant of `scenario`, with a cell that draws from `seed` and traffic from `start` on. `observer` is the sink of what
/// happens below the stacks, `tally` and `watches` of what happens above them, the host's first.
pub fn build<W: Watch, O: Observer>(
    scenario: &Scenario,
    seed: u64,
    start: Instant,
    observer: O,
    tally: &Rc<RefCell<Tally>>,
    watches: [W; 2],
) -> Built<W, O> {
    let pool = Pool::new();
    let cell = Cell::new(config::cell(scenario), pool.clone(), seed);
    let chain = scenario.chips().map(|hosted| config::chain(scenario, hosted, &pool));
    let [host, far] = watches;
    let host = HostEnd::new(scenario, start, &pool, Eyes::new(0, tally.clone(), host));
    let far = FarEnd::new(scenario, start, &pool, Eyes::new(1, tally.clone(), far));
    Network::new(&pool, scenario.path(), cell, chain, host, far, observer)
}
