//! Desk of a node: the tunnel, the time, bells, the TUN device, shared by its tasks.

use core::future::Future;

use airtime_core::Instant;
use embassy_futures::select::{Either, select};

use crate::driver::Error;
use crate::trace::{Activity, Note};
use crate::tunnel::Tunnel;

use super::ring::Ring;

/// Bell that a task waits for besides its radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bell {
    /// There may be something to send: rung after an IP packet was offered and after frames were received.
    Transmit,
    /// There are frames in the ring.
    Assemble,
}

/// Cause that has ended a wait for the radio or a bell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// IRQ is asserted, or its pin failed.
    Irq(Result<(), Error>),
    /// The bell, or the time.
    Otherwise,
}

impl Bell {
    /// Number of bells.
    pub const COUNT: usize = 2;
}

/// The seam between the tasks of a node and what runs them: the lab's virtual time, or threads of a real system.
///
/// Every task has the desk by shared reference, and several may run at the same instant on several threads. No method but those that
/// return a future blocks for longer than another task takes in a closure. Futures stay on the thread that made them.
pub trait Desk {
    /// The time, of the same clock as everything the tunnel is told.
    fn now(&self) -> Instant;

    /// Acts on the tunnel under a lock.
    fn with_tunnel<R>(&self, act: impl FnOnce(&mut Tunnel, Instant) -> R) -> R;

    /// Acts on the ring of received frames under a lock of its own.
    fn with_ring<R>(&self, act: impl FnOnce(&mut Ring) -> R) -> R;

    /// Wakes the task that waits at `bell`. A bell nobody waits at keeps one ring, and no more, for the next who comes.
    fn ring(&self, bell: Bell);

    /// Until `bell` has rung since the last wait at it, or `until` has come; the task's radio is idle for this `reason`. The future
    /// may be dropped before it is ready, and the ring with it: whoever waits looks at everything afterwards.
    fn wait(&self, bell: Bell, until: Option<Instant>, reason: Activity) -> impl Future<Output = ()>;

    /// As [`wait`](Self::wait), and until `line` is ready, which it looks at first: the radio's wait for its IRQ. Where one wait can
    /// be for both, `line` need not be polled; whoever waits tells the radio in any case
    /// ([`irq_is_low`](crate::driver::Radio::irq_is_low)).
    fn wait_or_irq(
        &self,
        line: impl Future<Output = Result<(), Error>>,
        bell: Bell,
        until: Option<Instant>,
        reason: Activity,
    ) -> impl Future<Output = Woken> {
        async move {
            match select(line, self.wait(bell, until, reason)).await {
                Either::First(line) => Woken::Irq(line),
                Either::Second(()) => Woken::Otherwise,
            }
        }
    }

    /// The next IP packet from the TUN device, written to `packet`, and its octets; none once the device is gone.
    /// A packet longer than the buffer is cut, and the tunnel finds it malformed.
    fn read_packet(&self, packet: &mut [u8]) -> impl Future<Output = Option<usize>>;

    /// Hands an IP packet to the TUN device.
    fn write_packet(&self, packet: &[u8]) -> impl Future<Output = ()>;

    /// Passes a note to the observer.
    fn note(&self, note: Note);

    /// True once the node is to stop; tasks ask after each wait.
    fn stops(&self) -> bool {
        false
    }
}
