//! Frames on a UART: octets without borders, in which a header that makes sense begins a frame.
//!
//! Nothing but frames goes over the line, one behind the other, and an octet that is lost shifts all that follow. The published
//! drivers read twelve octets, and that many again while they are no header (`uart_rx_task` of `slave/main/uart_slave_api.c`,
//! `h_uart_read_task` of `host/drivers/transport/uart/uart_drv.c`, at `4d9dc385`); here the next header is looked for octet by
//! octet, so that one frame is lost and no more. What is sent is the same.

use alloc::vec::Vec;

use airtime_core::Duration;

use super::frame::{Frame, FrameError};
use super::header::{Layout, checksum};
use super::interface::Interface;

/// Silence behind which a frame that was begun is not going to be ended: the other side sends a frame in one go, and 1600 octets at
/// 115200 baud take 139 ms in all. *Assumed.*
pub const SILENCE: Duration = Duration::from_millis(100);

/// Receiving end of a UART: octets in, frames out.
#[derive(Clone, Debug)]
pub struct Line {
    layout: Layout,
    held: Vec<u8>,
    /// Octets of the frame that was given last, which go when the next is asked for.
    given: usize,
    /// Set if the frame that was begun is not going to be ended.
    ends: bool,
    skipped: u64,
}

impl Line {
    /// A line on which nothing has come yet, with frames of `layout`.
    pub fn new(layout: Layout) -> Self {
        Self { layout, held: Vec::with_capacity(2 * layout.buffer_octets), given: 0, ends: false, skipped: 0 }
    }

    /// Takes `octets` that have come, as far as there is room: two of the longest frames. Once [`frame`](Self::frame) has given
    /// none there is room for one of them at least. Number of those that were taken.
    pub fn put(&mut self, octets: &[u8]) -> usize {
        self.forget_given();
        self.ends = false;
        let taken = octets.len().min(2 * self.layout.buffer_octets - self.held.len());
        self.held.extend_from_slice(&octets[..taken]);
        taken
    }

    /// Next frame that is whole; to be asked until there is none.
    pub fn frame(&mut self) -> Option<Frame<'_>> {
        self.forget_given();
        let mut at = 0;
        while at < self.held.len() {
            match self.look(&self.held[at..]) {
                Found::Frame(octets) => {
                    self.held.drain(..at);
                    self.skipped += at as u64;
                    self.given = octets;
                    return Frame::new_checked(&self.held, &self.layout).ok();
                }
                Found::Begun if !self.ends => break,
                Found::Header => {
                    self.held.drain(..at + self.layout.header_octets());
                    self.skipped += at as u64;
                    at = 0;
                }
                Found::Begun | Found::Noise => at += 1,
            }
        }
        self.held.drain(..at);
        self.skipped += at as u64;
        self.ends = false;
        None
    }

    /// Nothing has come for [`SILENCE`], or octets were lost: what was begun is not going to be ended, and the frames within are next.
    pub fn cut(&mut self) {
        self.ends = true;
    }

    /// Throws away whatever has come.
    pub fn clear(&mut self) {
        self.held.clear();
        (self.given, self.ends) = (0, false);
    }

    /// True while a frame has been begun and not ended.
    pub fn is_within(&self) -> bool {
        self.held.len() > self.given
    }

    /// Octets that belonged to no frame, since it was made.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    fn forget_given(&mut self) {
        self.held.drain(..core::mem::take(&mut self.given));
    }

    fn look(&self, octets: &[u8]) -> Found {
        // Frames have an interface: silence and noise would otherwise look like the first octets of one.
        if octets.first().is_none_or(|first| Interface::of(first & 0xf).is_none()) {
            return Found::Noise;
        }
        match Frame::new_checked(octets, &self.layout) {
            Ok(frame) => Found::Frame(frame.octets()),
            Err(FrameError::Short { .. } | FrameError::Cut { .. }) => Found::Begun,
            // Nothing but a header: a host that begins to save power, or ceases to. There is no payload to hand on.
            Err(FrameError::Empty) if self.sealed(octets) => Found::Header,
            Err(_) => Found::Noise,
        }
    }

    /// Tells if the header at the start of `octets` has the right checksum, with nothing behind it.
    fn sealed(&self, octets: &[u8]) -> bool {
        let header = &octets[..self.layout.header_octets()];
        let field = u16::from_le_bytes([header[6], header[7]]);
        let own = u16::from(header[6]) + u16::from(header[7]);
        !self.layout.checksum || checksum(header).wrapping_sub(own) == field
    }
}

/// Meaning of octets.
enum Found {
    /// A frame of so many octets.
    Frame(usize),
    /// The beginning of one.
    Begun,
    /// A header without payload.
    Header,
    /// Octets that begin nothing.
    Noise,
}
