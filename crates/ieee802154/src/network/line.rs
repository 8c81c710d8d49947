//! The line from the receiver's radio co-processor to its host: what it has acknowledged waits there, or is lost.

use alloc::collections::VecDeque;

use airtime_core::{Instant, Packet, Pool};

use super::origin::Origin;
use super::{Config, Receiving};
use crate::rcp::{Uart, hdlc, receive};

/// A frame on its way to the host.
#[derive(Debug)]
pub(super) struct Frame {
    /// Station that sent it.
    pub(super) from: usize,
    /// Payload of the MAC.
    pub(super) payload: Packet,
    /// Unit that it belongs to.
    pub(super) origin: Origin,
}

/// Frames of a co-processor for its host.
#[derive(Debug)]
pub(super) struct Line {
    uart: Uart,
    /// Octets of messages that wait or are on the line, at most.
    buffer: usize,
    channel: u8,
    pool: Pool,
    /// Each with the end of its message, and the octets of that.
    waiting: VecDeque<(Instant, usize, Frame)>,
}

impl Line {
    pub(super) fn new(config: &Config, receiving: Receiving, pool: &Pool) -> Self {
        let Receiving { uart, buffer } = receiving;
        Self { uart, buffer: buffer.into(), channel: config.channel, pool: pool.clone(), waiting: VecDeque::new() }
    }

    /// The radio has `psdu` at `now`; octets on the line, or none when its message does not fit the buffer.
    pub(super) fn put(&mut self, now: Instant, psdu: &[u8], frame: Frame) -> Option<usize> {
        let mut message = self.pool.packet();
        receive(psdu, self.channel, now, &mut message);
        let held: usize = self.waiting.iter().map(|(_, octets, _)| octets).sum();
        if held + message.len() > self.buffer {
            return None;
        }
        let begin = self.waiting.back().map_or(now, |(until, ..)| *until);
        let octets = hdlc::octets(&message);
        self.waiting.push_back((begin + self.uart.time(octets), message.len(), frame));
        Some(octets)
    }

    /// The next frame that the host has by `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<Frame> {
        self.due().filter(|until| *until <= now)?;
        self.waiting.pop_front().map(|(.., frame)| frame)
    }

    /// Units of which frames are here.
    pub(super) fn holds(&self) -> impl Iterator<Item = Origin> {
        self.waiting.iter().map(|(.., frame)| frame.origin)
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.waiting.front().map(|(until, ..)| *until)
    }
}
