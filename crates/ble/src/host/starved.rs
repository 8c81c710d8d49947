//! Diagnosis of an idle controller: the first stage above it, on one connection, that is not itself starved.

use super::link::Link;
use super::{ConnHandle, Host, Starved};

impl Host {
    /// Bottleneck that keeps this host from giving its controller the next packet of `conn`.
    ///
    /// The walk goes from the controller upwards: its buffers, those of the stack, an answer of the peer's, credits, the stream task; where nothing is
    /// queued the application, which knows best what it waits for. Where a stage waits for news that the CPU has not taken
    /// in, the CPU is the cause.
    pub fn starved(&self, conn: ConnHandle) -> Starved {
        let Some(link) = self.links.iter().find(|link| link.handle == conn) else { return Starved::Application };
        let unless_late = |starved| if self.is_late() { Starved::LateHost } else { starved };
        if link.waits_for_buffers() {
            let pool = link.current.is_none() && self.buffers.acl_free > 0;
            return unless_late(if pool { Starved::Pool } else { Starved::Buffers });
        }
        if link.att.waits_for_answer() {
            return unless_late(Starved::Response);
        }
        if link.waits_for_credits() {
            return unless_late(Starved::Credits);
        }
        if self.cpu.is_making(|serial| link.is_of(serial)) { Starved::LateHost } else { Starved::Application }
    }

    /// True while a value that was sent on `conn` is without the answer of the other end's application.
    pub fn awaits_answer(&self, conn: ConnHandle) -> bool {
        self.links.iter().any(|link| link.handle == conn && link.att.awaits_answer())
    }

    /// True while there is news that the CPU has not taken in.
    pub fn is_late(&self) -> bool {
        self.cpu.inbound_waiting() > 0
    }
}

impl Link {
    /// True if something could go to the controller if it and the stack had buffers.
    fn waits_for_buffers(&self) -> bool {
        let channels = || self.channels.iter().any(|c| c.is_open() && c.sender.has_data() && c.sender.credits > 0);
        self.current.is_some() || self.att.has_data() || channels()
    }

    fn waits_for_credits(&self) -> bool {
        self.channels.iter().any(|c| c.is_open() && c.sender.has_data())
    }

    /// Tells if a serial number is this connection's or one of its channels'.
    fn is_of(&self, serial: u32) -> bool {
        self.serial == serial || self.channels.iter().any(|c| c.serial == serial)
    }
}
