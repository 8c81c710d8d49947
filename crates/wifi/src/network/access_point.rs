//! The access point: what comes by air goes to the wire, what comes by wire waits for the air.

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet};

use super::path::{PathConfig, Wire};
use super::{AP, STATION};
use crate::cell::{Cell, Refused};

/// A bridge of two queues.
#[derive(Debug)]
pub(super) struct AccessPoint {
    /// Towards the far end.
    pub(super) up: Wire,
    /// From the far end.
    pub(super) down: Wire,
    /// Packets for the air.
    queue: VecDeque<Packet>,
    limit: usize,
}

impl AccessPoint {
    pub(super) fn new(path: &PathConfig) -> Self {
        let (up, down) = (Wire::new(path), Wire::new(path));
        Self { up, down, queue: VecDeque::new(), limit: usize::from(path.ap_queue) }
    }

    /// Takes a frame for the air, or gives it back because its queue is full.
    pub(super) fn enqueue(&mut self, frame: Packet) -> Result<(), Packet> {
        if self.queue.len() >= self.limit {
            return Err(frame);
        }
        self.queue.push_back(frame);
        Ok(())
    }

    /// Fills the transmit buffers of its station; says whether anything went there.
    pub(super) fn offer(&mut self, now: Instant, cell: &mut Cell) -> bool {
        let mut any = false;
        while !self.queue.is_empty() && cell.room(AP) > 0 {
            let Some(frame) = self.queue.pop_front() else { break };
            if let Err(Refused::Full(frame)) = cell.offer(now, AP, STATION, frame) {
                self.queue.push_front(frame);
                break;
            }
            any = true;
        }
        any
    }

    /// Frames that wait for the air.
    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Instant at which the next frame arrives by wire.
    pub(super) fn deadline(&self) -> Option<Instant> {
        [self.up.deadline(), self.down.deadline()].into_iter().flatten().min()
    }
}
