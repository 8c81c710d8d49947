//! A flow of the queue: a chain of packets and what it may still send in this round.

/// No packet.
pub(super) const NO_PACKET: u16 = u16::MAX;

/// A chain of packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Its oldest packet.
    pub(super) first: u16,
    /// Its newest packet.
    pub(super) last: u16,
    /// Chunks of all its packets.
    pub(super) chunks: u32,
    /// Octets it may still send in this round.
    pub(super) deficit: i32,
}

impl Flow {
    /// Without packets.
    pub(super) const EMPTY: Self = Self { first: NO_PACKET, last: NO_PACKET, chunks: 0, deficit: 0 };

    /// Takes a packet at its end.
    pub(super) fn append(&mut self, packet: u16, chunks: u32) {
        if self.first == NO_PACKET {
            self.first = packet;
        }
        self.last = packet;
        self.chunks += chunks;
    }

    /// Loses its oldest packet; `next` is the one behind it.
    pub(super) fn remove_first(&mut self, next: u16, chunks: u32) {
        self.first = next;
        if next == NO_PACKET {
            self.last = NO_PACKET;
        }
        self.chunks -= chunks;
    }
}
