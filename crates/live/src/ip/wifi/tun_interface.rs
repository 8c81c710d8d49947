//! User of an interface of the pipeline in real time: a TUN device.

use airtime_core::{Instant, Packet, Pool};
use airtime_wifi::network::{InterfaceUser, Outcome};
use airtime_wifi::trace::Feed;

use crate::ip;

/// A TUN device above an interface. While the interface is full what has been read waits, and what has not stays in the device.
#[derive(Debug)]
pub struct TunInterface {
    pub(super) device: ip::TunQueue,
    blocked: bool,
}

impl TunInterface {
    /// Interface whose device has no packet waiting.
    pub fn new(pool: Pool) -> Self {
        Self { device: ip::TunQueue::new(pool), blocked: false }
    }
}

impl InterfaceUser for TunInterface {
    fn wake(&mut self, _: Instant) {}

    fn packet(&mut self, _: Instant, packet: &[u8]) -> bool {
        self.device.packet(packet);
        false
    }

    fn poll(&mut self, now: Instant) -> Option<Packet> {
        if self.blocked { None } else { self.device.poll(now) }
    }

    fn outcome(&mut self, _: Instant, outcome: Outcome) {
        // A packet that is refused is lost: no device can tell the program that sent it. The counts of the pipeline have it.
        self.blocked = outcome == Outcome::Blocked;
    }

    fn room(&mut self, _: Instant) {
        self.blocked = false;
    }

    fn deadline(&self) -> Option<Instant> {
        if self.blocked { None } else { self.device.deadline() }
    }

    fn feed(&self) -> Feed {
        if self.blocked || self.device.deadline().is_some() { Feed::Ready } else { Feed::App }
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Duration;

    use super::*;

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_micros(us)
    }

    #[test]
    fn packets_wait_while_the_interface_is_full() {
        let mut outside = TunInterface::new(Pool::new());
        assert_eq!((outside.deadline(), outside.feed()), (None, Feed::App));
        outside.device.receive(at(5), &[1]);
        outside.device.receive(at(6), &[2]);
        assert_eq!(outside.deadline(), Some(at(5)));
        assert_eq!(outside.poll(at(5)).as_deref(), Some(&[1][..]));
        outside.outcome(at(5), Outcome::Blocked);
        assert_eq!((outside.poll(at(9)), outside.deadline(), outside.feed()), (None, None, Feed::Ready));
        outside.room(at(9));
        assert_eq!(outside.poll(at(9)).as_deref(), Some(&[2][..]));
        outside.outcome(at(9), Outcome::Refused);
        assert_eq!(outside.deadline(), None, "what is refused is gone");
    }
}
