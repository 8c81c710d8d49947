//! One of our own hosts on somebody else's controller, in real time: time and bytes come in, bytes go
//! out. [`crate::ble::dial`] adds the socket and the clock.

use std::collections::VecDeque;

use airtime_app::Outcome;
use airtime_ble::host::HostEvent;
use airtime_ble::network::{Station, StationOutput as Carried};
use airtime_ble_link::station::StationOutput;
use airtime_core::{Duration, Instant, Packet, Plant, Pool, Touched};
use thiserror::Error;

use crate::ble::config::PeerConfig;
use crate::ble::h4::RESET;
use crate::ble::host::{Own, Restart};
use crate::ble::line::{Due, Line, PATIENCE};
use crate::ble::rate::Rate;
use crate::pace::Pacer;

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
    /// Outcome of the last one.
    pub outcome: Option<Outcome>,
    /// Set once the controller was configured.
    pub ready: bool,
    /// Connections that came about.
    pub connections: u64,
}

/// Reason that a controller is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// It has not answered.
    #[error(
        "the controller has not answered HCI Reset for {PATIENCE}; is there one that speaks H4, at this rate and with flow control?"
    )]
    Unanswered,
    /// It has answered, and makes no sense any more.
    #[error("the controller makes no sense any more")]
    Nonsense,
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
    line: Line,
    fault: Option<Fault>,
    inbox: VecDeque<(Instant, Packet)>,
    outgoing: VecDeque<u8>,
    progress: Progress,
    rate: Rate,
}

impl Client {
    /// The host of `config`; the controller, and so the address, is whatever the stream leads to.
    pub fn new(config: &PeerConfig) -> Self {
        let mut client = Self::with(|pool| Own::new(config.clone(), pool.clone()));
        client.wired.rate = Rate::new(config.scenario.run.warmup);
        client
    }
}

impl<S: Restart + Station<Event = StationOutput>> Client<S> {
    /// The host that `make` makes, whose packets are of this pool.
    pub fn with(make: impl FnOnce(&Pool) -> S) -> Self {
        let pool = Pool::new();
        let own = make(&pool);
        let mut wired = Wired {
            pool,
            own,
            line: Line::default(),
            fault: None,
            inbox: VecDeque::new(),
            outgoing: VecDeque::new(),
            progress: Progress::default(),
            rate: Rate::new(Duration::ZERO),
        };
        wired.drain(Instant::ZERO);
        let pacer = Pacer::new(&wired);
        Self { wired, pacer }
    }

    /// Octets from the controller have arrived at `wall`.
    pub fn receive(&mut self, wall: Instant, bytes: &[u8]) {
        let now = self.pacer.now();
        let at = wall.max(now);
        self.pacer.act(&mut self.wired, |wired, touched| {
            wired.line.receive(at, bytes);
            while let Some(packet) = wired.line.packet(at, &wired.pool) {
                wired.inbox.push_back((at, packet));
            }
            if wired.line.is_lost() {
                wired.begin_again(now);
            }
            touched.note(0);
        });
    }

    /// Reason that the controller is of no use, once it is not.
    pub fn fault(&self) -> Option<Fault> {
        self.wired.fault
    }

    /// True once the controller has answered HCI Reset, and makes sense since.
    pub fn is_up(&self) -> bool {
        self.wired.line.is_up()
    }

    /// Payload of the last stream, either way.
    pub fn rate(&self) -> &Rate {
        &self.wired.rate
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

impl<S: Restart + Station<Event = StationOutput>> Wired<S> {
    fn drain(&mut self, now: Instant) {
        while let Some(output) = self.own.poll(now) {
            match output {
                Carried::Hci(packet) => {
                    self.line.sends(now, &packet);
                    self.outgoing.extend(&*packet);
                }
                Carried::Event(event) => self.note(now, &event),
            }
        }
    }

    fn note(&mut self, now: Instant, event: &StationOutput) {
        self.progress.note(now, event);
        match event {
            StationOutput::Submitted(unit) | StationOutput::Delivered(unit) => self.rate.note(now, unit.octets.into()),
            StationOutput::StreamStarted { .. } => self.rate.restart(),
            _ => {}
        }
    }

    /// Begins the host anew: what its controller says is no HCI any more. Its start-up resets the controller.
    fn begin_again(&mut self, now: Instant) {
        self.inbox.clear();
        if self.own.restart(now) {
            self.drain(now);
        } else {
            self.fault = Some(Fault::Nonsense);
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
            StationOutput::Ended { outcome, .. } => {
                self.ended += 1;
                self.outcome = Some(*outcome);
            }
            StationOutput::Host(HostEvent::Ready) => self.ready = true,
            StationOutput::Host(HostEvent::Connected { .. }) => self.connections += 1,
            _ => {}
        }
    }
}

impl<S: Restart + Station<Event = StationOutput>> Plant for Wired<S> {
    fn nodes(&self) -> usize {
        1
    }

    fn deadline(&self, _node: usize) -> Option<Instant> {
        let inbox = self.inbox.front().map(|(at, _)| *at);
        inbox.into_iter().chain(self.own.deadline()).chain(self.line.deadline()).min()
    }

    fn wake(&mut self, node: usize, now: Instant, touched: &mut Touched) {
        touched.note(node);
        match self.line.wake(now) {
            Due::Reset => self.outgoing.extend(RESET),
            Due::GivenUp => self.fault = Some(Fault::Unanswered),
            Due::Nothing => {}
        }
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
