//! A run as a Perfetto trace: frames of each node, and what the sender in it waits for.

use alloc::format;
use alloc::vec::Vec;

use airtime_capture::Sink;
use airtime_capture::perfetto::{Track, Value, Writer};
use airtime_core::Instant;

use crate::trace::{Fate, OnAir, Phase, Sent};

/// Writer of a time line.
pub(super) struct Timeline<S> {
    writer: Writer<S>,
    /// Tracks of each node, by its place; a node that has not been heard has none yet.
    nodes: Vec<Option<Lanes>>,
}

/// Tracks of one node.
#[derive(Clone, Copy)]
struct Lanes {
    frames: Track,
    access: Track,
    stalls: Track,
    /// Phase of its sender, and the beginning of it.
    since: Option<(Instant, Phase)>,
}

impl<S: Sink> Timeline<S> {
    pub fn new(sink: S) -> Self {
        Self { writer: Writer::new(sink), nodes: Vec::new() }
    }

    fn lanes(&mut self, node: usize) -> Lanes {
        if let Some(lanes) = self.nodes.get(node).copied().flatten() {
            return lanes;
        }
        let name = if node == 0 { "receiver".into() } else { format!("node {node}") };
        let process = self.writer.process(node as u32 + 1, &name);
        let mut track = |rank, name| self.writer.track(process, rank, name);
        let lanes = Lanes {
            frames: track(0, "frames"),
            access: track(1, "channel access"),
            stalls: track(2, "stalls"),
            since: None,
        };
        self.put(node, lanes);
        lanes
    }

    fn put(&mut self, node: usize, lanes: Lanes) {
        self.nodes.resize(self.nodes.len().max(node + 1), None);
        self.nodes[node] = Some(lanes);
    }

    pub fn frame(&mut self, on_air: &OnAir) {
        let lanes = self.lanes(on_air.from);
        let attempt = match on_air.sent {
            Sent::Data { attempt, .. } => attempt,
            Sent::Ack => 0,
        };
        let notes =
            [("retransmission", Value::Count(attempt.into())), ("channel", Value::Count(on_air.channel.into()))];
        self.writer.slice(lanes.frames, on_air.start, on_air.end, named(on_air), &notes);
    }

    pub fn phase(&mut self, now: Instant, node: usize, phase: Phase) {
        let lanes = self.lanes(node);
        self.put(node, Lanes { since: Some((now, phase)), ..lanes });
        let Some((from, before)) = lanes.since.filter(|(from, _)| *from < now) else { return };
        let (track, name) = match before {
            Phase::Sending => return,
            Phase::Backoff { .. } => (lanes.access, "backoff"),
            Phase::Cca { .. } => (lanes.access, "CCA"),
            Phase::Turnaround { .. } => (lanes.access, "turnaround"),
            Phase::Spacing => (lanes.access, "spacing"),
            Phase::AwaitsAck => (lanes.access, "awaits ack"),
            Phase::App => (lanes.stalls, "nothing to send"),
            Phase::Host => (lanes.stalls, "host"),
            Phase::Serial => (lanes.stalls, "serial"),
        };
        self.writer.slice(track, from, now, name, &[]);
    }
}

const fn named(on_air: &OnAir) -> &'static str {
    match (on_air.fate, on_air.sent) {
        (Fate::New, _) => "data",
        (Fate::Acknowledged, _) => "ack",
        (Fate::Duplicate, _) => "duplicate",
        (Fate::Collided, _) => "collision",
        (Fate::Lost, _) => "corrupted",
        (Fate::Missed | Fate::Unheard, _) => "unheard",
        // Everybody hears an acknowledgement, and one waits for it.
        (Fate::Refused, Sent::Ack) => "ack",
        (Fate::Refused, Sent::Data { .. }) => "refused",
    }
}
