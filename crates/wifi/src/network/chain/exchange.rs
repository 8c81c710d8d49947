//! SPI in time: transactions that carry a frame each way, and the turn between two of them.
//!
//! A transaction takes its time on the wire whatever is in it. Behind it the co-processor queues the next one, which fixes what it has for
//! the host, and raises the handshake line; the host begins as soon as it knows and has a reason. From rest a frame to the host takes two
//! transactions, for the one that is queued is a dummy.

use airtime_core::{Duration, Instant, Packet};

use super::{Chain, Due, SpiTiming};

/// State of the transactions.
#[derive(Debug)]
pub(super) struct Exchanges {
    timing: SpiTiming,
    /// The handshake line is up, and the host's task knows it.
    up: bool,
    /// Frame or dummy that the host writes in the transaction that is under way.
    under_way: Option<Option<Packet>>,
    /// Instant until which the host's task has the core for that.
    runs_until: Instant,
}

impl Exchanges {
    pub const fn new(timing: SpiTiming) -> Self {
        Self { timing, up: false, under_way: None, runs_until: Instant::ZERO }
    }
}

impl Chain {
    /// Tells if what comes by air stands behind SPI: the co-processor has all of its buffers to the host in use.
    pub(in crate::network) fn is_full(&self) -> bool {
        let used = || self.coprocessor.depth().transmit >= self.coprocessor.config().tx_buffers;
        self.spi.is_some() && used()
    }

    /// Tells if the host is throttled for good: a throttle of SPI ends with the next frame to the host, and there is none, nor one of the host
    /// that would begin a transaction.
    pub fn is_stuck(&self) -> bool {
        let rests = self.spi.as_ref().is_some_and(|spi| spi.under_way.is_none());
        let empty = self.host.queued() == 0 && self.coprocessor.queued() == 0 && self.coprocessor.depth().transmit == 0;
        rests && empty && self.host.throttled()
    }

    /// Until when the host's task of SPI has the core.
    pub(super) fn exchange_runs(&self) -> Option<Instant> {
        self.spi.as_ref().map(|spi| spi.runs_until)
    }

    /// The co-processor may have queued the next transaction: the turn begins.
    pub(super) fn turn(&mut self, now: Instant) {
        let idle = self.spi.as_ref().is_some_and(|spi| !spi.up && spi.under_way.is_none());
        if idle && self.coprocessor.exchanges() && !self.is_set(Due::Interrupt) {
            self.set(Due::Interrupt, Some(now + self.costs.turn));
        }
    }

    /// The host's task knows that the line is up.
    pub(super) fn handshake(&mut self) {
        if let Some(spi) = &mut self.spi {
            spi.up = true;
            self.host_moved = true;
        }
    }

    /// Begins a transaction if the line is up and the host has a reason. `core` is when its task can run at the earliest.
    pub(super) fn begin_exchange(&mut self, now: Instant, core: Instant) {
        let Some(spi) = self.spi.as_mut().filter(|spi| spi.up) else { return };
        let Some(exchange) = self.host.exchange() else { return };
        let frame = if exchange.frame.is_some() { self.costs.exchange_frame } else { Duration::ZERO };
        spi.runs_until = now.max(core) + frame;
        let until = spi.runs_until + spi.timing.transaction();
        (spi.up, spi.under_way) = (false, Some(exchange.frame));
        // Whoever waited for a place in the queue is told.
        self.host_moved = true;
        self.set(Due::Bus, Some(until));
    }

    /// A transaction is through.
    pub(super) fn end_exchange(&mut self, now: Instant) {
        let Some(frame) = self.spi.as_mut().and_then(|spi| spi.under_way.take()) else { return };
        let written = frame.is_some();
        let reply = self.coprocessor.exchanged(now, frame);
        self.host.exchanged(now, written, &reply);
        (self.host_moved, self.coprocessor_moved, self.bursts) = (true, true, true);
        self.turn(now);
    }
}
