//! Witness of a test: the laboratory's record, a firmware's log, or nobody.

use airtime_app::{Command, Event, Phy};
use airtime_core::Instant;

/// A witness of everything that the machine and the host say to one another. Every method has an
/// empty default; `()` is the witness who does not care.
///
/// Methods are called while neither machine nor host is borrowed, and must not wait.
pub trait Witness {
    /// The machine has been told `event`; not called for an SDU, see the other methods.
    fn told(&self, now: Instant, event: &Event) {
        let _ = (now, event);
    }

    /// A channel is about to be told open, with these terms of the peer.
    fn channel(&self, now: Instant, conn: u16, channel: u16, peer_mtu: u16, peer_mps: u16) {
        let _ = (now, conn, channel, peer_mtu, peer_mps);
    }

    /// The PHY towards the peer is about to be told changed.
    fn phy(&self, now: Instant, conn: u16, tx: Phy) {
        let _ = (now, conn, tx);
    }

    /// An SDU is given to the host: its `send` is called.
    fn submitted(&self, now: Instant, conn: u16, channel: u16, octets: u16, sequence: u64) {
        let _ = (now, conn, channel, octets, sequence);
    }

    /// The host has taken an SDU in whole: its `send` has returned, and the machine is about to be told.
    fn sent(&self, now: Instant, conn: u16, channel: u16) {
        let _ = (now, conn, channel);
    }

    /// An SDU has arrived, and the machine is about to be told.
    fn delivered(&self, now: Instant, conn: u16, channel: u16, octets: u16, head: [u8; 8]) {
        let _ = (now, conn, channel, octets, head);
    }

    /// A command was not carried out: this host cannot do it, or has no such connection or channel.
    fn refused(&self, now: Instant, command: &Command) {
        let _ = (now, command);
    }

    /// Tells if a peripheral has the characteristic of settings; asked once, before it starts.
    fn takes_settings(&self) -> bool {
        false
    }

    /// A client has written settings; says if they are taken. One whose are not is told so.
    fn settings(&self, now: Instant, line: &[u8]) -> bool {
        let _ = (now, line);
        false
    }

    /// The machine has been polled to the end.
    fn settled(&self, now: Instant) {
        let _ = now;
    }
}

impl Witness for () {}
