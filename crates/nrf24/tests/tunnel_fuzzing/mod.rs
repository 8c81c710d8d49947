//! Octets read as a script for two tunnels and the air between them: what the fuzz target runs, and what an ordinary test runs
//! with random scripts and with the corpus of `fuzz/corpus`.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_nrf24::tunnel::{Config, Mode, Tuning, Tunnel};
use airtime_testing::Script;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 2_048;

/// Epochs of the two ends.
const EPOCHS: [u64; 2] = [0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00];

struct Pair {
    now: Instant,
    tunnels: [Tunnel; 2],
    /// What each has sent and the air has not carried yet.
    fifos: [VecDeque<Vec<u8>>; 2],
}

/// Runs one script.
pub fn chunk(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut pair = Pair::new(script.octet());
    while !script.is_over() {
        pair.step(&mut script);
    }
    // Whatever has happened, time passes.
    for _ in 0..50 {
        pair.pass(20_000);
        pair.carry(0);
        pair.carry(1);
    }
}

impl Pair {
    fn new(features: u8) -> Self {
        let tunnel = |end: usize| {
            let mode = [Mode::Stream, Mode::AutoAck, Mode::AckPayload][usize::from(features) % 3];
            let config = Config {
                mode,
                mtu: 1500,
                compression: features & 0x40 != 0,
                key: (features & 0x80 != 0).then_some([1; 32]),
                epoch: EPOCHS[end],
                queue: Duration::from_millis(20),
                persistence: Duration::from_millis(50),
                frame_time: Duration::from_nanos(156_500),
            };
            let polls = mode == Mode::AckPayload && end == 0;
            Tunnel::with_tuning(config, Tuning { polls, ..Tuning::default() }, Instant::ZERO)
        };
        let mut pair = Self { now: Instant::ZERO, tunnels: [tunnel(0), tunnel(1)], fifos: Default::default() };
        // Both have greeted when the script begins, unless it is short of octets.
        for _ in 0..6 {
            pair.drain(0);
            pair.drain(1);
            pair.carry(0);
            pair.carry(1);
            pair.pass(1_500);
        }
        pair
    }

    fn step(&mut self, script: &mut Script<'_>) {
        let operation = script.octet();
        let end = usize::from(operation & 1);
        match operation >> 1 & 0xf {
            0..=4 => self.carry(end),
            5 => drop(self.fifos[end].pop_front()),
            6 => self.change(end, script),
            7 => {
                if let Some(frame) = self.fifos[end].front().cloned() {
                    self.fifos[end].push_back(frame);
                }
            }
            8 => self.fifos[end].push_front(octets(script, 34)),
            9 => self.fifos[end].push_front(with_check(0, octets(script, 28))),
            10 => self.fifos[end].push_front(with_check(session(), octets(script, 28))),
            11 => self.pass(u64::from(script.octet()) * 40),
            12 => {
                self.fifos[end].clear();
                self.tunnels[end].gave_up(self.now);
            }
            13 => self.tunnels[end].drained(self.now),
            14 => drop(self.tunnels[end].offer(self.now, &octets(script, 255))),
            _ => drop(self.tunnels[end].offer(self.now, &packet(script))),
        }
        self.drain(end);
    }

    /// The next frame of an end arrives at the other.
    fn carry(&mut self, end: usize) {
        if let Some(frame) = self.fifos[end].pop_front() {
            self.tunnels[1 - end].received(self.now, &frame);
            self.drain(1 - end);
        }
        self.drain(end);
    }

    fn change(&mut self, end: usize, script: &mut Script<'_>) {
        if let Some(frame) = self.fifos[end].front_mut().filter(|frame| !frame.is_empty()) {
            let at = usize::from(script.octet()) % frame.len();
            frame[at] ^= script.octet();
        }
    }

    fn pass(&mut self, us: u64) {
        self.now += Duration::from_micros(us);
        for end in 0..2 {
            let tunnel = &mut self.tunnels[end];
            if tunnel.deadline().is_some_and(|at| at <= self.now) {
                tunnel.wake(self.now);
                assert!(tunnel.deadline().is_none_or(|at| at > self.now), "woken, and due again at once");
            }
            self.drain(end);
        }
    }

    fn drain(&mut self, end: usize) {
        let tunnel = &mut self.tunnels[end];
        let mut packet = [0; 1500];
        while let Some(len) = tunnel.next_packet(&mut packet) {
            assert!((20..=1500).contains(&len));
        }
        while self.fifos[end].len() < 3 {
            let mut frame = [0; 32];
            let has_frame = tunnel.has_frame();
            let Some(outgoing) = tunnel.next_frame(self.now, &mut frame) else { break };
            assert!(has_frame, "it has a frame and did not say so");
            let upload = outgoing.upload;
            assert_eq!(outgoing.len, upload.payload + upload.headers + upload.tunnel);
            self.fifos[end].push_back(frame[..usize::from(outgoing.len)].to_vec());
        }
        while tunnel.next_drop().is_some() {}
        while tunnel.next_resync().is_some() {}
    }
}

/// Up to `most` octets, as many as the next one says, zeros behind the end.
fn octets(script: &mut Script<'_>, most: usize) -> Vec<u8> {
    let len = usize::from(script.octet()) % (most + 1);
    (0..len).map(|_| script.octet()).collect()
}

/// An IPv4 packet with UDP or TCP, of octets of the script where they matter.
fn packet(script: &mut Script<'_>) -> Vec<u8> {
    let (kind, flow, len) = (script.octet(), script.octet(), script.octet());
    let total = (28 + usize::from(len) * 6).min(1500);
    let protocol = if kind & 1 == 0 { 17 } else { 6 };
    let mut packet = vec![0x45, 0, 0, 0, 0, kind, kind & 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    packet[2..4].copy_from_slice(&(total as u16).to_be_bytes());
    let sum: u32 = packet.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let sum = !((sum & 0xffff) + (sum >> 16)) as u16;
    packet[10..12].copy_from_slice(&sum.to_be_bytes());
    packet.extend([0, flow, 0, 80]);
    packet.extend((total as u16 - 20).to_be_bytes());
    packet.resize(total.max(packet.len()), kind);
    if protocol == 6 && total >= 40 {
        packet[32] = 0x50 + (kind & 0x30);
    }
    packet
}

/// The number of a session between the two ends, as docs/nrf24-tunnel.md has it, before anybody has restarted.
fn session() -> u64 {
    EPOCHS.iter().fold(0, |session, epoch| session ^ epoch.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A control frame with the check that it should have: CRC-16/T10-DIF, bit by bit.
fn with_check(session: u64, mut frame: Vec<u8>) -> Vec<u8> {
    let mut sum = 0_u16;
    for octet in session.to_le_bytes().iter().chain(&frame) {
        sum ^= u16::from(*octet) << 8;
        for _ in 0..8 {
            sum = if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x8bb7 };
        }
    }
    frame.extend(sum.to_le_bytes());
    frame
}
