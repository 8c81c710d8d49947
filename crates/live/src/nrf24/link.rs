//! Two virtual nodes in real time, without devices: time and packets come in, packets go out.

use airtime_core::{Instant, Packet, Pool};
use airtime_nrf24::host::Host;
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::Network;
use airtime_nrf24::wires::SharedChip;

use super::ENDS;
use super::end::End;
use super::watch::Watch;
use crate::ip::Outside;
use crate::pace::Pacer;

/// Starts the program of an end on its chips, in whatever state they are.
pub type Starter<H> = Box<dyn FnMut(usize, &[SharedChip], Instant) -> H>;

/// Two nodes on one medium, paced.
pub struct Link<H> {
    network: Network<End<H>, Outside, Watch>,
    pacer: Pacer,
    starter: Starter<H>,
    /// Number of times that the program of each end was started.
    starts: [u64; ENDS.len()],
}

impl<H: Host> Link<H> {
    /// Both ends on their chips, `a`'s first, which `starter` starts.
    ///
    /// # Panics
    /// When the two ends cannot have equally many chips.
    pub fn new(medium: Medium, chips: Vec<SharedChip>, mut starter: Starter<H>, watch: Watch) -> Self {
        let radios = chips.len() / ENDS.len();
        let mut start = |end: usize| starter(end, &chips[end * radios..(end + 1) * radios], Instant::ZERO);
        let hosts = (0..ENDS.len()).map(|end| End::Up(start(end))).collect();
        let pool = Pool::new();
        let above = ENDS.map(|_| Outside::new(pool.clone())).into();
        let mut network = Network::new(medium, chips, hosts, above, watch);
        network.start(Instant::ZERO);
        let pacer = Pacer::new(&network);
        Self { network, pacer, starter, starts: [1; ENDS.len()] }
    }

    /// Tells if a packet for `end` may be given to [`receive`](Self::receive).
    pub fn has_room(&self, end: usize) -> bool {
        self.network.above[end].has_room()
    }

    /// A packet from the device of `end` has arrived at `wall`, which is when its host gets it; where events after `wall`
    /// are processed already, it gets it next.
    pub fn receive(&mut self, end: usize, wall: Instant, packet: &[u8]) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.network, |network, touched| {
            network.above[end].receive(wall.max(now), packet);
            network.attend_above(end, now, touched);
        });
    }

    /// The next packet for the device of `end`.
    pub fn outgoing(&mut self, end: usize) -> Option<Packet> {
        self.network.above[end].outgoing()
    }

    /// Processes what is due by `wall()`, at most 1 ms of it; says whether that was all.
    pub fn catch_up(&mut self, wall: impl FnMut() -> Instant) -> bool {
        self.pacer.catch_up(&mut self.network, wall)
    }

    /// Kills the program of `end`: everything it knew is lost. Its chips go on as they are. False when nothing ran.
    pub fn kill(&mut self, end: usize) -> bool {
        if !self.is_up(end) {
            return false;
        }
        self.replace(end, End::Down);
        true
    }

    /// Starts the program of `end` again. False when it runs.
    pub fn start(&mut self, end: usize) -> bool {
        if self.is_up(end) {
            return false;
        }
        let radios = self.network.radios();
        let chips = &self.network.chips()[end * radios..(end + 1) * radios];
        let host = (self.starter)(end, chips, self.pacer.now());
        self.starts[end] += 1;
        self.replace(end, End::Up(host));
        true
    }

    fn replace(&mut self, end: usize, host: End<H>) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.network, |network, touched| network.replace_host(end, now, host, None, touched));
    }

    /// Tells if the program of `end` runs.
    pub fn is_up(&self, end: usize) -> bool {
        self.network.hosts[end].is_up()
    }

    /// Number of times that the program of `end` was started.
    pub fn starts(&self, end: usize) -> u64 {
        self.starts[end]
    }

    /// The event loop against the clock.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }

    /// The nodes on their medium.
    pub fn network(&self) -> &Network<End<H>, Outside, Watch> {
        &self.network
    }
}
