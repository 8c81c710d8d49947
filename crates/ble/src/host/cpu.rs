//! One CPU and its two tasks: the Bluetooth task takes in HCI packets, the stream task makes SDUs.
//!
//! An item that has begun is not preempted, and what it does happens at its end. Only an item that
//! began in this very instant steps back for a more important one: of it nothing has happened yet.

use alloc::collections::VecDeque;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant, Packet, Spread};

use super::{ChannelId, ConnHandle};
use crate::personality::{self, TaskPriority};

/// An SDU or a value the stream task makes.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) conn: ConnHandle,
    pub(super) channel: ChannelId,
    /// Serial number of the channel's life: identifiers are used again.
    pub(super) serial: u32,
    pub(super) bytes: Packet,
}

/// Work that a task has done when an item ends.
#[derive(Debug)]
pub(super) enum Work {
    /// The Bluetooth task has taken in one H4 packet.
    Inbound(Packet),
    /// The stream task has made one SDU.
    Made(Made),
}

#[derive(Debug)]
struct Running {
    started: Instant,
    ends: Instant,
    work: Work,
}

/// The CPU with what waits for it.
#[derive(Debug)]
pub(super) struct Cpu {
    latency: Spread,
    /// Whence its spread is drawn.
    chance: Stream,
    packet_time: Duration,
    sdu_time: Duration,
    stream_task: TaskPriority,
    inbound: VecDeque<(Instant, Packet)>,
    stream: VecDeque<Made>,
    running: Option<Running>,
}

impl Cpu {
    pub(super) fn new(personality: &personality::Host) -> Self {
        Self {
            latency: Spread {
                median: personality.latency,
                p99: personality.latency_p99.unwrap_or(personality.latency),
            },
            chance: stream(0, "host/latency"),
            packet_time: personality.packet_time,
            sdu_time: personality.sdu_time,
            stream_task: personality.stream_task,
            inbound: VecDeque::new(),
            stream: VecDeque::new(),
            running: None,
        }
    }

    /// True if a packet that arrives now would be taken in at once: it need not be kept then.
    pub(super) fn is_instant(&self) -> bool {
        self.latency.median.is_zero() && self.packet_time.is_zero() && self.is_idle()
    }

    /// True while nothing runs and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_none() && self.inbound.is_empty() && self.stream.is_empty()
    }

    /// Draws latencies from `chance` from now on.
    pub(super) fn draw_from(&mut self, chance: Stream) {
        self.chance = chance;
    }

    /// Random numbers that were drawn.
    pub(super) fn drawn(&self) -> u64 {
        self.chance.drawn()
    }

    /// A packet has left the controller. None overtakes another: a task that wakes up for one finds those before it.
    pub(super) fn arrive(&mut self, now: Instant, packet: Packet) {
        let ready = now + self.latency.draw(&mut self.chance);
        let before = self.inbound.back().map_or(ready, |(before, _)| *before);
        self.inbound.push_back((ready.max(before), packet));
    }

    /// The application wants an SDU made.
    pub(super) fn make(&mut self, sdu: Made) {
        self.stream.push_back(sdu);
    }

    /// HCI packets that are not taken in yet.
    pub(super) fn inbound_waiting(&self) -> usize {
        let running = matches!(self.running, Some(Running { work: Work::Inbound(_), .. }));
        self.inbound.len() + usize::from(running)
    }

    /// Tells if an SDU for this life of a channel is still being made.
    pub(super) fn is_making(&self, mut wanted: impl FnMut(u32) -> bool) -> bool {
        let running = match &self.running {
            Some(Running { work: Work::Made(sdu), .. }) => wanted(sdu.serial),
            _ => false,
        };
        running || self.stream.iter().any(|sdu| wanted(sdu.serial))
    }

    /// The next item that has ended by `now`, after starting what can start; `None` when the CPU
    /// is busy beyond `now` or has nothing ready.
    pub(super) fn next(&mut self, now: Instant) -> Option<Work> {
        self.step_back(now);
        if let Some(running) = self.running.take() {
            if running.ends <= now {
                return Some(running.work);
            }
            self.running = Some(running);
            return None;
        }
        let (work, cost) = if self.stream_goes_first(now) {
            (Work::Made(self.stream.pop_front()?), self.sdu_time)
        } else {
            (Work::Inbound(self.inbound.pop_front()?.1), self.packet_time)
        };
        if cost.is_zero() {
            return Some(work);
        }
        self.running = Some(Running { started: now, ends: now + cost, work });
        None
    }

    /// Instant at which the running item ends, or else the next one becomes ready.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match &self.running {
            Some(running) => Some(running.ends),
            None => self.inbound.front().map(|(ready, _)| *ready),
        }
    }

    fn stream_goes_first(&self, now: Instant) -> bool {
        let inbound = self.inbound_is_ready(now);
        match self.stream_task {
            TaskPriority::Above => !self.stream.is_empty() || !inbound,
            TaskPriority::Below => !inbound,
        }
    }

    fn inbound_is_ready(&self, now: Instant) -> bool {
        self.inbound.front().is_some_and(|(ready, _)| *ready <= now)
    }

    /// Puts an item back that began now, when the more important task has become ready now as well.
    fn step_back(&mut self, now: Instant) {
        let Some(running) = self.running.take_if(|running| running.started == now && running.ends > now) else {
            return;
        };
        match running.work {
            Work::Inbound(packet) if self.stream_task == TaskPriority::Above && !self.stream.is_empty() => {
                self.inbound.push_front((now, packet));
            }
            Work::Made(sdu) if self.stream_task == TaskPriority::Below && self.inbound_is_ready(now) => {
                self.stream.push_front(sdu);
            }
            work => self.running = Some(Running { work, ..running }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Pool;
    use alloc::string::String;

    const PACKET_US: u64 = 100;
    const SDU_US: u64 = 30;

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_micros(us)
    }

    fn cpu(latency_us: u64, stream_task: TaskPriority) -> Cpu {
        Cpu {
            latency: Spread::constant(Duration::from_micros(latency_us)),
            chance: stream(1, "test"),
            packet_time: Duration::from_micros(PACKET_US),
            sdu_time: Duration::from_micros(SDU_US),
            stream_task,
            inbound: VecDeque::new(),
            stream: VecDeque::new(),
            running: None,
        }
    }

    fn packet() -> Packet {
        Pool::new().copy(&[4])
    }

    fn sdu() -> Made {
        Made { conn: 0, channel: 0x40, serial: 1, bytes: packet() }
    }

    /// Runs to the end of all work; `P` is a packet taken in, `S` an SDU made.
    fn order(cpu: &mut Cpu, from: Instant) -> String {
        let mut log = String::new();
        let mut now = from;
        loop {
            while let Some(work) = cpu.next(now) {
                let us = Duration::as_micros(now - Instant::ZERO);
                let name = if matches!(work, Work::Inbound(_)) { 'P' } else { 'S' };
                log.push_str(&alloc::format!("{name}{us} "));
            }
            match cpu.deadline() {
                Some(next) => now = next,
                None => return log,
            }
        }
    }

    #[test]
    fn below_waits_while_packets_wait() {
        let mut cpu = cpu(0, TaskPriority::Below);
        cpu.arrive(at(0), packet());
        cpu.arrive(at(0), packet());
        cpu.make(sdu());
        assert_eq!(order(&mut cpu, at(0)), "P100 P200 S230 ");
    }

    #[test]
    fn above_goes_first_but_does_not_preempt() {
        let mut cpu = cpu(0, TaskPriority::Above);
        cpu.arrive(at(0), packet());
        assert!(cpu.next(at(0)).is_none());
        cpu.arrive(at(10), packet());
        cpu.make(sdu());
        assert!(cpu.next(at(10)).is_none());
        assert_eq!(order(&mut cpu, at(10)), "P100 S130 P230 ");
    }

    #[test]
    fn an_item_begun_this_instant_steps_back() {
        let mut cpu = cpu(0, TaskPriority::Above);
        cpu.arrive(at(0), packet());
        assert!(cpu.next(at(0)).is_none(), "the packet has begun");
        cpu.make(sdu());
        assert_eq!(order(&mut cpu, at(0)), "S30 P130 ");
    }

    #[test]
    fn latency_occupies_no_cpu() {
        let mut cpu = cpu(20, TaskPriority::Below);
        cpu.arrive(at(0), packet());
        cpu.arrive(at(5), packet());
        assert_eq!(cpu.deadline(), Some(at(20)));
        cpu.make(sdu());
        // The SDU begins at once, the first packet becomes ready meanwhile and waits for its end.
        assert_eq!(order(&mut cpu, at(0)), "S30 P130 P230 ");
    }

    #[test]
    fn a_latency_with_a_spread_keeps_the_order() {
        let mut cpu = cpu(20, TaskPriority::Below);
        cpu.latency.p99 = Duration::from_micros(200);
        (0..100).for_each(|_| cpu.arrive(at(0), packet()));
        let ready: alloc::vec::Vec<_> = cpu.inbound.iter().map(|(ready, _)| *ready).collect();
        assert!(ready.is_sorted() && ready[0] < ready[99]);
        assert_eq!(cpu.drawn(), 200, "two numbers a packet");
    }

    #[test]
    fn without_cost_everything_is_done_at_once() {
        let mut cpu = cpu(0, TaskPriority::Below);
        (cpu.packet_time, cpu.sdu_time) = (Duration::ZERO, Duration::ZERO);
        assert!(cpu.is_instant());
        cpu.make(sdu());
        cpu.arrive(at(7), packet());
        assert_eq!(order(&mut cpu, at(7)), "P7 S7 ");
    }
}
