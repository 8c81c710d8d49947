//! A TUN device above a node.

use airtime_core::{Instant, Packet};
use airtime_nrf24::host::TunUser;

use crate::ip::Outside;

impl TunUser for Outside {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, _: Instant, packet: &[u8]) {
        Outside::packet(self, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        Outside::poll(self, now)
    }

    fn deadline(&self) -> Option<Instant> {
        Outside::deadline(self)
    }
}
