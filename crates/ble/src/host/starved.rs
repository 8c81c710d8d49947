//! Diagnosis of an idle controller: the first stage above it, on one connection, that is not itself starved.

use super::link::Link;
use super::transmit::Owner;
use super::{ConnHandle, Host, Starved};

impl Host {
    /// Bottleneck that keeps this host from giving its controller the next packet of `conn`.
    ///
    /// The walk goes from the controller upwards: buffers, credits, the stream task, the application.
    /// Where a stage waits for news that the CPU has not taken in, the CPU is the cause. When nothing
    /// is queued but K-frames are unreported, the report is what the application waits for: it may
    /// limit its SDUs in flight, and is told of each when its last K-frame is reported.
    pub fn starved(&self, conn: ConnHandle) -> Starved {
        let Some(link) = self.links.iter().find(|link| link.handle == conn) else { return Starved::Application };
        let late = self.cpu.inbound_waiting() > 0;
        if link.waits_for_buffers() {
            return if late { Starved::LateHost } else { Starved::Buffers };
        }
        if link.waits_for_credits() {
            return if late { Starved::LateHost } else { Starved::Credits };
        }
        if self.cpu.is_making(|serial| link.is_of(serial)) {
            return Starved::LateHost;
        }
        match link.has_unreported_data() {
            true if late => Starved::LateHost,
            true => Starved::Buffers,
            false => Starved::Application,
        }
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

    fn has_unreported_data(&self) -> bool {
        self.on_controller.iter().any(|fragment| fragment.owner != Owner::Signalling)
    }
}
