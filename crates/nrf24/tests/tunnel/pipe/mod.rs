//! Two tunnels joined by two one-way radios, in virtual time: chips with a FIFO of three, and an air that can do everything
//! an air must not.

pub mod air;
pub mod packets;
pub mod polled;

use std::collections::{BTreeMap, VecDeque};

use airtime_core::{Duration, Instant};
use airtime_nrf24::trace::{DropPoint, Purpose, Upload};
use airtime_nrf24::tunnel::{Config, Mode, Outgoing, Tuning, Tunnel};

use self::air::{Air, Arrival, Chance};

/// What happens at an end some time.
#[derive(Debug)]
enum Event {
    /// The frame in the air has ended.
    Ended,
    /// A frame comes out of the other chip.
    Arrives(Vec<u8>),
    /// Somebody has a packet for the tunnel.
    Offered(Vec<u8>),
}

/// A packet that came out.
#[derive(Clone, Debug)]
pub struct Delivered {
    pub at: Instant,
    pub packet: Vec<u8>,
}

/// One end, with the chip that it transmits on.
pub struct End {
    pub tunnel: Tunnel,
    pub config: Config,
    pub tuning: Tuning,
    pub air: Air,
    fifo: VecDeque<(Vec<u8>, bool)>,
    tries: u32,
    /// Whether the other end's chip has the frame that is being sent.
    is_known: bool,
    is_sending: bool,
    stalled_until: Instant,
    /// Frames in the RX FIFO of a chip that nobody reads; it holds three, and what comes then is lost.
    unread: usize,
    /// When the last frame reached this end that nothing held up: a host reads its chip in order.
    read_until: Instant,
    pub delivered: Vec<Delivered>,
    pub refused: Vec<DropPoint>,
    pub dropped: Vec<(DropPoint, u32)>,
    pub resyncs: Vec<u32>,
    pub uploads: Vec<Upload>,
    pub sent: Vec<Vec<u8>>,
}

/// Both ends. What end 0 sends, end 1 hears.
pub struct Pipe {
    pub now: Instant,
    pub ends: [End; 2],
    events: BTreeMap<(Instant, u64), (usize, Event)>,
    number: u64,
    chance: Chance,
}

pub fn config(mode: Mode, epoch: u64) -> Config {
    Config {
        mode,
        mtu: 1500,
        compression: false,
        key: None,
        epoch,
        queue: Duration::from_millis(20),
        persistence: Duration::from_millis(200),
        frame_time: Duration::from_nanos(156_500),
    }
}

impl End {
    fn new(config: Config, tuning: Tuning, air: Air) -> Self {
        Self {
            tunnel: Tunnel::with_tuning(config, tuning, Instant::ZERO),
            config,
            tuning,
            air,
            fifo: VecDeque::new(),
            tries: 0,
            is_known: false,
            is_sending: false,
            stalled_until: Instant::ZERO,
            unread: 0,
            read_until: Instant::ZERO,
            delivered: Vec::new(),
            refused: Vec::new(),
            dropped: Vec::new(),
            resyncs: Vec::new(),
            uploads: Vec::new(),
            sent: Vec::new(),
        }
    }

    pub fn drops_at(&self, at: DropPoint) -> usize {
        self.dropped.iter().filter(|drop| drop.0 == at).count() + self.refused.iter().filter(|&&p| p == at).count()
    }

    pub fn repeats(&self) -> usize {
        self.uploads.iter().filter(|upload| upload.purpose == Purpose::Repeat).count()
    }
}

impl Pipe {
    pub fn new(mode: Mode, air: Air) -> Self {
        Self::of([config(mode, 0xa), config(mode, 0xb)], [Tuning::default(); 2], air)
    }

    pub fn of(configs: [Config; 2], tunings: [Tuning; 2], air: Air) -> Self {
        let [a, b] = configs;
        let ends = [End::new(a, tunings[0], air.clone()), End::new(b, tunings[1], air)];
        let mut pipe =
            Self { now: Instant::ZERO, ends, events: BTreeMap::new(), number: 0, chance: Chance::new(0x5eed) };
        pipe.pump(0);
        pipe.pump(1);
        pipe
    }

    pub fn seeded(mut self, seed: u64) -> Self {
        self.chance = Chance::new(seed);
        self
    }

    /// Lets time pass until both have agreed.
    pub fn greeted(mut self) -> Self {
        for _ in 0..20_000 {
            if self.ends.iter().all(|end| end.tunnel.agreed().is_some()) {
                return self;
            }
            self.step();
        }
        panic!("the ends never agreed");
    }

    /// A packet for end `end` at `at`.
    pub fn offer_at(&mut self, end: usize, at: Instant, packet: Vec<u8>) {
        self.schedule(at, end, Event::Offered(packet));
    }

    pub fn offer(&mut self, end: usize, packet: &[u8]) -> Result<(), DropPoint> {
        let offered = self.ends[end].tunnel.offer(self.now, packet);
        self.pump(end);
        offered
    }

    /// A frame that nobody sent arrives.
    pub fn inject(&mut self, end: usize, frame: &[u8]) {
        self.ends[end].tunnel.received(self.now, frame);
        self.pump(end);
    }

    /// An end is started anew, with another epoch and whatever its chip still holds.
    pub fn restart(&mut self, end: usize, epoch: u64) {
        let this = &mut self.ends[end];
        this.config.epoch = epoch;
        this.tunnel = Tunnel::with_tuning(this.config, this.tuning, self.now);
        self.pump(end);
    }

    /// The host of an end does nothing for so long.
    pub fn stall(&mut self, end: usize, time: Duration) {
        self.ends[end].stalled_until = self.now + time;
    }

    pub fn run_for(&mut self, time: Duration) {
        let until = self.now + time;
        while self.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.now = until;
    }

    fn next_at(&self) -> Option<Instant> {
        let event = self.events.keys().next().map(|key| key.0);
        self.ends.iter().filter_map(|end| end.tunnel.deadline()).chain(event).min().map(|at| at.max(self.now))
    }

    /// What is due next.
    fn step(&mut self) {
        self.now = self.next_at().expect("tunnels always want something");
        for end in 0..2 {
            let tunnel = &mut self.ends[end].tunnel;
            if tunnel.deadline().is_some_and(|at| at <= self.now) {
                tunnel.wake(self.now);
                assert!(tunnel.deadline().is_none_or(|at| at > self.now), "woken, and due again at once");
                self.pump(end);
            }
        }
        while self.events.keys().next().is_some_and(|key| key.0 <= self.now) {
            let (_, (end, event)) = self.events.pop_first().expect("there is one");
            match event {
                Event::Ended => self.ended(end),
                Event::Offered(packet) => {
                    if let Err(at) = self.offer(end, &packet) {
                        self.ends[end].refused.push(at);
                    }
                }
                Event::Arrives(frame) => {
                    let until = self.ends[end].stalled_until;
                    if until <= self.now {
                        self.ends[end].unread = 0;
                        self.inject(end, &frame);
                    } else if self.ends[end].unread < 3 {
                        self.ends[end].unread += 1;
                        self.schedule(until, end, Event::Arrives(frame));
                    }
                }
            }
        }
    }

    /// The frame at the head of an end's FIFO has been on the air.
    fn ended(&mut self, end: usize) {
        self.ends[end].is_sending = false;
        let this = &mut self.ends[end];
        let Some((frame, no_ack)) = this.fifo.front().cloned() else { return };
        let mut arrivals = this.air.carry(self.now, &frame, &mut self.chance);
        this.tries += 1;
        let is_done = no_ack || !arrivals.is_empty() && !self.chance.strikes(this.air.unheard);
        // The chip of the other end hands a frame over once, however often it is repeated.
        let arrives = !arrivals.is_empty();
        if this.is_known {
            arrivals.clear();
        }
        this.is_known |= arrives;
        if is_done || this.tries > this.air.retries {
            (this.tries, this.is_known) = (0, false);
            if is_done {
                this.fifo.pop_front();
            } else {
                this.fifo.clear();
                this.tunnel.gave_up(self.now);
            }
        }
        if self.ends[end].fifo.is_empty() && is_done {
            self.ends[end].tunnel.drained(self.now);
        }
        for Arrival { after, late, frame } in arrivals {
            let other = &mut self.ends[1 - end];
            let mut at = self.now + after;
            if !late {
                at = at.max(other.read_until);
                other.read_until = at;
            }
            self.schedule(at, 1 - end, Event::Arrives(frame));
        }
        self.pump(end);
    }

    /// Drains what a tunnel has to say.
    fn pump(&mut self, end: usize) {
        let this = &mut self.ends[end];
        let mut packet = [0; 1500];
        while let Some(len) = this.tunnel.next_packet(&mut packet) {
            this.delivered.push(Delivered { at: self.now, packet: packet[..len].to_vec() });
        }
        while this.fifo.len() < 3 {
            let mut frame = [0; 32];
            let promised = this.tunnel.has_frame();
            let Some(Outgoing { len, no_ack, upload }) = this.tunnel.next_frame(self.now, &mut frame) else { break };
            assert!(promised, "it has a frame and did not say so");
            assert_eq!(len, upload.payload + upload.headers + upload.tunnel, "an upload is the sum of its shares");
            let frame = frame[..usize::from(len)].to_vec();
            this.uploads.push(upload);
            this.sent.push(frame.clone());
            this.fifo.push_back((frame, no_ack));
        }
        this.dropped.extend(core::iter::from_fn(|| this.tunnel.next_drop()));
        this.resyncs.extend(core::iter::from_fn(|| this.tunnel.next_resync()));
        if !this.is_sending
            && let Some((frame, no_ack)) = this.fifo.front()
        {
            this.is_sending = true;
            let time = this.air.time(frame.len(), *no_ack);
            self.schedule(self.now + time, end, Event::Ended);
        }
    }

    fn schedule(&mut self, at: Instant, end: usize, event: Event) {
        self.number += 1;
        self.events.insert((at, self.number), (end, event));
    }
}
