//! Two tunnels with one radio each: what one sends is acknowledged with what the other has laid ready. Product
//! specification, 7.4.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_nrf24::trace::{DropPoint, Purpose};
use airtime_nrf24::tunnel::{Mode, Tuning, Tunnel};

use super::air::Chance;
use super::config;

/// A node: its tunnel and its TX FIFO.
pub struct Node {
    pub tunnel: Tunnel,
    fifo: VecDeque<Vec<u8>>,
    pub delivered: Vec<Vec<u8>>,
    pub dropped: Vec<(DropPoint, u32)>,
    pub polls: usize,
    pub repeats: usize,
}

/// The link; node 0 polls.
pub struct Polled {
    pub now: Instant,
    pub nodes: [Node; 2],
    pub lost: u32,
    pub retries: u32,
    chance: Chance,
    free_at: Instant,
    tries: u32,
    /// The polled chip has heard this frame before, and this is what it answered.
    answered: Option<Option<Vec<u8>>>,
    /// The polled chip takes what it answered off its FIFO when the next new frame comes.
    rides: bool,
}

impl Polled {
    pub fn new(lost: u32) -> Self {
        let node = |epoch, polls| Node {
            tunnel: Tunnel::with_tuning(
                config(Mode::AckPayload, epoch),
                Tuning { polls, ..Tuning::default() },
                Instant::ZERO,
            ),
            fifo: VecDeque::new(),
            delivered: Vec::new(),
            dropped: Vec::new(),
            polls: 0,
            repeats: 0,
        };
        let mut link = Self {
            now: Instant::ZERO,
            nodes: [node(1, true), node(2, false)],
            lost,
            retries: 15,
            chance: Chance::new(3),
            free_at: Instant::ZERO,
            tries: 0,
            answered: None,
            rides: false,
        };
        link.nodes[0].pump(Instant::ZERO);
        link.nodes[1].pump(Instant::ZERO);
        link
    }

    /// A node starts anew, chip and all; the other one's FIFO keeps what is in it.
    pub fn restart(&mut self, node: usize, epoch: u64) {
        let tuning = Tuning { polls: node == 0, ..Tuning::default() };
        self.nodes[node].tunnel = Tunnel::with_tuning(config(Mode::AckPayload, epoch), tuning, self.now);
        self.nodes[node].fifo.clear();
        (self.tries, self.answered) = (0, None);
        self.rides &= node == 0;
        self.nodes[node].pump(self.now);
    }

    pub fn offer(&mut self, node: usize, packet: &[u8]) {
        let _ = self.nodes[node].tunnel.offer(self.now, packet);
        self.nodes[node].pump(self.now);
    }

    pub fn run_for(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            let frame = self.nodes[0].fifo.front().map(|_| self.free_at);
            let deadlines = self.nodes.iter().filter_map(|node| node.tunnel.deadline());
            let next = deadlines.chain(frame).min().unwrap_or(until);
            if next >= until {
                break;
            }
            self.now = next.max(self.now);
            for node in &mut self.nodes {
                if node.tunnel.deadline().is_some_and(|at| at <= self.now) {
                    node.tunnel.wake(self.now);
                    node.pump(self.now);
                }
            }
            if self.free_at <= self.now && !self.nodes[0].fifo.is_empty() {
                self.cycle();
            }
        }
        self.now = until;
    }

    /// One frame of the poller, and its acknowledgement if there is one.
    fn cycle(&mut self) {
        let frame = self.nodes[0].fifo[0].clone();
        let is_heard = !self.chance.strikes(self.lost);
        if is_heard && self.answered.is_none() {
            let polled = &mut self.nodes[1];
            if self.rides {
                polled.fifo.pop_front();
                if polled.fifo.is_empty() {
                    polled.tunnel.drained(self.now);
                }
            }
            // What is laid ready after this frame rides on the next.
            let answer = polled.fifo.front().cloned();
            self.rides = answer.is_some();
            self.answered = Some(answer);
            polled.tunnel.received(self.now, &frame);
            polled.pump(self.now);
        }
        let answer = self.answered.clone().filter(|_| is_heard && !self.chance.strikes(self.lost));
        let on_air = |len: usize| 28_500 + 4_000 * len as u64;
        let riding = answer.as_ref().and_then(|answer| answer.as_ref()).map_or(0, Vec::len);
        self.free_at = self.now + Duration::from_nanos(260_000 + on_air(frame.len()) + on_air(riding));
        self.tries += 1;
        let poller = &mut self.nodes[0];
        if let Some(answer) = answer {
            (self.tries, self.answered) = (0, None);
            poller.fifo.pop_front();
            if poller.fifo.is_empty() {
                poller.tunnel.drained(self.now);
            }
            if let Some(answer) = answer {
                poller.tunnel.received(self.now, &answer);
            }
        } else if self.tries > self.retries {
            (self.tries, self.answered) = (0, None);
            poller.fifo.clear();
            poller.tunnel.gave_up(self.now);
        }
        poller.pump(self.now);
    }
}

impl Node {
    fn pump(&mut self, now: Instant) {
        let mut packet = [0; 1500];
        while let Some(len) = self.tunnel.next_packet(&mut packet) {
            self.delivered.push(packet[..len].to_vec());
        }
        while self.fifo.len() < 3 {
            let mut frame = [0; 32];
            let Some(outgoing) = self.tunnel.next_frame(now, &mut frame) else { break };
            assert!(!outgoing.no_ack);
            self.polls += usize::from(outgoing.upload.purpose == Purpose::Control && outgoing.len == 1);
            self.repeats += usize::from(outgoing.upload.purpose == Purpose::Repeat);
            self.fifo.push_back(frame[..usize::from(outgoing.len)].to_vec());
        }
        self.dropped.extend(core::iter::from_fn(|| self.tunnel.next_drop()));
    }
}
