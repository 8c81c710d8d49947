//! The line from the receiver's radio co-processor to its host: what it has acknowledged waits there, or is lost.
//!
//! Duplicates go over it, too: the co-processor acknowledges each frame and forgets it, and its host knows a duplicate by the frame
//! counter. So one that is sent again since its acknowledgement was lost arrives after all if there was no room for it at first.
// OpenThread, src/ncp/ncp_base_radio.cpp, LinkRawReceiveDone; src/core/mac/mac.cpp, ProcessReceiveSecurity: kErrorDuplicated.

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
    waiting: VecDeque<Message>,
}

/// Message about a frame.
#[derive(Debug)]
struct Message {
    /// End of it on the line.
    until: Instant,
    octets: usize,
    /// Frame that is new to the host; none of a duplicate, which it discards.
    frame: Option<Frame>,
}

impl Line {
    pub(super) fn new(config: &Config, receiving: Receiving, pool: &Pool) -> Self {
        let Receiving { uart, buffer } = receiving;
        Self { uart, buffer: buffer.into(), channel: config.channel, pool: pool.clone(), waiting: VecDeque::new() }
    }

    /// The radio has `psdu` at `now`; octets on the line, or none when its message does not fit the buffer.
    pub(super) fn put(&mut self, now: Instant, psdu: &[u8], frame: Option<Frame>) -> Option<usize> {
        let mut message = self.pool.packet();
        receive(psdu, self.channel, now, &mut message);
        let held: usize = self.waiting.iter().map(|message| message.octets).sum();
        if held + message.len() > self.buffer {
            return None;
        }
        let begin = self.waiting.back().map_or(now, |last| last.until);
        let octets = hdlc::octets(&message);
        self.waiting.push_back(Message { until: begin + self.uart.time(octets), octets: message.len(), frame });
        Some(octets)
    }

    /// The next frame that the host has by `now`.
    pub(super) fn take(&mut self, now: Instant) -> Option<Frame> {
        while self.due().is_some_and(|until| until <= now) {
            if let Some(frame) = self.waiting.pop_front().and_then(|message| message.frame) {
                return Some(frame);
            }
        }
        None
    }

    /// Units of which frames are here.
    pub(super) fn holds(&self) -> impl Iterator<Item = Origin> {
        self.waiting.iter().filter_map(|message| message.frame.as_ref()).map(|frame| frame.origin)
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.waiting.front().map(|first| first.until)
    }
}
