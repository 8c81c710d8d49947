//! User of a network interface: a TCP/IP stack with its application, or a TUN device.

use airtime_core::{Instant, Packet};

use crate::trace::Feed;

/// Outcome of a packet at a network interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken by the interface.
    Taken,
    /// Its queue is full: the task that sent it stands still until [`InterfaceUser::room`], when the interface has taken it.
    Blocked,
    /// Refused at once and dropped (`ERR_BUF`): the co-processor throttles, or the transport is not up.
    Refused,
}

/// User of a network interface: a TCP/IP stack with its application, or a TUN device. IP packets in, IP packets out.
pub trait InterfaceUser {
    /// Its deadline has come.
    fn wake(&mut self, now: Instant);
    /// An IP packet has come in. Says whether that moved anything here that [`poll`](Self::poll) or
    /// [`deadline`](Self::deadline) would tell of: what only counts is not asked.
    fn packet(&mut self, now: Instant, packet: &[u8]) -> bool;
    /// The next IP packet for the interface; drained to none. Each is answered with [`outcome`](Self::outcome) before the
    /// next is asked for; after [`Outcome::Blocked`] nothing is asked for until [`room`](Self::room).
    fn poll(&mut self, now: Instant) -> Option<Packet>;
    /// Takes the outcome of the packet polled last.
    fn outcome(&mut self, now: Instant, outcome: Outcome) {
        let _ = (now, outcome);
    }
    /// The packet that was blocked is in the queue now.
    fn room(&mut self, now: Instant) {
        let _ = now;
    }
    /// Instant at which it next wants to be woken.
    fn deadline(&self) -> Option<Instant>;
    /// Reason that it sends nothing now.
    fn feed(&self) -> Feed {
        Feed::App
    }
    /// Congestion window in octets, if it has one: a track of the time line.
    fn cwnd(&self) -> Option<u32> {
        None
    }
    /// Until when its task keeps the tasks of the SDIO driver off their core, because it runs there at no lower priority.
    fn holds_core(&self) -> Option<Instant> {
        None
    }
    /// Tasks of the SDIO driver run on its core until `until`: what it does meanwhile is late by as much.
    fn core_taken(&mut self, now: Instant, until: Instant) {
        let _ = (now, until);
    }
}

/// Nothing above: packets are acted in from outside and taken from the observer.
impl InterfaceUser for () {
    fn wake(&mut self, _: Instant) {}
    fn packet(&mut self, _: Instant, _: &[u8]) -> bool {
        false
    }
    fn poll(&mut self, _: Instant) -> Option<Packet> {
        None
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
}
