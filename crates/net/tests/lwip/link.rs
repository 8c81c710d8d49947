//! An ESP32 host and a far end with a link between them, in virtual time: a rate, a delay, a bounded queue, and fates of a script.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::rc::Rc;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::lwip::{Config, Host, Outcome};
use airtime_net::segment::{self, Head};
use airtime_net::{Event, Watch, linux};

pub const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

/// What becomes of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    Lost,
    Twice,
    /// Arrives this much later, behind those that follow.
    Later(Duration),
}

/// What becomes of each packet, by its number and its octets.
type Script = Box<dyn FnMut(u64, &[u8]) -> Fate>;

/// One direction.
pub struct Way {
    /// Bits of IP packets per second; none: at once.
    rate: Option<u64>,
    delay: Duration,
    /// Packets that wait at most, the one under way included.
    queue: usize,
    /// What becomes of the n-th packet.
    fate: Script,
    free_at: Instant,
    count: u64,
    arriving: VecDeque<(Instant, Packet)>,
    leaving: VecDeque<Instant>,
    pub dropped: u64,
}

impl Way {
    pub fn new(rate: Option<u64>, delay: Duration, queue: usize) -> Self {
        let fate = Box::new(|_, _: &[u8]| Fate::Arrives);
        let (arriving, leaving) = Default::default();
        Self { rate, delay, queue, fate, free_at: Instant::ZERO, count: 0, arriving, leaving, dropped: 0 }
    }

    pub fn fated(mut self, fate: impl FnMut(u64, &[u8]) -> Fate + 'static) -> Self {
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
        let nanos = self.rate.map_or(0, |rate| packet.len() as u64 * 8_000_000_000 / rate);
        self.free_at = self.free_at.max(now) + Duration::from_nanos(nanos);
        self.leaving.push_back(self.free_at);
        let at = self.free_at + self.delay;
        let fate = (self.fate)(self.count, &packet);
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
        let place = self.arriving.iter().rposition(|(other, _)| *other <= at).map_or(0, |place| place + 1);
        self.arriving.insert(place, (at, packet));
    }

    fn due(&self) -> Option<Instant> {
        self.arriving.front().map(|(at, _)| *at)
    }

    fn take(&mut self, now: Instant) -> Option<Packet> {
        self.due().filter(|due| *due <= now)?;
        self.arriving.pop_front().map(|(_, packet)| packet)
    }
}

/// Remembers every event with its time.
#[derive(Default, Debug)]
pub struct Log(pub Vec<(Instant, Event)>);

impl Log {
    /// Octets that were read.
    pub fn read(&self) -> u64 {
        let octets = |(_, event): &(Instant, Event)| match event {
            Event::Read { octets, .. } => *octets as u64,
            _ => 0,
        };
        self.0.iter().map(octets).sum()
    }

    pub fn finished(&self) -> bool {
        self.0.iter().any(|(_, event)| matches!(event, Event::Finished { .. }))
    }
}

impl Watch for Log {
    fn event(&mut self, now: Instant, event: Event) {
        self.0.push((now, event));
    }
}

pub type Shared = Rc<RefCell<Log>>;

/// A segment on the wire: when, whether the host sent it, its header, octets of payload.
pub type Seen = (Instant, bool, Head, usize);

/// Both hosts and the link.
pub struct Link {
    pub host: Host<Shared>,
    pub far: linux::Host<Shared>,
    /// What arrived at the host, and at the far end.
    pub logs: [Shared; 2],
    /// From the host to the far end, and back.
    pub up: Way,
    pub down: Way,
    pub now: Instant,
    pub wakes: u64,
    /// What the interface of the host does with its n-th packet.
    pub interface: Box<dyn FnMut(u64) -> Outcome>,
    offered: u64,
    /// When a blocked interface has room again.
    room: Option<Instant>,
    pub seen: Option<Vec<Seen>>,
}

impl Link {
    pub fn new(config: Config, far: linux::Config, up: Way, down: Way) -> Self {
        let pool = Pool::new();
        let logs: [Shared; 2] = Default::default();
        Self {
            host: Host::new(pool.clone(), HOST, config, Rc::clone(&logs[0])),
            far: linux::Host::new(pool, FAR, far, Rc::clone(&logs[1])),
            logs,
            up,
            down,
            now: Instant::ZERO,
            wakes: 0,
            interface: Box::new(|_| Outcome::Taken),
            offered: 0,
            room: None,
            seen: None,
        }
    }

    /// Runs until nothing is due any more or the next thing is due after `end`.
    pub fn run(&mut self, end: Instant) {
        loop {
            let due = [self.host.deadline(), self.far.deadline(), self.up.due(), self.down.due(), self.room];
            let Some(next) = due.into_iter().flatten().min().filter(|next| *next <= end) else { return };
            assert!(next >= self.now, "time runs backwards");
            self.now = next;
            self.step();
        }
    }

    fn step(&mut self) {
        let now = self.now;
        if self.room.is_some_and(|at| at <= now) {
            self.room = None;
            self.host.room(now);
            self.drain_host();
        }
        if self.host.deadline().is_some_and(|due| due <= now) {
            self.wakes += 1;
            self.host.wake(now);
            self.drain_host();
            assert!(self.host.deadline().is_none_or(|due| due > now), "the host stands still at {now}");
        }
        while let Some(packet) = self.down.take(now) {
            self.host.packet(now, &packet);
            self.drain_host();
        }
        if self.far.deadline().is_some_and(|due| due <= now) {
            self.far.wake(now);
            self.drain_far();
            assert!(self.far.deadline().is_none_or(|due| due > now), "the far end stands still at {now}");
        }
        while let Some(packet) = self.up.take(now) {
            self.far.packet(now, &packet);
            self.drain_far();
        }
    }

    fn drain_host(&mut self) {
        while let Some(packet) = self.host.poll(self.now) {
            let outcome = (self.interface)(self.offered);
            self.offered += 1;
            self.host.outcome(self.now, outcome);
            match outcome {
                Outcome::Refused => continue,
                Outcome::Blocked => self.room = Some(self.now + ms(3)),
                Outcome::Taken => {}
            }
            self.see(true, &packet);
            self.up.put(self.now, packet);
        }
    }

    fn drain_far(&mut self) {
        while let Some(packet) = self.far.poll(self.now) {
            self.see(false, &packet);
            self.down.put(self.now, packet);
        }
    }

    fn see(&mut self, ours: bool, packet: &[u8]) {
        if let Some(seen) = &mut self.seen
            && let Some((_, head, payload)) = segment::read(packet)
        {
            seen.push((self.now, ours, head, payload.len()));
        }
    }
}
