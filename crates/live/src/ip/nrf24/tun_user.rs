//! A TUN device above a node.

use airtime_core::{Instant, Packet};
use airtime_nrf24::host::TunUser;

use crate::ip::TunQueue;

impl TunUser for TunQueue {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, _: Instant, packet: &[u8]) {
        TunQueue::packet(self, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        TunQueue::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        TunQueue::deadline(self)
    }
}
