//! TUN device above an interface in real time, with the packets that have been read from it and not arrived yet, and those
//! that have come out of the link and are not written yet.

use std::collections::VecDeque;

use airtime_core::{Instant, Packet, Pool};

/// Packets of one turn that wait for their own time. What more there is waits in the device, which drops what it has no
/// room for, as it would above a radio.
pub const INBOX_MAX: usize = 256;

/// Packets that wait to be written. The device takes them at once, so more than what a turn brings never wait.
pub const OUTGOING_MAX: usize = 256;

/// A TUN device above an interface.
#[derive(Debug)]
pub struct TunQueue {
    pool: Pool,
    /// Packets with the time of their arrival.
    inbox: VecDeque<(Instant, Packet)>,
    outgoing: VecDeque<Packet>,
    overflow: u64,
}

impl TunQueue {
    /// Queues in which no packet waits.
    pub fn new(pool: Pool) -> Self {
        Self { pool, inbox: VecDeque::new(), outgoing: VecDeque::new(), overflow: 0 }
    }

    /// True if there is room for a packet.
    pub fn has_room(&self) -> bool {
        self.inbox.len() < INBOX_MAX
    }

    /// A packet from the device arrives at `at`, not before any other.
    ///
    /// # Panics
    /// When there is no room.
    pub fn receive(&mut self, at: Instant, packet: &[u8]) {
        assert!(self.has_room(), "a packet is read when there is room for it");
        self.inbox.push_back((at, self.pool.copy(packet)));
    }

    /// The next packet for the link that has arrived by `now`.
    pub fn poll(&mut self, now: Instant) -> Option<Packet> {
        self.inbox.pop_front_if(|(at, _)| *at <= now).map(|(_, packet)| packet)
    }

    /// Instant at which the next packet arrives.
    pub fn deadline(&self) -> Option<Instant> {
        self.inbox.front().map(|(at, _)| *at)
    }

    /// A packet comes out of the link.
    pub fn packet(&mut self, packet: &[u8]) {
        if self.outgoing.len() == OUTGOING_MAX {
            self.overflow += 1;
            return;
        }
        self.outgoing.push_back(self.pool.copy(packet));
    }

    /// The next packet for the device.
    pub fn outgoing(&mut self) -> Option<Packet> {
        self.outgoing.pop_front()
    }

    /// Packets for the device that found no room, because nobody has taken those before.
    pub fn overflow(&self) -> u64 {
        self.overflow
    }
}
