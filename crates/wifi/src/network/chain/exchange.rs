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
}

impl Exchanges {
    pub const fn new(timing: SpiTiming) -> Self {
        Self { timing, up: false, under_way: None }
    }
}

impl Chain {
    /// Tells if what comes by air stands behind SPI: the co-processor has all of its buffers to the host in use.
    pub(in crate::network) fn is_full(&self) -> bool {
        let used = || self.coprocessor.depth().transmit >= self.coprocessor.config().tx_buffers;
        self.spi.is_some() && used()
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

    /// Begins a transaction if the line is up and the host has a reason.
    pub(super) fn begin_exchange(&mut self, now: Instant) {
        let Some(spi) = self.spi.as_mut().filter(|spi| spi.up) else { return };
        let Some(exchange) = self.host.exchange() else { return };
        let frame = if exchange.frame.is_some() { self.costs.exchange_frame } else { Duration::ZERO };
        let until = now + frame + spi.timing.transaction();
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
