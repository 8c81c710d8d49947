//! One of our own hosts on somebody else's controller, in real time: time and bytes come in, bytes go
//! out. [`crate::dial`] adds the socket and the clock.

use std::collections::VecDeque;

use airtime_ble::network::{Station, StationOutput as Carried};
use airtime_ble_link::station::StationOutput;
use airtime_core::{Instant, Packet, Plant, Pool, Touched};

use crate::config::PeerConfig;
use crate::h4::Framer;
use crate::pace::Pacer;
use crate::station::Own;

/// Octets a controller may leave unread before it counts as gone. A host sends what its controller has
/// buffers for, and that is far less.
const OUTGOING_MAX: usize = 1 << 20;

/// Progress of a host with the test application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Octets of SDUs and values taken by the host.
    pub submitted: u64,
    /// Octets of SDUs and values that have arrived.
    pub delivered: u64,
    /// Start of the stream, once it began: the last one, after a reconnection.
    pub began: Option<Instant>,
    /// Streams that have begun.
    pub streams: u64,
    /// Tests that have ended.
    pub ended: u64,
}

/// One of our own hosts above a stream of H4 octets: with the test application, unless `S` says otherwise.
pub struct Client<S = Own> {
    wired: Wired<S>,
    pacer: Pacer,
}

/// The host with what waits on both sides of it.
struct Wired<S> {
    pool: Pool,
    own: S,
    framer: Framer,
    inbox: VecDeque<(Instant, Packet)>,
    outgoing: VecDeque<u8>,
    progress: Progress,
}

impl Client {
    /// The host of `config`; the controller, and so the address, is whatever the stream leads to.
    pub fn new(config: &PeerConfig) -> Self {
        Self::with(|pool| Own::new(config.scenario.clone(), config.role, config.address, pool.clone()))
    }
}

impl<S: Station<Event = StationOutput>> Client<S> {
    /// The host that `make` makes, whose packets are of this pool.
    pub fn with(make: impl FnOnce(&Pool) -> S) -> Self {
        let pool = Pool::new();
        let own = make(&pool);
        let mut wired = Wired {
            pool,
            own,
            framer: Framer::default(),
            inbox: VecDeque::new(),
            outgoing: VecDeque::new(),
            progress: Progress::default(),
        };
        wired.drain(Instant::ZERO);
        let pacer = Pacer::new(&wired);
        Self { wired, pacer }
    }

    /// Octets from the controller have arrived at `wall`; says whether they make sense.
    pub fn receive(&mut self, wall: Instant, bytes: &[u8]) -> bool {
        let at = wall.max(self.pacer.now());
        self.pacer.act(&mut self.wired, |wired, touched| {
            wired.framer.push(bytes);
            while let Some(packet) = wired.framer.packet() {
                wired.inbox.push_back((at, wired.pool.copy(packet)));
            }
            touched.note(0);
            !wired.framer.is_lost()
        })
    }

    /// Processes what is due by `wall()`, at most 1 ms of it; says whether that was all.
    pub fn catch_up(&mut self, wall: impl FnMut() -> Instant) -> bool {
        self.pacer.catch_up(&mut self.wired, wall)
    }

    /// The first octets that wait for the controller.
    pub fn outgoing(&self) -> &[u8] {
        self.wired.outgoing.as_slices().0
    }

    /// The controller has taken the first `octets`.
    pub fn sent(&mut self, octets: usize) {
        self.wired.outgoing.drain(..octets);
    }

    /// True if the controller has not read for too long.
    pub fn is_choked(&self) -> bool {
        self.wired.outgoing.len() >= OUTGOING_MAX
    }

    /// Progress of the host so far.
    pub fn progress(&self) -> Progress {
        self.wired.progress
    }

    /// The host with its application.
    pub fn own(&self) -> &S {
        &self.wired.own
    }

    /// Tells the host's application something, now.
    pub fn tell(&mut self, tell: impl FnOnce(&mut S)) {
        let now = self.pacer.now();
        self.pacer.act(&mut self.wired, |wired, touched| {
            tell(&mut wired.own);
            wired.drain(now);
            touched.note(0);
        });
    }

    /// The event loop against the clock.
    pub fn pacer(&self) -> &Pacer {
        &self.pacer
    }
}

impl<S: Station<Event = StationOutput>> Wired<S> {
    fn drain(&mut self, now: Instant) {
        while let Some(output) = self.own.poll(now) {
            match output {
                Carried::Hci(packet) => self.outgoing.extend(&*packet),
                Carried::Event(event) => self.progress.note(now, &event),
            }
        }
    }
}

impl Progress {
    fn note(&mut self, now: Instant, event: &StationOutput) {
        match event {
            StationOutput::Submitted(unit) => self.submitted += u64::from(unit.octets),
            StationOutput::Delivered(unit) => self.delivered += u64::from(unit.octets),
            StationOutput::StreamStarted { .. } => {
                self.began = Some(now);
                self.streams += 1;
            }
            StationOutput::Ended { .. } => self.ended += 1,
            _ => {}
        }
    }
}

impl<S: Station<Event = StationOutput>> Plant for Wired<S> {
    fn nodes(&self) -> usize {
        1
    }

    fn deadline(&self, _node: usize) -> Option<Instant> {
        self.inbox.front().map(|(at, _)| *at).into_iter().chain(self.own.deadline()).min()
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        touched.note(node);
        if self.own.deadline().is_some_and(|due| due <= now) {
            self.own.wake(now);
            self.drain(now);
        }
        while let Some((_, packet)) = self.inbox.pop_front_if(|(at, _)| *at <= now) {
            self.own.hci(now, &packet);
            self.drain(now);
        }
    }
}
