//! Two ends with a pipe between them, in virtual time: a rate, a delay, a bounded queue, and losses of a script.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::rc::Rc;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::{Event, IpHost, Watch};

pub const A: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const B: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
pub const MTU: usize = 1_500;

/// One direction.
pub struct Way {
    /// Bits of IP packets per second; none: at once.
    pub rate: Option<u64>,
    pub delay: Duration,
    /// Packets that wait at most, the one under way included.
    pub queue: usize,
    /// What becomes of the n-th packet.
    pub fate: Box<dyn FnMut(u64) -> Fate>,
    free_at: Instant,
    count: u64,
    under_way: VecDeque<(Instant, Packet)>,
    leaving: VecDeque<Instant>,
    pub dropped: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    Lost,
    Twice,
    /// Arrives this much later, behind those that follow.
    Later(Duration),
}

impl Way {
    pub fn new(rate: Option<u64>, delay: Duration, queue: usize) -> Self {
        let fate = Box::new(|_| Fate::Arrives);
        Self {
            rate,
            delay,
            queue,
            fate,
            free_at: Instant::ZERO,
            count: 0,
            under_way: VecDeque::new(),
            leaving: VecDeque::new(),
            dropped: 0,
        }
    }

    pub fn fated(mut self, fate: impl FnMut(u64) -> Fate + 'static) -> Self {
        self.fate = Box::new(fate);
        self
    }

    fn put(&mut self, now: Instant, packet: Packet) {
        while self.leaving.front().is_some_and(|at| *at <= now) {
            self.leaving.pop_front();
        }
        if self.leaving.len() >= self.queue {
            self.dropped += 1;
            return;
        }
        let time =
            self.rate.map_or(Duration::ZERO, |rate| Duration::from_nanos(packet.len() as u64 * 8_000_000_000 / rate));
        self.free_at = self.free_at.max(now) + time;
        self.leaving.push_back(self.free_at);
        let at = self.free_at + self.delay;
        let fate = (self.fate)(self.count);
        self.count += 1;
        match fate {
            Fate::Lost => {}
            Fate::Arrives => self.arrive(at, packet),
            Fate::Later(by) => self.arrive(at + by, packet),
            Fate::Twice => {
                self.arrive(at, packet.duplicate());
                self.arrive(at, packet);
            }
        }
    }

    fn arrive(&mut self, at: Instant, packet: Packet) {
        let place = self.under_way.partition_point(|(other, _)| *other <= at);
        self.under_way.insert(place, (at, packet));
    }

    fn due(&self) -> Option<Instant> {
        self.under_way.front().map(|(at, _)| *at)
    }
}

/// Remembers every event with its time.
#[derive(Default)]
pub struct Log {
    pub events: Vec<(Instant, Event)>,
    pub octets: Vec<u8>,
}

impl Watch for Log {
    fn event(&mut self, now: Instant, event: Event) {
        self.events.push((now, event));
    }
    fn octets(&mut self, _: u16, octets: &[u8]) {
        self.octets.extend_from_slice(octets);
    }
}

pub type Shared = Rc<RefCell<Log>>;

/// The two ends: a is 10.0.0.1, b is 10.0.0.2.
pub struct Pair {
    pub ends: [IpHost<Shared>; 2],
    pub logs: [Shared; 2],
    /// From a to b, and back.
    pub ways: [Way; 2],
    pub now: Instant,
    pub wakes: u64,
}

impl Pair {
    pub fn new(up: Way, down: Way) -> Self {
        let pool = Pool::new();
        let logs: [Shared; 2] = Default::default();
        let end = |local, log: &Shared| IpHost::new(pool.clone(), local, MTU, 1, Rc::clone(log));
        let ends = [end(A, &logs[0]), end(B, &logs[1])];
        Self { ends, logs, ways: [up, down], now: Instant::ZERO, wakes: 0 }
    }

    /// Runs until nothing is due any more or the next thing is due after `end`.
    pub fn run(&mut self, end: Instant) {
        loop {
            let ends = self.ends.iter().map(IpHost::deadline);
            let ways = self.ways.iter().map(Way::due);
            let Some(next) = ends.chain(ways).flatten().min().filter(|next| *next <= end) else { return };
            assert!(next >= self.now, "time runs backwards");
            self.now = next;
            for side in 0..2 {
                self.side(side);
            }
        }
    }

    /// Wakes the end `side` and hands it what has arrived for it.
    fn side(&mut self, side: usize) {
        let now = self.now;
        if self.ends[side].deadline().is_some_and(|due| due <= now) {
            self.wakes += 1;
            self.ends[side].wake(now);
            self.drain(side);
            assert!(self.ends[side].deadline().is_none_or(|due| due > now), "stands still at {now}");
        }
        while self.ways[1 - side].due().is_some_and(|due| due <= now) {
            let (_, packet) = self.ways[1 - side].under_way.pop_front().unwrap();
            self.ends[side].packet(now, &packet);
            self.drain(side);
        }
    }

    fn drain(&mut self, side: usize) {
        while let Some(packet) = self.ends[side].poll(self.now) {
            assert!(packet.len() <= MTU);
            self.ways[side].put(self.now, packet);
        }
    }
}

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}
