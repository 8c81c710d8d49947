//! The application that writes into a stream.

use alloc::vec::Vec;
use core::net::Ipv4Addr;

use airtime_core::Instant;
use smoltcp::iface::Context;
use smoltcp::socket::tcp::Socket;

use super::Stream;
use crate::payload::pattern;
use crate::watch::{Event, Watch};

/// First of the ephemeral ports, from which outgoing connections have their own (RFC 6335, 6).
const EPHEMERAL: u16 = 49_152;

/// Connects, writes the pattern call by call, and closes.
#[derive(Clone, Debug)]
pub struct Writer {
    config: Stream,
    to: Ipv4Addr,
    phase: Phase,
    written: u64,
    /// Octets that are handed over at once.
    octets: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Open,
    /// The time is over; the call under way goes on.
    Ending,
    Closed,
}

impl Writer {
    /// Application that writes to `to`.
    ///
    /// # Panics
    /// When a write is empty.
    pub fn new(to: Ipv4Addr, config: Stream) -> Self {
        assert!(config.write > 0, "an application writes something");
        Self { config, to, phase: Phase::Waiting, written: 0, octets: Vec::new() }
    }

    /// Octets the application has handed over.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// True when it has written all and closed.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Closed
    }

    /// Instant at which it next does something by itself.
    pub fn deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Waiting => Some(self.config.start),
            Phase::Open => Some(self.end()),
            Phase::Ending | Phase::Closed => None,
        }
    }

    fn end(&self) -> Instant {
        self.config.start + self.config.duration
    }

    /// Writes and closes as far as that can be done at `now`.
    ///
    /// # Panics
    /// When the socket was used before, or the port is zero.
    pub fn run(&mut self, now: Instant, socket: &mut Socket<'_>, context: &mut Context, watch: &mut impl Watch) {
        if self.phase == Phase::Waiting && now >= self.config.start {
            let own = EPHEMERAL | (self.config.flow & 0x3fff);
            socket
                .connect(context, (self.to, self.config.flow), own)
                .expect("a fresh socket and a port that is not zero");
            self.phase = Phase::Open;
        }
        if self.phase == Phase::Open && now >= self.end() {
            self.phase = Phase::Ending;
        }
        if matches!(self.phase, Phase::Waiting | Phase::Closed) {
            return;
        }
        while self.left() > 0 && socket.can_send() {
            let room = socket.send_capacity() - socket.send_queue();
            let len = self.left().min(room as u64) as usize;
            self.octets.resize(len, 0);
            pattern(self.written, &mut self.octets);
            let taken = socket.send_slice(&self.octets).unwrap_or(0);
            self.written += taken as u64;
            watch.event(now, Event::Written { flow: self.config.flow, octets: taken });
        }
        if self.left() == 0 {
            socket.close();
            self.phase = Phase::Closed;
        }
    }

    /// Octets it would still hand over: of the call under way, or of as many as the time and the size of the test allow.
    fn left(&self) -> u64 {
        let write = self.config.write as u64;
        let limit = self.config.octets.unwrap_or(u64::MAX) - self.written;
        match self.phase {
            Phase::Ending => limit.min(self.written.next_multiple_of(write) - self.written),
            _ => limit,
        }
    }
}
