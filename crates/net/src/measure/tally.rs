//! Tally of the applications of a run: octets, delays, round trips.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use airtime_core::{Duration, Instant};
use airtime_link::Latencies;

use crate::tally::Order;
use crate::{Event, Watch};

const SECOND: Duration = Duration::from_secs(1);

/// Per-second figures kept: a day.
const SECONDS_MAX: u64 = 86_400;

/// Flow of one direction: all that it has carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Octets of payload that arrived, repetitions excluded.
    pub octets: u64,
    /// Datagrams that arrived, repetitions excluded.
    pub datagrams: u64,
    /// Datagrams among them that came behind a later one.
    pub late: u64,
    /// Datagrams that arrived again.
    pub again: u64,
    /// Octets that are not what was sent.
    pub damaged: u64,
    /// Octets of payload that the receiver's stack dropped.
    pub dropped: u64,
    /// Octets of payload that the sender's kernel took.
    pub taken: u64,
    /// Number of datagrams sent.
    pub sent: u64,
}

impl Flow {
    /// Part that came after `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            octets: self.octets - earlier.octets,
            datagrams: self.datagrams - earlier.datagrams,
            late: self.late - earlier.late,
            again: self.again - earlier.again,
            damaged: self.damaged - earlier.damaged,
            dropped: self.dropped - earlier.dropped,
            taken: self.taken - earlier.taken,
            sent: self.sent - earlier.sent,
        }
    }
}

/// The sums of a run's applications.
#[derive(Clone, Debug)]
pub struct Tally {
    start: Instant,
    /// Up and down.
    pub flows: [Flow; 2],
    /// Octets of goodput of each second since the start.
    pub series: Vec<u64>,
    /// Delays of datagrams, one way.
    pub delays: Latencies,
    /// Round trips of echo requests.
    pub round_trips: Latencies,
    /// Instant at which payload first arrived.
    pub first_arrival: Option<Instant>,
    /// Instant at which payload last arrived.
    pub last_arrival: Option<Instant>,
    /// Streams whose whole transfer is through.
    pub finished: usize,
    /// Packets that nobody expected.
    pub foreign: u64,
}

impl Tally {
    /// Nothing yet; the traffic starts at `start`.
    pub fn new(start: Instant) -> Self {
        Self {
            start,
            flows: [Flow::default(); 2],
            series: Vec::new(),
            delays: Latencies::new(),
            round_trips: Latencies::new(),
            first_arrival: None,
            last_arrival: None,
            finished: 0,
            foreign: 0,
        }
    }

    /// The warm-up is over: forgets the delays.
    pub fn restart_counts(&mut self) {
        self.delays.restart();
        self.round_trips.restart();
    }

    fn arrived(&mut self, now: Instant, direction: usize, octets: usize) {
        self.flows[direction].octets += octets as u64;
        self.first_arrival.get_or_insert(now);
        self.last_arrival = Some(now);
        let second = (now.saturating_since(self.start) / SECOND).min(SECONDS_MAX) as usize;
        if self.series.len() <= second {
            self.series.resize(second + 1, 0);
        }
        self.series[second] += octets as u64;
    }

    /// Takes an event of end `end`, 0 for `a` or the host and 1 for the other.
    pub fn event(&mut self, now: Instant, end: usize, event: Event) {
        let (from, to) = (end, 1 - end);
        match event {
            Event::Sent { octets, .. } => {
                self.flows[from].sent += 1;
                self.flows[from].taken += octets as u64;
            }
            Event::Written { octets, .. } => self.flows[from].taken += octets as u64,
            Event::Arrived { order: Order::Again, .. } => self.flows[to].again += 1,
            Event::Arrived { octets, delay, order, .. } => {
                self.flows[to].datagrams += 1;
                self.flows[to].late += u64::from(order == Order::Late);
                self.delays.took(delay);
                self.arrived(now, to, octets);
            }
            Event::Read { octets, .. } => self.arrived(now, to, octets),
            Event::Dropped { octets } => self.flows[to].dropped += octets as u64,
            Event::Damaged { octets, .. } => self.flows[to].damaged += octets as u64,
            Event::Echo { round_trip, .. } => self.round_trips.took(round_trip),
            Event::Finished { .. } => self.finished += 1,
            Event::Foreign { .. } => self.foreign += 1,
        }
    }
}

/// Watcher of the applications of one end: the sums, and somebody besides.
#[derive(Clone, Debug)]
pub struct Eyes<W> {
    end: usize,
    tally: Rc<RefCell<Tally>>,
    other: W,
}

impl<W> Eyes<W> {
    /// The eyes at end `end`.
    pub fn new(end: usize, tally: Rc<RefCell<Tally>>, other: W) -> Self {
        Self { end, tally, other }
    }
}

impl<W: Watch> Watch for Eyes<W> {
    fn event(&mut self, now: Instant, event: Event) {
        self.tally.borrow_mut().event(now, self.end, event);
        self.other.event(now, event);
    }

    fn octets(&mut self, flow: u16, octets: &[u8]) {
        self.other.octets(flow, octets);
    }
}
