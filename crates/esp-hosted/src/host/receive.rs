//! Receive path: octets read from the co-processor, on their way up through the double buffer, the queues by priority,
//! and the two tasks that copy frames from one to the other and on to their interfaces.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};

use super::counters::{HostDrop, Told};
use super::{FIXED_POOL, HostConfig, Work};
use crate::wire::{Bus, Frame, FrameError, FrameFaults, Frames, Header, Layout, PRIORITIES};

/// Blocks of the pool beyond the receive queue: Bluetooth 3, serial 3, network 5. Source: `MIN_MEMPOOL_REQ`, from 2.12.4.
const POOL_EXTRA: usize = 11;
/// Octets that the driver of a UART holds while nobody reads. Source: `uart_driver_install` of `port_esp_hosted_host_uart.c`.
const RING: u32 = Bus::Uart.buffer();

/// A frame from the co-processor.
#[derive(Debug)]
pub(super) struct Incoming {
    /// Header of the frame.
    pub header: Header,
    /// Payload behind the header.
    pub payload: Packet,
}

/// Double buffer and queues.
#[derive(Debug)]
pub(super) struct Receive {
    /// Rest of the burst that the splitting task works at, still to be copied.
    burst: VecDeque<Incoming>,
    /// Octets of what is in the burst, headers included, and in the queues, without.
    burst_octets: u32,
    queued_octets: u32,
    queues: [VecDeque<Incoming>; PRIORITIES],
    capacity: usize,
    pool_blocks: Option<usize>,
    layout: Layout,
    faults: FrameFaults,
}

impl Receive {
    pub fn new(config: &HostConfig) -> Self {
        let capacity = usize::from(config.rx_queue.max(1));
        Self {
            burst: VecDeque::with_capacity(64),
            burst_octets: 0,
            queued_octets: 0,
            queues: core::array::from_fn(|_| VecDeque::with_capacity(capacity)),
            capacity,
            pool_blocks: (config.version >= FIXED_POOL).then_some(capacity + POOL_EXTRA),
            layout: config.layout(),
            faults: FrameFaults::default(),
        }
    }

    /// True while the splitting task is still at the previous burst.
    pub fn splitting(&self) -> bool {
        !self.burst.is_empty()
    }

    /// Frames of the burst that have still to be split.
    pub fn burst(&self) -> usize {
        self.burst.len()
    }

    /// Frames in the queue of a priority.
    pub fn queued(&self, priority: usize) -> usize {
        self.queues[priority].len()
    }

    /// A burst has been read: frame by frame into the double buffer, or all of it dropped when the splitting task is not
    /// through with the one before.
    pub fn burst_read(&mut self, bytes: &[u8], pool: &Pool, told: &mut Told) {
        told.counters.bursts += 1;
        let late = self.splitting();
        told.counters.bursts_dropped += u64::from(late);
        let mut left = bytes.len();
        for frame in Frames::new(bytes, self.layout) {
            match frame {
                Ok(frame) if late => {
                    left -= frame.octets();
                    told.lost(HostDrop::RxBurst, frame.payload.len());
                }
                Ok(frame) => {
                    left -= frame.octets();
                    self.burst_octets += frame.octets() as u32;
                    self.burst.push_back(Incoming { header: frame.header, payload: pool.copy(frame.payload) });
                }
                Err(error) => {
                    self.faults.count(error);
                    told.lost(drop_point(error), left);
                }
            }
        }
    }

    /// A frame has come over a UART, where it waits for the reading task; lost when the buffer of the UART is full.
    pub fn frame_read(&mut self, frame: &Frame<'_>, pool: &Pool, told: &mut Told) {
        told.counters.bursts += 1;
        let octets = frame.octets() as u32;
        if self.splitting() && self.burst_octets + octets > RING {
            told.counters.bursts_dropped += 1;
            return told.lost(HostDrop::RxBurst, frame.payload.len());
        }
        self.burst_octets += octets;
        self.burst.push_back(Incoming { header: frame.header, payload: pool.copy(frame.payload) });
    }

    /// A burst has been read when nobody reads any more.
    pub fn discard(&mut self, bytes: &[u8], told: &mut Told) {
        for frame in Frames::new(bytes, self.layout).flatten() {
            told.lost(HostDrop::Down, frame.payload.len());
        }
    }

    /// Faults of octets that were read.
    pub fn faults(&self) -> FrameFaults {
        self.faults
    }

    /// Work that the splitting task can do before it blocks on a full queue.
    pub fn split_work(&self) -> Option<Work> {
        let first = self.burst.front()?;
        let mut room: [usize; PRIORITIES] =
            core::array::from_fn(|priority| self.capacity - self.queues[priority].len());
        if room.iter().all(|room| *room >= self.burst.len()) {
            let first = (Header::OCTETS + first.payload.len()) as u32;
            return Some(Work { frames: self.burst.len() as u16, octets: self.burst_octets, first });
        }
        let mut work = Work::default();
        for incoming in &self.burst {
            let room = &mut room[incoming.header.interface.priority() as usize];
            if *room == 0 {
                break;
            }
            *room -= 1;
            work.add(Header::OCTETS + incoming.payload.len());
        }
        work.some()
    }

    /// The splitting task has copied `frames` into buffers of their own.
    pub fn split(&mut self, frames: u16, told: &mut Told) {
        for _ in 0..frames {
            let Some(next) = self.burst.front() else { return };
            let priority = next.header.interface.priority() as usize;
            if self.queues[priority].len() >= self.capacity {
                return;
            }
            let used: usize = self.queues.iter().map(VecDeque::len).sum();
            let Some(next) = self.burst.pop_front() else { return };
            self.burst_octets -= (Header::OCTETS + next.payload.len()) as u32;
            if self.pool_blocks.is_some_and(|blocks| used >= blocks) {
                told.lost(HostDrop::Pool, next.payload.len());
            } else {
                self.queued_octets += next.payload.len() as u32;
                self.queues[priority].push_back(next);
            }
        }
    }

    /// Work that waits for the dispatching task.
    pub fn dispatch_work(&self) -> Option<Work> {
        let first = self.queues.iter().find_map(VecDeque::front)?;
        let frames = self.queues.iter().map(VecDeque::len).sum::<usize>() as u16;
        Some(Work { frames, octets: self.queued_octets, first: first.payload.len() as u32 })
    }

    /// The next frame for its interface, the most urgent first.
    pub fn next(&mut self) -> Option<Incoming> {
        let next = self.queues.iter_mut().find_map(VecDeque::pop_front)?;
        self.queued_octets -= next.payload.len() as u32;
        Some(next)
    }

    /// Throws everything away.
    pub fn clear(&mut self, told: &mut Told) {
        (self.burst_octets, self.queued_octets) = (0, 0);
        for incoming in self.burst.drain(..).chain(self.queues.iter_mut().flat_map(|queue| queue.drain(..))) {
            told.lost(HostDrop::Down, incoming.payload.len());
        }
    }
}

/// Under which name the rest of a burst is lost.
fn drop_point(error: FrameError) -> HostDrop {
    match error {
        FrameError::Checksum { .. } => HostDrop::RxChecksum,
        FrameError::Interface(_) => HostDrop::Interface,
        _ => HostDrop::RxInvalid,
    }
}
