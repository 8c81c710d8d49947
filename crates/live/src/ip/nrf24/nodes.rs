//! Two nodes, each with a device above it, and what starts their programs.

use airtime_core::{Instant, Plant, Pool, Touched};
use airtime_nrf24::host::Host;
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::Network;
use airtime_nrf24::wires::SharedChip;

use super::killable::Killable;
use super::watch::Watch;
use crate::ip::{ENDS, Joined, PacedLink, TunQueue};

/// Starts the program of an end on its chips, in whatever state they are.
pub type Starter<H> = Box<dyn FnMut(usize, &[SharedChip], Instant) -> H>;

/// Two nodes on one medium.
pub struct Nodes<H> {
    network: Network<Killable<H>, TunQueue, Watch>,
    starter: Starter<H>,
    /// Number of times that the program of each end was started.
    starts: [u64; ENDS.len()],
}

impl<H: Host> Nodes<H> {
    /// Both ends on their chips, `a`'s first, which `starter` starts.
    ///
    /// # Panics
    /// When the two ends cannot have equally many chips.
    pub fn new(medium: Medium, chips: Vec<SharedChip>, mut starter: Starter<H>, watch: Watch) -> Self {
        let radios = chips.len() / ENDS.len();
        let mut start = |end: usize| starter(end, &chips[end * radios..(end + 1) * radios], Instant::ZERO);
        let hosts = (0..ENDS.len()).map(|end| Killable::Up(start(end))).collect();
        let pool = Pool::new();
        let above = ENDS.map(|_| TunQueue::new(pool.clone())).into();
        let mut network = Network::new(medium, chips, hosts, above, watch);
        network.start(Instant::ZERO);
        Self { network, starter, starts: [1; ENDS.len()] }
    }

    /// The nodes on their medium.
    pub fn network(&self) -> &Network<Killable<H>, TunQueue, Watch> {
        &self.network
    }

    /// Tells if the program of `end` runs.
    pub fn is_up(&self, end: usize) -> bool {
        self.network.hosts[end].is_up()
    }

    /// Number of times that the program of `end` was started.
    pub fn starts(&self, end: usize) -> u64 {
        self.starts[end]
    }

    fn start(&mut self, end: usize, now: Instant, touched: &mut Touched) {
        let radios = self.network.radios();
        let chips = &self.network.chips()[end * radios..(end + 1) * radios];
        let host = (self.starter)(end, chips, now);
        self.starts[end] += 1;
        self.network.replace_host(end, now, Killable::Up(host), None, touched);
    }
}

impl<H: Host> PacedLink<Nodes<H>> {
    /// Kills the program of `end`: everything it knew is lost. Its chips go on as they are. False when nothing ran.
    pub fn kill(&mut self, end: usize) -> bool {
        let runs = self.plant().is_up(end);
        if runs {
            self.act(|nodes, now, touched| nodes.network.replace_host(end, now, Killable::Down, None, touched));
        }
        runs
    }

    /// Starts the program of `end` again. False when it runs.
    pub fn start(&mut self, end: usize) -> bool {
        let runs = self.plant().is_up(end);
        if !runs {
            self.act(|nodes, now, touched| nodes.start(end, now, touched));
        }
        !runs
    }
}

impl<H: Host> Joined for Nodes<H> {
    fn queue(&self, end: usize) -> &TunQueue {
        &self.network.above[end]
    }

    fn queue_mut(&mut self, end: usize) -> &mut TunQueue {
        &mut self.network.above[end]
    }

    fn carry_from(&mut self, end: usize, now: Instant, touched: &mut Touched) {
        self.network.attend_above(end, now, touched);
    }
}

impl<H: Host> Plant for Nodes<H> {
    fn nodes(&self) -> usize {
        self.network.nodes()
    }

    fn deadline(&self, node: usize) -> Option<Instant> {
        self.network.deadline(node)
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        self.network.wake(node, now, touched);
    }
}
